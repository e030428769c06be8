package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sync"

	"kifu/internal/fresh"
	"kifu/schemas"
)

// PartWriter writes one part, or a table beside the parts, under a temporary name.
type PartWriter struct {
	b      *Builder
	index  int // of the part; -1 for a table beside them
	name   string
	table  schemas.Table
	file   *os.File
	hash   hash.Hash
	size   int64
	leaves []leaf
	footer *footer
	rows   int64

	mu   sync.Mutex
	free [][]byte // of row groups that are in the file
}

// RowGroup is an encoded row group that waits for its turn in the file.
type RowGroup struct {
	data   []byte
	chunks []chunk
	rows   int64
}

// Rows returns the number of rows in g.
func (g *RowGroup) Rows() int64 { return g.rows }

// Beside starts a Parquet file of another table beside the parts, which the manifest
// lists among the files. After an interruption it is to be written anew.
func (b *Builder) Beside(name string, t schemas.Table) (*PartWriter, error) {
	if b.shard.Count > 0 {
		return nil, errWhole
	}
	return newPartWriter(b, -1, name, t)
}

func newPartWriter(b *Builder, index int, name string, t schemas.Table) (*PartWriter, error) {
	schema := parquetSchema(t)
	footer, err := newFooter(t, schema)
	if err != nil {
		return nil, err
	}
	f, err := fresh.Create(attempt(filepath.Join(b.tmp, name)))
	if err != nil {
		return nil, err
	}
	w := &PartWriter{b: b, index: index, name: name, table: t, file: f, hash: sha256.New(), leaves: leavesOf(t, schema), footer: footer}
	if err := w.write([]byte(magic)); err != nil {
		w.Abort()
		return nil, err
	}
	return w, nil
}

func (w *PartWriter) write(p []byte) error {
	n, err := w.file.Write(p)
	w.hash.Write(p[:n])
	w.size += int64(n)
	return err
}

// Encode encodes b into a row group of table t that is for another process: see RowGroup.Carry.
func Encode(t schemas.Table, b *Batch) (*RowGroup, error) {
	return (&PartWriter{table: t, leaves: leavesOf(t, parquetSchema(t))}).Encode(b)
}

// Encode encodes and compresses b into a row group in memory. Any number of
// goroutines may call it at once. b must have all columns of the table, and
// may be reused when Encode has returned.
func (w *PartWriter) Encode(b *Batch) (*RowGroup, error) {
	if len(b.Cols) != len(w.table.Columns) {
		return nil, fmt.Errorf("a batch of %d columns for a table of %d", len(b.Cols), len(w.table.Columns))
	}
	for i := range b.Cols {
		v := &b.Cols[i]
		if n := v.Len(); n != b.Rows || v.Column.Nullable && len(v.Valid) != b.Rows {
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
func (w *PartWriter) buffer() []byte {
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

// Append puts g after the row groups that are already in the part. One goroutine at
// a time.
func (w *PartWriter) Append(g *RowGroup) error {
	if g.rows == 0 {
		return nil
	}
	if len(w.footer.groups) == math.MaxInt16 {
		return fmt.Errorf("%s: more than %d row groups", w.file.Name(), math.MaxInt16)
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

// Close finishes the part: it is on disk under its name when Close returns, with the
// counts and state that Builder.Done gives back after an interruption. A table beside
// the parts has neither.
func (w *PartWriter) Close(c Counts, state any) error {
	footer, err := w.footer.append(nil, w.size)
	if err == nil {
		err = w.write(footer)
	}
	if err == nil && w.b.upload == nil { // what is uploaded need not outlive the machine
		err = w.file.Sync()
	}
	if cerr := w.file.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("%s: %w", w.file.Name(), err)
	}
	info := PartInfo{
		File:   File{w.name, w.size, hex.EncodeToString(w.hash.Sum(nil)), footerOf(footer)},
		Rows:   w.rows,
		Counts: c,
	}
	if state != nil {
		if info.State, err = json.Marshal(state); err != nil {
			return err
		}
	}
	if w.b.upload != nil {
		return w.send(info)
	}
	if err := w.commit(info); err != nil {
		return err
	}
	if w.index < 0 {
		w.b.addFile(info.File)
		return nil
	}
	text, err := formatJSON(info)
	if err != nil {
		return err
	}
	if err := commit(sidecar(filepath.Join(w.b.tmp, info.Name)), text); err != nil {
		return err
	}
	w.b.put(w.index, info)
	return nil
}

// commit gives the file its name. Another worker may have made the same part meanwhile:
// then this one is dropped, if it is equal.
func (w *PartWriter) commit(info PartInfo) error {
	defer os.Remove(w.file.Name())
	err := publish(w.file.Name(), filepath.Join(w.b.tmp, info.Name))
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if info.check(w.b.tmp) != nil {
		return fmt.Errorf("%s: made twice, with unequal bytes: here with checksum %.12s (are there two builds of kifu? begin anew)", filepath.Join(w.b.tmp, info.Name), info.SHA256)
	}
	return nil
}

// addFile puts a file on the manifest's list.
func (b *Builder) addFile(f File) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.m.Files = append(b.m.Files, f)
}

// Abort drops an unfinished part.
func (w *PartWriter) Abort() {
	w.file.Close()
	os.Remove(w.file.Name())
}
