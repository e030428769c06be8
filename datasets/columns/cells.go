package columns

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"kifu/schemas"
)

// cells are the values of one leaf column of a batch. For most columns cell i is the value of row i. For an
// Int32List it is element i of all lists, for a StringMap key or value i of all pairs.
type cells struct {
	v            *Vec
	present      []bool // nil: all are
	stride, skip int    // of a StringMap: 2, and 0 for keys or 1 for values
}

func cellsOf(v *Vec, part int) cells {
	switch {
	case v.Column.Type == schemas.StringMap:
		return cells{v: v, stride: 2, skip: part}
	case v.Column.Type == schemas.Int32List:
		return cells{v: v, present: v.ItemOK}
	case v.Column.Nullable:
		return cells{v: v, present: v.Valid}
	}
	return cells{v: v}
}

// text returns cell i of a column of bytes.
func (c cells) text(i int) []byte {
	if c.stride != 0 {
		return c.v.Text(i*c.stride + c.skip)
	}
	return c.v.Value(i)
}

// nulls counts the cells from to to that are not there.
func (c cells) nulls(from, to int) int {
	if c.present == nil {
		return 0
	}
	n := 0
	for _, ok := range c.present[from:to] {
		if !ok {
			n++
		}
	}
	return n
}

// compact returns the values of x from to to that are present: a part of x itself when
// all are, else buf.
func compact[T any](x []T, present []bool, from, to, nulls int, buf []T) []T {
	if nulls == 0 {
		return x[from:to]
	}
	buf = buf[:0]
	for i := from; i < to; i++ {
		if present[i] {
			buf = append(buf, x[i])
		}
	}
	return buf
}

// appendPlain appends the present cells from to to in Parquet's PLAIN encoding.
func (c cells) appendPlain(dst []byte, from, to int) []byte {
	if c.v.Column.Type == schemas.Bool {
		return c.appendBits(dst, from, to)
	}
	switch v := c.v; {
	case c.nulls(from, to) > 0:
	case v.Column.Type == schemas.FixedBytes:
		return append(dst, v.Bytes[start(v.Ends, from):start(v.Ends, to)]...)
	case v.Column.Type == schemas.Float32:
		n := len(dst)
		dst = slices.Grow(dst, 4*(to-from))[:n+4*(to-from)]
		for i, x := range v.Float32[from:to] {
			binary.LittleEndian.PutUint32(dst[n+4*i:], math.Float32bits(x))
		}
		return dst
	}
	for i := from; i < to; i++ {
		if c.present == nil || c.present[i] {
			dst = c.appendCell(dst, i)
		}
	}
	return dst
}

// appendCell appends cell i in PLAIN encoding; a Bool is a byte.
func (c cells) appendCell(dst []byte, i int) []byte {
	switch v := c.v; v.Column.Type {
	case schemas.Bool:
		if v.Bool[i] {
			return append(dst, 1)
		}
		return append(dst, 0)
	case schemas.Int16, schemas.Int32, schemas.Int32List:
		return binary.LittleEndian.AppendUint32(dst, uint32(v.Int32[i]))
	case schemas.Int64:
		return binary.LittleEndian.AppendUint64(dst, uint64(v.Int64[i]))
	case schemas.Uint64:
		return binary.LittleEndian.AppendUint64(dst, v.Uint64[i])
	case schemas.Float32:
		return binary.LittleEndian.AppendUint32(dst, math.Float32bits(v.Float32[i]))
	case schemas.Float64:
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(v.Float64[i]))
	case schemas.FixedBytes:
		return append(dst, v.Value(i)...)
	}
	text := c.text(i)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(text)))
	return append(dst, text...)
}

// appendBits appends Bool cells eight to a byte, the first in the lowest bit.
func (c cells) appendBits(dst []byte, from, to int) []byte {
	var b byte
	n := 0
	for i := from; i < to; i++ {
		if c.present != nil && !c.present[i] {
			continue
		}
		if c.v.Bool[i] {
			b |= 1 << n
		}
		if n++; n == 8 {
			dst, b, n = append(dst, b), 0, 0
		}
	}
	if n > 0 {
		dst = append(dst, b)
	}
	return dst
}

// bounds returns the cells with the least and the greatest value among the present ones
// from to to, -1 without one. NaN is no value.
func (c cells) bounds(from, to int) (least, greatest int) {
	switch v := c.v; v.Column.Type {
	case schemas.Int16, schemas.Int32, schemas.Int32List:
		return boundsOf(v.Int32, c.present, from, to)
	case schemas.Int64:
		return boundsOf(v.Int64, c.present, from, to)
	case schemas.Float32:
		return boundsOf(v.Float32, c.present, from, to)
	case schemas.Float64:
		return boundsOf(v.Float64, c.present, from, to)
	}
	least, greatest = -1, -1
	for i := from; i < to; i++ {
		if c.present == nil || c.present[i] {
			least, greatest = c.widen(least, greatest, i)
		}
	}
	return least, greatest
}

func boundsOf[T cmp.Ordered](x []T, present []bool, from, to int) (least, greatest int) {
	least, greatest = -1, -1
	var low, high T
	for i := from; i < to; i++ {
		if present != nil && !present[i] || x[i] != x[i] {
			continue
		}
		if least < 0 {
			least, greatest, low, high = i, i, x[i], x[i]
		} else if x[i] < low {
			least, low = i, x[i]
		} else if x[i] > high {
			greatest, high = i, x[i]
		}
	}
	return least, greatest
}

// widen returns the bounds that hold cell i too.
func (c cells) widen(least, greatest, i int) (int, int) {
	switch v := c.v; {
	case i < 0,
		v.Column.Type == schemas.Float32 && v.Float32[i] != v.Float32[i],
		v.Column.Type == schemas.Float64 && v.Float64[i] != v.Float64[i]:
		return least, greatest
	}
	if least < 0 || c.compare(i, least) < 0 {
		least = i
	}
	if greatest < 0 || c.compare(i, greatest) > 0 {
		greatest = i
	}
	return least, greatest
}

func (c cells) compare(i, j int) int {
	switch v := c.v; v.Column.Type {
	case schemas.Bool:
		switch {
		case v.Bool[i] == v.Bool[j]:
			return 0
		case v.Bool[j]:
			return -1
		}
		return 1
	case schemas.Int16, schemas.Int32, schemas.Int32List:
		return cmp.Compare(v.Int32[i], v.Int32[j])
	case schemas.Int64:
		return cmp.Compare(v.Int64[i], v.Int64[j])
	case schemas.Uint64:
		return cmp.Compare(v.Uint64[i], v.Uint64[j])
	case schemas.Float32:
		return cmp.Compare(v.Float32[i], v.Float32[j])
	case schemas.Float64:
		return cmp.Compare(v.Float64[i], v.Float64[j])
	}
	return cmp.Compare(string(c.text(i)), string(c.text(j)))
}

// bound returns cell i as the footer writes bounds. A zero means both zeros.
func (c cells) bound(i int, least bool) []byte {
	switch v := c.v; {
	case v.Column.Type == schemas.String:
		return append([]byte{}, c.text(i)...)
	case v.Column.Type == schemas.Float32 && v.Float32[i] == 0 && least:
		return binary.LittleEndian.AppendUint32(nil, 1<<31)
	case v.Column.Type == schemas.Float32 && v.Float32[i] == 0:
		return make([]byte, 4)
	case v.Column.Type == schemas.Float64 && v.Float64[i] == 0 && least:
		return binary.LittleEndian.AppendUint64(nil, 1<<63)
	case v.Column.Type == schemas.Float64 && v.Float64[i] == 0:
		return make([]byte, 8)
	}
	return c.appendCell(nil, i)
}
