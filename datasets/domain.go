package datasets

import (
	"bytes"
	"fmt"
	"math"
	"unicode/utf8"

	"kifu/schemas"
)

const (
	// mostRows and mostBytes bound a row group: a few bytes of Parquet can stand for any number
	// of equal values.
	mostRows  = 1 << 24
	mostBytes = 1 << 30 // of the texts of a column
)

// fault is a value outside the domain of its column.
type fault struct {
	row  int // in the batch
	what string
}

// within returns an error for the first row of b that has a value outside the domain of its
// column. first is the number of the batch's first row in the part.
func (p *Part) within(b *Batch, first int64) error {
	for i := range b.Cols {
		v := &b.Cols[i]
		if f := v.outside(b); f != nil {
			return fmt.Errorf("%s: row %d, column %s: %s: no kifu writes such a value: make the dataset again from its inputs",
				p.path, first+int64(f.row)+1, v.Column.Name, f.what)
		}
	}
	return nil
}

// outside returns the first fault of a column, nil if there is none.
func (v *Vec) outside(b *Batch) *fault {
	low, high := v.Column.Bounds()
	d := v.Column.Domain
	switch v.Column.Type {
	case schemas.Int16, schemas.Int32:
		return beyond(v, v.Int32, low, high, v.Valid)
	case schemas.Int64:
		if d == (schemas.Domain{}) {
			return nil
		}
		return beyond(v, v.Int64, low, high, v.Valid)
	case schemas.Float32:
		return beyond(v, v.Float32, low, high, v.Valid)
	case schemas.Float64:
		return beyond(v, v.Float64, low, high, v.Valid)
	case schemas.Int32List:
		f := beyond(v, v.Int32, low, high, v.ItemOK)
		if f == nil && d.Count != "" {
			return v.miscounted(b, v.ListEnds, 1)
		}
		return f
	case schemas.StringMap:
		return v.badText(v.ListEnds)
	case schemas.String:
		if f := v.badText(nil); f != nil || d.Words == "" {
			return f
		}
		return v.unknownWord()
	case schemas.Bytes:
		if d.Count != "" {
			return v.miscounted(b, v.Ends, 2)
		}
	case schemas.FixedBytes:
		if v.Column.Size > 0 && len(v.Ends) > 0 && len(v.Bytes)%v.Column.Size != 0 {
			return &fault{what: fmt.Sprintf("values of other than %d bytes", v.Column.Size)}
		}
	}
	return nil
}

// beyond finds a number below low or above high, or NaN, among those that ok says are there.
func beyond[T int32 | int64 | float32 | float64](v *Vec, x []T, low, high float64, ok []bool) *fault {
	least, greatest := T(low), T(high)
	for i, n := range x {
		if n >= least && n <= greatest || len(ok) > 0 && !ok[i] {
			continue
		}
		return &fault{v.rowOf(i), fmt.Sprintf("%v is not %s", n, between(low, high))}
	}
	return nil
}

// between describes a range of numbers.
func between(low, high float64) string {
	if high == math.MaxFloat64 || high == math.MaxFloat32 {
		if low < 0 {
			return "a finite number"
		}
		return fmt.Sprintf("a number from %.0f", low)
	}
	return fmt.Sprintf("from %.0f to %.0f", low, high)
}

// rowOf returns the row that has element i of a list, or value i of another column.
func (v *Vec) rowOf(i int) int {
	if v.Column.Type == schemas.Int32List {
		for row, end := range v.ListEnds {
			if i < int(end) {
				return row
			}
		}
	}
	return i
}

// miscounted finds a row whose list has another number of elements than the column that counts
// them, or whose bytes are not size for each. b may lack that column.
func (v *Vec) miscounted(b *Batch, ends []int32, size int32) *fault {
	count := b.Col(v.Column.Domain.Count)
	begun := int32(0)
	for i, end := range ends {
		n := end - begun
		begun = end
		if v.IsNull(i) {
			continue
		}
		if n%size != 0 {
			return &fault{i, fmt.Sprintf("%d bytes, which is not a multiple of %d", n, size)}
		}
		if count != nil && n/size != count.Int32[i] {
			return &fault{i, fmt.Sprintf("%d values, and %s is %d", n/size, count.Column.Name, count.Int32[i])}
		}
	}
	return nil
}

// badText finds a text that is too long, or not UTF-8. ends is where the rows of a map end.
func (v *Vec) badText(ends []int32) *fault {
	valid := utf8.Valid(v.Bytes)
	begun := int32(0)
	for i, end := range v.Ends {
		// Texts that are valid together can still share a letter.
		whole := int(end) == len(v.Bytes) || utf8.RuneStart(v.Bytes[end])
		if end-begun > schemas.MaxText || !valid && !utf8.Valid(v.Bytes[begun:end]) || !whole {
			return v.textFault(i, ends)
		}
		begun = end
	}
	return nil
}

// textFault describes text i.
func (v *Vec) textFault(i int, ends []int32) *fault {
	row := i
	for k, end := range ends {
		if i < int(end) {
			row = k
			break
		}
	}
	if text := v.Text(i); len(text) <= schemas.MaxText {
		return &fault{row, fmt.Sprintf("%.40q is not UTF-8", text)}
	}
	return &fault{row, fmt.Sprintf("a text of more than %d MB", schemas.MaxText>>20)}
}

// unknownWord finds a text that is none of the words of its domain.
func (v *Vec) unknownWord() *fault {
	var last []byte
	for i := range v.Ends {
		if text := v.Value(i); !v.IsNull(i) && (last == nil || !bytes.Equal(text, last)) {
			if !v.Column.Domain.Allows(text) {
				return &fault{i, fmt.Sprintf("%.40q is none of %s", text, v.Column.Domain.Words)}
			}
			last = text
		}
	}
	return nil
}
