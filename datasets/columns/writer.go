package columns

import (
	"fmt"
	"io"
	"math"
	"sync"

	"kifu/schemas"
)

// Writer writes a Parquet file of a table.
type Writer struct {
	table  schemas.Table
	leaves []leaf
	footer *footer
	out    io.Writer
	size   int64
	rows   int64

	mu   sync.Mutex
	free [][]byte // of row groups that are in the file
}

// NewWriter begins a file of t in out; by is the program that writes it.
func NewWriter(t schemas.Table, by string, out io.Writer) (*Writer, error) {
	schema := Schema(t)
	footer, err := newFooter(t, schema, by)
	if err != nil {
		return nil, err
	}
	w := &Writer{table: t, leaves: leavesOf(t, schema), footer: footer, out: out}
	return w, w.write([]byte(Magic))
}

// RowGroup is an encoded row group that waits for its turn in the file.
type RowGroup struct {
	data   []byte
	chunks []chunk
	rows   int64
}

// Rows returns the number of rows in g.
func (g *RowGroup) Rows() int64 { return g.rows }

func (w *Writer) write(p []byte) error {
	n, err := w.out.Write(p)
	w.size += int64(n)
	return err
}

// Size returns the number of bytes that are in the file.
func (w *Writer) Size() int64 { return w.size }

// Rows returns the number of rows that are in the file.
func (w *Writer) Rows() int64 { return w.rows }

// Encode encodes b into a row group of table t that is for another process: see RowGroup.Carry.
func Encode(t schemas.Table, b *Batch) (*RowGroup, error) {
	return (&Writer{table: t, leaves: leavesOf(t, Schema(t))}).Encode(b)
}

// Encode encodes and compresses b into a row group in memory. Any number of goroutines may call it at once. b
// must have all columns of the table, and may be reused after Encode returns; the Stored parts of its Vecs
// are used up.
func (w *Writer) Encode(b *Batch) (*RowGroup, error) {
	if len(b.Cols) != len(w.table.Columns) {
		return nil, fmt.Errorf("a batch of %d columns for a table of %d", len(b.Cols), len(w.table.Columns))
	}
	for i := range b.Cols {
		v := &b.Cols[i]
		n, nulls := v.Len(), len(v.Valid)
		if v.Stored != nil {
			n, nulls = v.Stored.rows, v.Stored.rows
		}
		if n != b.Rows || v.Column.Nullable && nulls != b.Rows {
			return nil, fmt.Errorf("column %s has %d of %d rows", v.Column.Name, n, b.Rows)
		}
	}
	g := &RowGroup{rows: int64(b.Rows), chunks: make([]chunk, len(w.leaves))}
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	e.out = w.buffer()
	for i := range w.leaves {
		l := &w.leaves[i]
		var err error
		if g.chunks[i], err = e.column(l, &b.Cols[l.column], b.Rows); err != nil {
			return nil, fmt.Errorf("column %s: %w", b.Cols[l.column].Column.Name, err)
		}
	}
	g.data, e.out = e.out, nil
	return g, nil
}

// buffer returns the memory of a row group that is in the file, if there is one.
func (w *Writer) buffer() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := len(w.free)
	if n == 0 {
		return nil
	}
	buf := w.free[n-1]
	w.free = w.free[:n-1]
	return buf[:0]
}

// Append puts g after the row groups that are already in the file. One goroutine at
// a time.
func (w *Writer) Append(g *RowGroup) error {
	if g.rows == 0 {
		return nil
	}
	if len(w.footer.groups) == math.MaxInt16 {
		return fmt.Errorf("more than %d row groups", math.MaxInt16)
	}
	at := w.size
	if err := w.write(g.data); err != nil {
		return err
	}
	w.footer.add(at, g.rows, g.chunks)
	w.rows += g.rows
	w.mu.Lock()
	defer w.mu.Unlock()
	w.free = append(w.free, g.data)
	return nil
}

// Finish writes what follows the row groups, and returns it.
func (w *Writer) Finish() (footer []byte, err error) {
	if footer, err = w.footer.append(nil, w.size); err == nil {
		err = w.write(footer)
	}
	return footer, err
}
