package datasets

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

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

func newDir(path string, m *manifest.Manifest, files source, entries *manifest.Entries) (*Dir, error) {
	t, err := m.Table()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", files.Name(manifest.Name), err)
	}
	return &Dir{Path: path, Manifest: m, Table: t, files: files, entries: entries, checked: make([]atomic.Pointer[part.Sums], m.NumParts())}, nil
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

// names are the columns' names.
func (d *Dir) names() []string {
	return lists.Of(d.Table.Columns, func(c schemas.Column) string { return c.Name })
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

// source is where the files of a dataset are read: its directory, or a generation in object storage.
type source interface {
	// local reports whether files are read where they are, so that a part need not be compared as a whole.
	local() bool
	// Fetch returns the local path of a file, which stays until release is called. again: a copy that is there is not enough.
	Fetch(f checked.File, again bool) (path string, release func(), err error)
	// compare compares a file with its checksum, unless Fetch does.
	compare(f checked.File) error
	// Name returns the name of a file for errors.
	Name(file string) string
	// verify compares all files of d.
	verify(ctx context.Context, d *Dir) error
	// near returns what opens the dataset around d that has a key, or nil.
	near(d *Dir) func(key string) *Dir
}

// members returns the datasets that d is, which is one in most cases.
func (d *Dir) members() []*Dir {
	if d.of == nil {
		return []*Dir{d}
	}
	return d.of
}

// member returns the dataset that part i of several is in, its number there, and the dataset's number.
func (d *Dir) member(i int) (of *Dir, part, number int) {
	for number, of = range d.of {
		if i < of.NumParts() {
			return of, i, number
		}
		i -= of.NumParts()
	}
	panic("a part beyond the last one")
}

// first returns the dataset whose directory has the files of d.
func (d *Dir) first() *Dir { return d.members()[0] }
