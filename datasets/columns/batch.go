// Package columns has the rows of a table as columns in memory, and turns them into Parquet and back.
//
// In: batches of a table's rows. Out: the bytes of a Parquet file, row group by row group; or batches again,
// whose values are within the domains of their columns. It depends on no dataset, no directory and no stage.
package columns

import (
	"math"

	"kifu/schemas"
)

// Batch is a block of rows of one table, column by column. Stages fill it, and it is
// read; its memory is reused by Reset.
type Batch struct {
	Table schemas.Table // the columns that the batch has, in their order
	Rows  int
	Cols  []Vec

	OnFlush func() error     // what Flush does, if anything
	OnSeen  func(rows int64) // what Seen does, if anything
}

// Flush writes the rows so far as a row group and empties b, if b is the output of Map.
// A function that makes many rows from few calls it at points that depend only on the
// rows. Otherwise it does nothing.
func (b *Batch) Flush() error {
	if b.OnFlush == nil || b.Rows == 0 {
		return nil
	}
	return b.OnFlush()
}

// Seen reports to the progress bar of Map that n more rows of b, its input, are done: a
// row group can take long. Rows not reported count when the function returns. Otherwise
// it does nothing.
func (b *Batch) Seen(rows int) {
	if b.OnSeen != nil {
		b.OnSeen(int64(rows))
	}
}

// Vec is one column of a batch. Which slices are used depends on the column's type;
// a null keeps its place in them with a zero value.
type Vec struct {
	Column schemas.Column

	Bool    []bool
	Int32   []int32 // Int16, Int32; the elements of Int32List
	Int64   []int64
	Uint64  []uint64
	Float32 []float32
	Float64 []float64
	Bytes   []byte  // String, Bytes, FixedBytes: the values end to end; StringMap: keys and values in turn
	Ends    []int32 // where value i ends in Bytes; for StringMap, where text i ends

	ListEnds []int32 // Int32List: where row i ends in Int32; StringMap: in Ends, so an even number
	ItemOK   []bool  // Int32List: element is not null

	Valid []bool // of a nullable column: row is not null

	// Stored is what Encode writes instead of the values, which may be missing; nil: nothing.
	Stored *Stored
}

// NewBatch returns an empty batch of t, or of the named columns of t in t's order.
// Names that t lacks are skipped: Col reports them.
func NewBatch(t schemas.Table, columns ...string) *Batch {
	b := &Batch{Table: schemas.Table{Name: t.Name, Version: t.Version}}
	wanted := map[string]bool{}
	for _, name := range columns {
		wanted[name] = true
	}
	for _, c := range t.Columns {
		if len(columns) == 0 || wanted[c.Name] {
			b.Table.Columns = append(b.Table.Columns, c)
			b.Cols = append(b.Cols, Vec{Column: c})
		}
	}
	return b
}

// Reset empties b and keeps its memory.
func (b *Batch) Reset() {
	b.Rows = 0
	for i := range b.Cols {
		b.Cols[i].reset()
	}
}

// Col returns the named column, nil when b lacks it.
func (b *Batch) Col(name string) *Vec {
	if i := b.Table.Index(name); i >= 0 {
		return &b.Cols[i]
	}
	return nil
}

func (v *Vec) reset() {
	v.Bool, v.Int32, v.Int64, v.Uint64 = v.Bool[:0], v.Int32[:0], v.Int64[:0], v.Uint64[:0]
	v.Float32, v.Float64 = v.Float32[:0], v.Float64[:0]
	v.Bytes, v.Ends, v.ListEnds = v.Bytes[:0], v.Ends[:0], v.ListEnds[:0]
	v.ItemOK, v.Valid = v.ItemOK[:0], v.Valid[:0]
	v.Stored = nil
}

// Len returns the number of rows in v.
func (v *Vec) Len() int {
	switch v.Column.Type {
	case schemas.Bool:
		return len(v.Bool)
	case schemas.Int16, schemas.Int32:
		return len(v.Int32)
	case schemas.Int64:
		return len(v.Int64)
	case schemas.Uint64:
		return len(v.Uint64)
	case schemas.Float32:
		return len(v.Float32)
	case schemas.Float64:
		return len(v.Float64)
	case schemas.Int32List, schemas.StringMap:
		return len(v.ListEnds)
	}
	return len(v.Ends)
}

func (v *Vec) ok() {
	if v.Column.Nullable {
		v.Valid = append(v.Valid, true)
	}
}

// AppendBool appends to a Bool column.
func (v *Vec) AppendBool(x bool) { v.Bool = append(v.Bool, x); v.ok() }

// AppendInt32 appends to an Int16 or Int32 column.
func (v *Vec) AppendInt32(x int32) { v.Int32 = append(v.Int32, x); v.ok() }

// AppendInt64 appends to an Int64 column.
func (v *Vec) AppendInt64(x int64) { v.Int64 = append(v.Int64, x); v.ok() }

// AppendUint64 appends to a Uint64 column.
func (v *Vec) AppendUint64(x uint64) { v.Uint64 = append(v.Uint64, x); v.ok() }

// AppendFloat32 appends to a Float32 column.
func (v *Vec) AppendFloat32(x float32) { v.Float32 = append(v.Float32, x); v.ok() }

// AppendFloat64 appends to a Float64 column.
func (v *Vec) AppendFloat64(x float64) { v.Float64 = append(v.Float64, x); v.ok() }

// AppendBytes appends to a String, Bytes or FixedBytes column.
func (v *Vec) AppendBytes(x []byte) {
	v.Bytes = append(v.Bytes, x...)
	v.Ends = append(v.Ends, int32(len(v.Bytes)))
	v.ok()
}

// AppendString appends to a String, Bytes or FixedBytes column.
func (v *Vec) AppendString(x string) {
	v.Bytes = append(v.Bytes, x...)
	v.Ends = append(v.Ends, int32(len(v.Bytes)))
	v.ok()
}

// AppendText appends to a nullable String or Bytes column, null if x is empty.
func (v *Vec) AppendText(x []byte) {
	if len(x) == 0 {
		v.AppendNull()
	} else {
		v.AppendBytes(x)
	}
}

// AppendInt32If appends to a nullable Int16 or Int32 column, null unless known.
func (v *Vec) AppendInt32If(x int32, known bool) { appendIf(v, &v.Int32, x, known) }

// AppendInt64If appends to a nullable Int64 column, null unless known.
func (v *Vec) AppendInt64If(x int64, known bool) { appendIf(v, &v.Int64, x, known) }

// AppendFloat32If appends to a nullable Float32 column, null unless known.
func (v *Vec) AppendFloat32If(x float32, known bool) { appendIf(v, &v.Float32, x, known) }

// AppendFloat64If appends to a nullable Float64 column, null unless known.
func (v *Vec) AppendFloat64If(x float64, known bool) { appendIf(v, &v.Float64, x, known) }

func appendIf[T any](v *Vec, to *[]T, x T, known bool) {
	if !known {
		v.AppendNull()
		return
	}
	*to = append(*to, x)
	v.ok()
}

// AppendItem adds an element to the row that EndList closes.
func (v *Vec) AppendItem(x int32, ok bool) {
	v.Int32 = append(v.Int32, x)
	v.ItemOK = append(v.ItemOK, ok)
}

// EndList closes a row of an Int32List column.
func (v *Vec) EndList() { v.ListEnds = append(v.ListEnds, int32(len(v.Int32))); v.ok() }

// AppendPair adds a key and its value to the row that EndMap closes.
func (v *Vec) AppendPair(key, value []byte) {
	v.Bytes = append(v.Bytes, key...)
	v.Ends = append(v.Ends, int32(len(v.Bytes)))
	v.Bytes = append(v.Bytes, value...)
	v.Ends = append(v.Ends, int32(len(v.Bytes)))
}

// EndMap closes a row of a StringMap column.
func (v *Vec) EndMap() { v.ListEnds = append(v.ListEnds, int32(len(v.Ends))); v.ok() }

// AppendNull appends a null to a nullable column of any type.
func (v *Vec) AppendNull() { v.AppendNulls(1) }

// AppendNulls appends n nulls to a nullable column of any type.
func (v *Vec) AppendNulls(n int) {
	switch v.Column.Type {
	case schemas.Bool:
		v.Bool = append(v.Bool, make([]bool, n)...)
	case schemas.Int16, schemas.Int32:
		v.Int32 = append(v.Int32, make([]int32, n)...)
	case schemas.Int64:
		v.Int64 = append(v.Int64, make([]int64, n)...)
	case schemas.Uint64:
		v.Uint64 = append(v.Uint64, make([]uint64, n)...)
	case schemas.Float32:
		v.Float32 = append(v.Float32, make([]float32, n)...)
	case schemas.Float64:
		v.Float64 = append(v.Float64, make([]float64, n)...)
	case schemas.Int32List:
		v.ListEnds = appendTimes(v.ListEnds, int32(len(v.Int32)), n)
	case schemas.StringMap:
		v.ListEnds = appendTimes(v.ListEnds, int32(len(v.Ends)), n)
	default:
		v.Ends = appendTimes(v.Ends, int32(len(v.Bytes)), n)
	}
	v.Valid = append(v.Valid, make([]bool, n)...)
}

// appendTimes appends x n times.
func appendTimes(dst []int32, x int32, n int) []int32 {
	for range n {
		dst = append(dst, x)
	}
	return dst
}

// IsNull reports whether row i is null.
func (v *Vec) IsNull(i int) bool { return v.Column.Nullable && !v.Valid[i] }

// Value returns the bytes of row i of a String, Bytes or FixedBytes column. They
// belong to v.
func (v *Vec) Value(i int) []byte { return v.Bytes[start(v.Ends, i):v.Ends[i]] }

// Number returns row i of a column of numbers or truth values, NaN for null.
func (v *Vec) Number(i int) float64 {
	if v.IsNull(i) {
		return math.NaN()
	}
	switch v.Column.Type {
	case schemas.Bool:
		if v.Bool[i] {
			return 1
		}
		return 0
	case schemas.Int16, schemas.Int32:
		return float64(v.Int32[i])
	case schemas.Int64:
		return float64(v.Int64[i])
	case schemas.Float32:
		return float64(v.Float32[i])
	}
	return v.Float64[i]
}

// Bits returns row i, not null, of a column of integers or of 64-bit numbers: equal numbers have equal bits, but for 0 and -0.
func (v *Vec) Bits(i int) uint64 {
	switch v.Column.Type {
	case schemas.Int16, schemas.Int32:
		return uint64(v.Int32[i])
	case schemas.Int64:
		return uint64(v.Int64[i])
	}
	return math.Float64bits(v.Float64[i])
}

// List returns where row i of an Int32List begins and ends in Int32 and ItemOK, or of
// a StringMap in Ends.
func (v *Vec) List(i int) (from, to int) { return int(start(v.ListEnds, i)), int(v.ListEnds[i]) }

// Item returns number k of row i of an Int32List; it is not known before the list's start, after its end, or where it is null.
func (v *Vec) Item(i, k int) (x int32, known bool) {
	if v.IsNull(i) || k < 0 {
		return 0, false
	}
	from, to := v.List(i)
	if k += from; k >= to || !v.ItemOK[k] {
		return 0, false
	}
	return v.Int32[k], true
}

// Text returns text j of a StringMap: the key of a pair at even j, its value after it.
func (v *Vec) Text(j int) []byte { return v.Bytes[start(v.Ends, j):v.Ends[j]] }

func start(ends []int32, i int) int32 {
	if i == 0 {
		return 0
	}
	return ends[i-1]
}

// AppendFrom appends row i of w, a column of the same type.
func (v *Vec) AppendFrom(w *Vec, i int) {
	if w.IsNull(i) {
		v.AppendNull()
		return
	}
	switch v.Column.Type {
	case schemas.Bool:
		v.AppendBool(w.Bool[i])
	case schemas.Int16, schemas.Int32:
		v.AppendInt32(w.Int32[i])
	case schemas.Int64:
		v.AppendInt64(w.Int64[i])
	case schemas.Uint64:
		v.AppendUint64(w.Uint64[i])
	case schemas.Float32:
		v.AppendFloat32(w.Float32[i])
	case schemas.Float64:
		v.AppendFloat64(w.Float64[i])
	case schemas.Int32List:
		for j, to := w.List(i); j < to; j++ {
			v.AppendItem(w.Int32[j], w.ItemOK[j])
		}
		v.EndList()
	case schemas.StringMap:
		for j, to := w.List(i); j < to; j += 2 {
			v.AppendPair(w.Text(j), w.Text(j+1))
		}
		v.EndMap()
	default:
		v.AppendBytes(w.Value(i))
	}
}
