package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/parquet-go/parquet-go"

	"kifu/schemas"
)

// PartWriter writes one part under a temporary name.
type PartWriter struct {
	b     *Builder
	index int
	file  *os.File
	hash  hash.Hash
	size  int64
	pw    *parquet.GenericWriter[any]
	rows  int64

	mu   sync.Mutex
	free []*parquet.ConcurrentRowGroupWriter // with a page buffer a column, too large to make anew
}

// RowGroup is an encoded row group that waits for its turn in the file.
type RowGroup struct {
	rg   *parquet.ConcurrentRowGroupWriter
	rows int64
}

func newPartWriter(b *Builder, index int) (*PartWriter, error) {
	f, err := os.Create(filepath.Join(b.tmp, partName(index)+".tmp"))
	if err != nil {
		return nil, err
	}
	w := &PartWriter{b: b, index: index, file: f, hash: sha256.New()}
	w.pw = parquet.NewGenericWriter[any](w, append(writerOptions(b.table), parquetSchema(b.table),
		parquet.KeyValueMetadata("kifu.schema", b.table.ID()),
		parquet.CreatedBy("kifu", Version, ""),
		parquet.PageBufferSize(1<<18),
		// The page index holds the bounds of pages; the pages need not repeat them.
		parquet.DataPageStatistics(false))...)
	return w, nil
}

// Write is for the Parquet writer alone.
func (w *PartWriter) Write(p []byte) (int, error) {
	n, err := w.file.Write(p)
	w.hash.Write(p[:n])
	w.size += int64(n)
	return n, err
}

// Encode encodes and compresses b into a row group in memory. Any number of
// goroutines may call it at once. b must have all columns of the builder's table, and
// may be reused when Encode has returned.
func (w *PartWriter) Encode(b *Batch) (*RowGroup, error) {
	if len(b.Cols) != len(w.b.table.Columns) {
		return nil, fmt.Errorf("a batch of %d columns for a table of %d", len(b.Cols), len(w.b.table.Columns))
	}
	rg := w.rowGroup()
	columns := rg.ColumnWriters()
	buf := make([]parquet.Value, 0, chunkValues)
	at := 0
	for i := range b.Cols {
		v := &b.Cols[i]
		if n := v.Len(); n != b.Rows || v.Column.Nullable && len(v.Valid) != b.Rows {
			return nil, fmt.Errorf("column %s has %d of %d rows", v.Column.Name, n, b.Rows)
		}
		var err error
		switch v.Column.Type {
		case schemas.Int32List:
			err = writeList(columns[at], at, v, b.Rows, buf)
		case schemas.StringMap:
			err = writeMap(columns[at], columns[at+1], at, v, b.Rows, buf)
		default:
			err = writeScalars(columns[at], at, v, b.Rows, buf)
		}
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", v.Column.Name, err)
		}
		at += leaves(v.Column.Type)
	}
	// Flush here, in the caller's goroutine: Commit would compress in the serial part.
	for i, c := range columns {
		if err := c.Flush(); err != nil {
			return nil, fmt.Errorf("leaf column %d: %w", i, err)
		}
	}
	return &RowGroup{rg, int64(b.Rows)}, nil
}

// rowGroup returns a row group writer, one that Append is done with if there is one.
func (w *PartWriter) rowGroup() *parquet.ConcurrentRowGroupWriter {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := len(w.free)
	if n == 0 {
		return w.pw.BeginRowGroup()
	}
	rg := w.free[n-1]
	w.free = w.free[:n-1]
	return rg
}

// Append puts g behind the row groups that are already in the part. One goroutine at
// a time.
func (w *PartWriter) Append(g *RowGroup) error {
	if g.rows == 0 {
		return nil
	}
	if _, err := g.rg.Commit(); err != nil {
		return fmt.Errorf("%s: %w", w.file.Name(), err)
	}
	w.rows += g.rows
	w.mu.Lock()
	defer w.mu.Unlock()
	w.free = append(w.free, g.rg)
	return nil
}

// Close finishes the part: it is on disk under its name when Close returns, with the
// counts and state that Builder.Done gives back after an interruption.
func (w *PartWriter) Close(c Counts, state any) error {
	err := w.pw.Close()
	if err == nil {
		err = w.file.Sync()
	}
	if cerr := w.file.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("%s: %w", w.file.Name(), err)
	}
	info := PartInfo{
		File:   File{partName(w.index), w.size, hex.EncodeToString(w.hash.Sum(nil))},
		Rows:   w.rows,
		Counts: c,
	}
	if state != nil {
		if info.State, err = json.Marshal(state); err != nil {
			return err
		}
	}
	final := filepath.Join(w.b.tmp, info.Name)
	if err := os.Rename(w.file.Name(), final); err != nil {
		return err
	}
	if err := writeJSON(sidecar(final), info); err != nil {
		return err
	}
	w.b.put(w.index, info)
	return nil
}

// Abort drops an unfinished part.
func (w *PartWriter) Abort() {
	w.file.Close()
	os.Remove(w.file.Name())
}

// chunkValues is how many values are handed over at a time: few enough to stay in the
// processor's first cache.
const chunkValues = 512

var _ io.Writer = (*PartWriter)(nil)

// writeScalars writes a column of one value a row. Levels are set for nullable
// columns only: nobody looks at those of the others.
func writeScalars(cw *parquet.ColumnWriter, column int, v *Vec, rows int, buf []parquet.Value) error {
	for from := 0; from < rows; from += chunkValues {
		to := min(from+chunkValues, rows)
		buf = v.appendValues(buf[:0], from, to)
		if v.Column.Nullable {
			for i, ok := range v.Valid[from:to] {
				if ok {
					buf[i] = buf[i].Level(0, 1, column)
				} else {
					buf[i] = parquet.NullValue().Level(0, 0, column)
				}
			}
		}
		if _, err := cw.WriteRowValues(buf); err != nil {
			return err
		}
	}
	return nil
}

// appendValues appends rows from to to of a column of one value a row.
func (v *Vec) appendValues(buf []parquet.Value, from, to int) []parquet.Value {
	switch v.Column.Type {
	case schemas.Bool:
		for _, x := range v.Bool[from:to] {
			buf = append(buf, parquet.BooleanValue(x))
		}
	case schemas.Int16, schemas.Int32:
		for _, x := range v.Int32[from:to] {
			buf = append(buf, parquet.Int32Value(x))
		}
	case schemas.Int64:
		for _, x := range v.Int64[from:to] {
			buf = append(buf, parquet.Int64Value(x))
		}
	case schemas.Uint64:
		for _, x := range v.Uint64[from:to] {
			buf = append(buf, parquet.Int64Value(int64(x)))
		}
	case schemas.Float32:
		for _, x := range v.Float32[from:to] {
			buf = append(buf, parquet.FloatValue(x))
		}
	case schemas.Float64:
		for _, x := range v.Float64[from:to] {
			buf = append(buf, parquet.DoubleValue(x))
		}
	case schemas.FixedBytes:
		for i := from; i < to; i++ {
			buf = append(buf, parquet.FixedLenByteArrayValue(v.Value(i)))
		}
	default:
		for i := from; i < to; i++ {
			buf = append(buf, parquet.ByteArrayValue(v.Value(i)))
		}
	}
	return buf
}

// writeList writes the levels of LIST: outer null, empty, element null, element.
func writeList(cw *parquet.ColumnWriter, column int, v *Vec, rows int, buf []parquet.Value) error {
	outer := 0
	if v.Column.Nullable {
		outer = 1
	}
	buf = buf[:0]
	for i := 0; i < rows; i++ {
		from, to := v.List(i)
		switch {
		case v.IsNull(i):
			buf = append(buf, parquet.NullValue().Level(0, 0, column))
		case from == to:
			buf = append(buf, parquet.NullValue().Level(0, outer, column))
		}
		for j := from; j < to; j++ {
			rep := 1
			if j == from {
				rep = 0
			}
			if v.ItemOK[j] {
				buf = append(buf, parquet.Int32Value(v.Int32[j]).Level(rep, outer+2, column))
			} else {
				buf = append(buf, parquet.NullValue().Level(rep, outer+1, column))
			}
		}
		if len(buf) >= chunkValues || i == rows-1 {
			if _, err := cw.WriteRowValues(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
	}
	return nil
}

// writeMap writes the levels of MAP: outer null, empty, pair.
func writeMap(keys, values *parquet.ColumnWriter, column int, v *Vec, rows int, buf []parquet.Value) error {
	outer := 0
	if v.Column.Nullable {
		outer = 1
	}
	for k, cw := range []*parquet.ColumnWriter{keys, values} {
		buf = buf[:0]
		for i := 0; i < rows; i++ {
			from, to := v.List(i)
			switch {
			case v.IsNull(i):
				buf = append(buf, parquet.NullValue().Level(0, 0, column+k))
			case from == to:
				buf = append(buf, parquet.NullValue().Level(0, outer, column+k))
			}
			for j := from; j < to; j += 2 {
				rep := 1
				if j == from {
					rep = 0
				}
				buf = append(buf, parquet.ByteArrayValue(v.Text(j+k)).Level(rep, outer+1, column+k))
			}
			if len(buf) >= chunkValues || i == rows-1 {
				if _, err := cw.WriteRowValues(buf); err != nil {
					return err
				}
				buf = buf[:0]
			}
		}
	}
	return nil
}
