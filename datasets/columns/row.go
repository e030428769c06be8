package columns

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"kifu/schemas"
)

// errRow is the error of ReadRow.
var errRow = errors.New("the scratch file is damaged")

// AppendRow appends row i of b as bytes, for scratch files: the columns one after the other, each
// preceded by a byte that is 0 for a null. ReadRow is the inverse.
func (b *Batch) AppendRow(dst []byte, i int) ([]byte, error) {
	for c := range b.Cols {
		v := &b.Cols[c]
		if v.IsNull(i) {
			dst = append(dst, 0)
			continue
		}
		dst = append(dst, 1)
		switch v.Column.Type {
		case schemas.Bool:
			n := byte(0)
			if v.Bool[i] {
				n = 1
			}
			dst = append(dst, n)
		case schemas.Int16, schemas.Int32:
			dst = binary.AppendVarint(dst, int64(v.Int32[i]))
		case schemas.Int64:
			dst = binary.AppendVarint(dst, v.Int64[i])
		case schemas.Uint64:
			dst = binary.LittleEndian.AppendUint64(dst, v.Uint64[i])
		case schemas.Float32:
			dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(v.Float32[i]))
		case schemas.Float64:
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v.Float64[i]))
		case schemas.FixedBytes:
			dst = append(dst, v.Value(i)...)
		case schemas.String, schemas.Bytes:
			dst = appendCounted(dst, v.Value(i))
		case schemas.Int32List:
			from, to := v.List(i)
			dst = binary.AppendUvarint(dst, uint64(to-from))
			for k := from; k < to; k++ {
				if !v.ItemOK[k] {
					dst = append(dst, 0)
					continue
				}
				dst = binary.AppendVarint(append(dst, 1), int64(v.Int32[k]))
			}
		case schemas.StringMap:
			from, to := v.List(i)
			dst = binary.AppendUvarint(dst, uint64(to-from))
			for k := from; k < to; k++ {
				dst = appendCounted(dst, v.Text(k))
			}
		default:
			return nil, fmt.Errorf("column %s: %s cannot be spilled", v.Column.Name, v.Column.Type)
		}
	}
	return dst, nil
}

func appendCounted(dst, text []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}

// rowDecoder reads the bytes of AppendRow. After an error all reads return zeros.
type rowDecoder struct {
	data []byte
	err  error
}

func (d *rowDecoder) present() bool {
	if len(d.data) == 0 {
		d.err = errRow
		return false
	}
	b := d.data[0]
	d.data = d.data[1:]
	return b != 0
}

func (d *rowDecoder) varint() int64 {
	x, n := binary.Varint(d.data)
	d.skip(n)
	return x
}

func (d *rowDecoder) length() int {
	x, n := binary.Uvarint(d.data)
	d.skip(n)
	return int(x)
}

func (d *rowDecoder) skip(n int) {
	if n <= 0 {
		d.data, d.err = nil, errRow
		return
	}
	d.data = d.data[n:]
}

// fixed returns the next n bytes.
func (d *rowDecoder) fixed(n int) []byte {
	if n > len(d.data) {
		d.data, d.err = nil, errRow
		return make([]byte, n)
	}
	b := d.data[:n]
	d.data = d.data[n:]
	return b
}

func (d *rowDecoder) text() []byte {
	n := d.length()
	if n > len(d.data) {
		d.data, d.err = nil, errRow
		return nil
	}
	text := d.data[:n]
	d.data = d.data[n:]
	return text
}

// ReadRow appends a row of AppendRow to b, which has the columns of the batch that it comes from.
func (b *Batch) ReadRow(row []byte) error {
	d := rowDecoder{data: row}
	for c := range b.Cols {
		v := &b.Cols[c]
		if !d.present() {
			v.AppendNull()
			continue
		}
		switch v.Column.Type {
		case schemas.Bool:
			v.AppendBool(d.present())
		case schemas.Int16, schemas.Int32:
			v.AppendInt32(int32(d.varint()))
		case schemas.Int64:
			v.AppendInt64(d.varint())
		case schemas.Uint64:
			v.AppendUint64(binary.LittleEndian.Uint64(d.fixed(8)))
		case schemas.Float32:
			v.AppendFloat32(math.Float32frombits(binary.LittleEndian.Uint32(d.fixed(4))))
		case schemas.Float64:
			v.AppendFloat64(math.Float64frombits(binary.LittleEndian.Uint64(d.fixed(8))))
		case schemas.FixedBytes:
			v.AppendBytes(d.fixed(v.Column.Size))
		case schemas.String, schemas.Bytes:
			v.AppendBytes(d.text())
		case schemas.Int32List:
			for n := d.length(); n > 0 && d.err == nil; n-- {
				if d.present() {
					v.AppendItem(int32(d.varint()), true)
				} else {
					v.AppendItem(0, false)
				}
			}
			v.EndList()
		case schemas.StringMap:
			for n := d.length(); n > 0 && d.err == nil; n -= 2 {
				key := d.text()
				v.AppendPair(key, d.text())
			}
			v.EndMap()
		}
	}
	b.Rows++
	return d.err
}
