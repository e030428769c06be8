package datasets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"kifu/datasets/checked"
	"kifu/datasets/manifest"
	"kifu/datasets/part"
	"kifu/internal/lists"
	"kifu/schemas"
)

// Dir is a whole dataset, in a directory or in object storage.
type Dir struct {
	Path     string // or URL
	Manifest *manifest.Manifest
	Table    schemas.Table

	entries  *manifest.Entries
	checked  []atomic.Pointer[part.Sums] // of the parts; nil: not opened yet
	thorough bool                        // all of a part is compared, whatever is read of it

	verifying sync.Mutex
	verified  map[string]bool // columns that VerifyColumns compared; nil: not even the footers

	of     []*Dir // several datasets as one; nil: it is one
	files  source
	copies []string // of the parts, once they are verified, if they are not local
}

// Open reads the manifest of the dataset at path. Parts are opened later.
func Open(path string) (*Dir, error) {
	m, err := manifest.Read(filepath.Join(path, manifest.Name))
	if err != nil {
		info, serr := os.Stat(path)
		switch {
		case serr == nil && !info.IsDir(): // in which systems find no manifest for different reasons
			return nil, fmt.Errorf("%s is a file, not a dataset: a dataset is a directory that kifu ingest, transform, label or fit made", path)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		case serr != nil:
			return nil, fmt.Errorf("no dataset at %s: it does not exist", path)
		case exists(filepath.Join(path, manifest.TmpName)):
			return nil, fmt.Errorf("the dataset at %s is unfinished: run the command that makes it again, it resumes where it stopped", path)
		}
		return nil, fmt.Errorf("%s is not a dataset: it has no %s", path, manifest.Name)
	}
	t, err := m.Table()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(path, manifest.Name), err)
	}
	return newDir(path, m, t), nil
}

func newDir(path string, m *manifest.Manifest, t schemas.Table) *Dir {
	return &Dir{Path: path, Manifest: m, Table: t, files: folder(path), entries: m.Entries(path), checked: make([]atomic.Pointer[part.Sums], m.NumParts())}
}

// Want returns an error unless d is a dataset of that name: "labels".
func (d *Dir) Want(name string) error {
	if d.Table.Name != name {
		return fmt.Errorf("%s holds %s, not %s%s", d.Path, d.Table.Name, name, maker[[2]string{d.Table.Name, name}])
	}
	return nil
}

// maker is read only, and says how the rows that are wanted are made of those that are there.
var maker = map[[2]string]string{
	{"games", "positions"}:  " (kifu transform makes them)",
	{"games", "labels"}:     " (kifu transform, then kifu label makes them)",
	{"positions", "labels"}: " (kifu label makes them)",
}

// Rows returns the number of rows in all parts.
func (d *Dir) Rows() int64 {
	return d.Manifest.Rows()
}

// NumParts returns the number of parts.
func (d *Dir) NumParts() int { return d.Manifest.NumParts() }

// Info returns the entry of part i, which may have to be read from a list next to the parts.
func (d *Dir) Info(i int) (manifest.Part, error) { return d.entries.Part(i) }

// PartPaths returns the paths of the Parquet parts, in order. In object storage they are
// local copies, which Verify must have fetched, and which last until the program ends.
func (d *Dir) PartPaths() []string {
	if !d.files.local() {
		return d.copies
	}
	var paths []string
	for _, one := range d.of {
		paths = append(paths, one.PartPaths()...)
	}
	if d.of != nil {
		return paths
	}
	paths = append(paths, lists.Of(d.Manifest.Parts, func(p manifest.Part) string { return filepath.Join(d.Path, p.Name) })...)
	if len(d.Manifest.Lists) > 0 { // which name parts by their numbers
		for i := range d.NumParts() {
			paths = append(paths, filepath.Join(d.Path, manifest.PartName(i)))
		}
	}
	return paths
}

// PartURLs returns where the Parquet parts are, in order: URLs in object storage, else paths.
func (d *Dir) PartURLs() ([]string, error) {
	var all []string
	err := d.entries.Each(func(_ int, p manifest.Part) error {
		all = append(all, d.files.Name(p.Name))
		return nil
	})
	return all, err
}

// Verify compares every part and file with the manifest's checksums, their columns and rows with
// the manifest, and every value with its column's domain. With a memory (WithMemory) files that are
// unchanged since they were last verified are not read again. Of a dataset in object storage local
// copies are made, with a memory those that are not there already.
func (d *Dir) Verify(ctx context.Context) error {
	for _, one := range d.of {
		if err := one.Verify(ctx); err != nil {
			return err
		}
	}
	if d.of != nil {
		return nil
	}
	return d.files.verify(ctx, d)
}

// checkPart compares all of part i.
func (d *Dir) checkPart(past *checked.Memory, i int, p manifest.Part) error {
	known, err := past.Check(p.File, d.Path)
	if err == nil && !known {
		var opened *Part
		if opened, err = d.openFitting(p); err == nil {
			err = errors.Join(opened.CheckColumns(d.Table, d.names()), opened.Close())
		}
	}
	if err == nil {
		d.checked[i].Store(&part.Sums{})
	}
	return err
}

// names are the columns' names.
func (d *Dir) names() []string {
	return lists.Of(d.Table.Columns, func(c schemas.Column) string { return c.Name })
}

// VerifyColumns is Verify for a reader of only these columns. In parts with checksums by column it verifies
// the footers and these columns; other parts, and the files next to them, in full. What d has verified before
// is skipped.
func (d *Dir) VerifyColumns(ctx context.Context, columns ...string) error {
	for _, one := range d.of {
		if err := one.VerifyColumns(ctx, columns...); err != nil {
			return err
		}
	}
	if d.of != nil {
		return nil
	}
	d.verifying.Lock()
	defer d.verifying.Unlock()
	if d.verified != nil && (d.verified[everyColumn] || !slices.ContainsFunc(columns, func(c string) bool { return !d.verified[c] })) {
		return nil
	}
	verified := map[string]bool{everyColumn: true}
	var err error
	if !d.files.local() || checked.IsThorough(ctx) {
		err = d.Verify(ctx)
	} else {
		verified[everyColumn] = false
		files := d.Manifest.Files
		if d.verified != nil {
			files = nil
		}
		err = d.compare(ctx, files, func(past *checked.Memory, i int, p manifest.Part) error {
			if p.Footer.SHA256 == "" {
				return d.checkPart(past, i, p)
			}
			return past.CheckColumns(p.File, d.Path, columns, func(columns []string) error { return d.checkColumns(i, columns) })
		})
	}
	if err != nil {
		return err
	}
	for c := range d.verified {
		verified[c] = verified[c] || d.verified[c]
	}
	for _, c := range columns {
		verified[c] = true
	}
	d.verified = verified
	return nil
}

// Verified reports whether all columns of d were verified.
func (d *Dir) Verified() bool {
	if d.of != nil {
		return !slices.ContainsFunc(d.of, func(one *Dir) bool { return !one.Verified() })
	}
	d.verifying.Lock()
	defer d.verifying.Unlock()
	return d.verified[everyColumn] || d.verified != nil && !slices.ContainsFunc(d.Table.Columns, func(c schemas.Column) bool { return !d.verified[c.Name] })
}

// everyColumn is the name of no column.
const everyColumn = ""

// checkColumns compares the footer of part i and these columns.
func (d *Dir) checkColumns(i int, columns []string) error {
	p, err := d.OpenPart(i)
	if err != nil {
		return err
	}
	defer p.Close()
	return p.CheckColumns(d.Table, columns)
}

// compare calls part for every part, several at once, and compares files.
func (d *Dir) compare(ctx context.Context, files []checked.File, part func(past *checked.Memory, i int, p manifest.Part) error) error {
	past := checked.Recall(ctx, d.Path)
	defer past.Save()
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	do := func(f func() error) {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return f()
		})
	}
	err := d.entries.Each(func(i int, p manifest.Part) error {
		do(func() error { return part(past, i, p) })
		return ctx.Err()
	})
	for _, f := range files {
		do(func() error {
			_, err := past.Check(f, d.Path)
			return err
		})
	}
	return cmp.Or(g.Wait(), err)
}

// ReadFile returns a file next to the parts, after verifying its checksum.
func (d *Dir) ReadFile(name string) ([]byte, error) {
	f, err := d.file(name)
	if err != nil {
		return nil, err
	}
	files := d.first().files
	path, release, err := files.Fetch(f, false)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := files.compare(f); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// FilePath returns the path of a file next to the parts, for what reads files by itself. A
// file in object storage is fetched.
func (d *Dir) FilePath(name string) (string, error) {
	f, err := d.file(name)
	if err != nil {
		return "", err
	}
	path, _, err := d.first().files.Fetch(f, false)
	return path, err
}

// HasFile reports whether the dataset has a file of that name next to its parts.
func (d *Dir) HasFile(name string) bool {
	_, err := d.file(name)
	return err == nil
}

// file returns the entry of a file next to the parts.
func (d *Dir) file(name string) (checked.File, error) {
	if i := slices.IndexFunc(d.Manifest.Files, func(f checked.File) bool { return f.Name == name }); i >= 0 {
		return d.Manifest.Files[i], nil
	}
	return checked.File{}, fmt.Errorf("%s has no file %s", d.Path, name)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
