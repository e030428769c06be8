package columns

import (
	"bytes"
	"fmt"
	"math"
	"unicode/utf8"

	"kifu/schemas"
)

const (
	// MostRows and mostBytes bound a row group: a few bytes of Parquet can mean any number
	// of equal values.
	MostRows  = 1 << 24
	mostBytes = 1 << 30 // of the texts of a column
)

// Fault is a value outside the domain of its column.
type Fault struct {
	Row    int // in the batch
	Column string
	What   string
}

// Outside returns the first value of each column that is outside its domain, of the first such
// column; nil if all are within.
func (b *Batch) Outside() *Fault {
	for i := range b.Cols {
		if f := b.Cols[i].outside(b); f != nil {
			f.Column = b.Cols[i].Column.Name
			return f
		}
	}
	return nil
}

// outside returns the first fault of a column, or nil.
func (v *Vec) outside(b *Batch) *Fault {
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
			return &Fault{What: fmt.Sprintf("values of other than %d bytes", v.Column.Size)}
		}
	}
	return nil
}

// beyond finds a number below low or above high, or NaN, among those marked by ok.
func beyond[T int32 | int64 | float32 | float64](v *Vec, x []T, low, high float64, ok []bool) *Fault {
	least, greatest := T(low), T(high)
	for i, n := range x {
		if n >= least && n <= greatest || len(ok) > 0 && !ok[i] {
			continue
		}
		return &Fault{Row: v.rowOf(i), What: fmt.Sprintf("%v is not %s", n, between(low, high))}
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

// miscounted finds a row whose list or bytes do not fit the column that counts them: one list element, or
// size bytes, for each. b may lack that column.
func (v *Vec) miscounted(b *Batch, ends []int32, size int32) *Fault {
	count := b.Col(v.Column.Domain.Count)
	begun := int32(0)
	for i, end := range ends {
		n := end - begun
		begun = end
		if v.IsNull(i) {
			continue
		}
		if n%size != 0 {
			return &Fault{Row: i, What: fmt.Sprintf("%d bytes, which is not a multiple of %d", n, size)}
		}
		if count != nil && n/size != count.Int32[i] {
			return &Fault{Row: i, What: fmt.Sprintf("%d values, and %s is %d", n/size, count.Column.Name, count.Int32[i])}
		}
	}
	return nil
}

// badText finds a text that is too long, or not UTF-8. ends is where the rows of a map end.
func (v *Vec) badText(ends []int32) *Fault {
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
func (v *Vec) textFault(i int, ends []int32) *Fault {
	row := i
	for k, end := range ends {
		if i < int(end) {
			row = k
			break
		}
	}
	if text := v.Text(i); len(text) <= schemas.MaxText {
		return &Fault{Row: row, What: fmt.Sprintf("%.40q is not UTF-8", text)}
	}
	return &Fault{Row: row, What: fmt.Sprintf("a text of more than %d MB", schemas.MaxText>>20)}
}

// unknownWord finds a text that is none of the words of its domain.
func (v *Vec) unknownWord() *Fault {
	var last []byte
	for i := range v.Ends {
		if text := v.Value(i); !v.IsNull(i) && (last == nil || !bytes.Equal(text, last)) {
			if !v.Column.Domain.Allows(text) {
				return &Fault{Row: i, What: fmt.Sprintf("%.40q is none of %s", text, v.Column.Domain.Words)}
			}
			last = text
		}
	}
	return nil
}
