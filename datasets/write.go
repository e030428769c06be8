package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"

	"kifu/datasets/checked"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/datasets/remote"
	"kifu/internal/checksum"
	"kifu/internal/fresh"
	"kifu/schemas"
)

// PartWriter writes one part, or a table next to the parts, under a temporary name.
type PartWriter struct {
	*columns.Writer
	b     *Builder
	index int // of the part; -1 for a table next to them
	name  string
	file  *os.File
	hash  hash.Hash
}

// AddTable starts a Parquet file of another table next to the parts, which the manifest lists among the
// files. After an interruption it must be written again.
func (b *Builder) AddTable(name string, t schemas.Table) (*PartWriter, error) {
	if b.shard.Count > 0 {
		return nil, errWhole
	}
	return newPartWriter(b, -1, name, t)
}

// Part starts part i. Parts may be written in any order, several at once.
func (b *Builder) Part(i int) (*PartWriter, error) {
	if len(b.table.Columns) == 0 {
		return nil, errors.New("a part before SetTable")
	}
	return newPartWriter(b, i, manifest.PartName(i), b.table)
}

func newPartWriter(b *Builder, index int, name string, t schemas.Table) (*PartWriter, error) {
	f, err := fresh.Create(fresh.Temp(filepath.Join(b.tmp, name)))
	if err != nil {
		return nil, err
	}
	w := &PartWriter{b: b, index: index, name: name, file: f, hash: sha256.New()}
	if w.Writer, err = columns.NewWriter(t, "kifu "+manifest.Version, io.MultiWriter(f, w.hash)); err != nil {
		w.Abort()
		return nil, err
	}
	return w, nil
}

// Close finishes the part: it is on disk under its name when Close returns, with the counts and state
// that Builder.Done returns after an interruption. An added table has neither.
func (w *PartWriter) Close(c manifest.Counts, state any) error {
	footer, err := w.Finish()
	if err == nil && !remote.Is(w.b.dir) { // what is uploaded need not outlive the machine
		err = w.file.Sync()
	}
	if cerr := w.file.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("%s: %w", w.file.Name(), err)
	}
	info := manifest.Part{
		File:   checked.File{Name: w.name, Bytes: w.Size(), SHA256: hex.EncodeToString(w.hash.Sum(nil)), Footer: checked.Footer{Bytes: int64(len(footer)), SHA256: checksum.Bytes(footer)}},
		Rows:   w.Rows(),
		Counts: c,
	}
	if state != nil {
		if info.State, err = json.Marshal(state); err != nil {
			return err
		}
	}
	if err := w.b.place.put(w.b, w.index, info, w.file.Name()); err != nil {
		return err
	}
	if w.index < 0 {
		w.b.addFile(info.File)
	} else {
		w.b.put(w.index, info)
	}
	return nil
}

// CloseWith closes a part that has the rows of b alone, as one row group.
func (w *PartWriter) CloseWith(b *columns.Batch, c manifest.Counts, state any) error {
	c.Written = int64(b.Rows)
	return w.End(w.Put(b), c, state)
}

// Only writes batch as the only part, unless it is done.
func (b *Builder) Only(batch *columns.Batch, c manifest.Counts) error {
	if _, done := b.Done(0); done {
		return nil
	}
	w, err := b.Part(0)
	if err != nil {
		return err
	}
	return w.CloseWith(batch, c, nil)
}

// Put appends the rows of b as one row group.
func (w *PartWriter) Put(b *columns.Batch) error {
	group, err := w.Encode(b)
	if err != nil {
		return err
	}
	return w.Append(group)
}

// End closes the part, or after an error drops it and returns that.
func (w *PartWriter) End(err error, c manifest.Counts, state any) error {
	if err != nil {
		w.Abort()
		return err
	}
	return w.Close(c, state)
}

// Abort drops an unfinished part.
func (w *PartWriter) Abort() {
	w.file.Close()
	os.Remove(w.file.Name())
}
