package datasets

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"kifu/schemas"
)

// Dir is a whole dataset on disk.
type Dir struct {
	Path     string
	Manifest *Manifest
	Table    schemas.Table
}

// Open reads the manifest of the dataset at path. Parts are opened later.
func Open(path string) (*Dir, error) {
	m, err := readManifest(filepath.Join(path, manifestName))
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		info, serr := os.Stat(path)
		switch {
		case serr != nil:
			return nil, fmt.Errorf("no dataset at %s: it does not exist", path)
		case !info.IsDir():
			return nil, fmt.Errorf("%s is a file, not a dataset: a dataset is a directory that kifu ingest, transform, label or fit made", path)
		case exists(filepath.Join(path, tmpName)):
			return nil, fmt.Errorf("the dataset at %s is unfinished: run the command that makes it again, it resumes where it stopped", path)
		}
		return nil, fmt.Errorf("%s is not a dataset: it has no %s", path, manifestName)
	}
	t, err := m.table()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(path, manifestName), err)
	}
	return &Dir{path, m, t}, nil
}

// Want returns an error unless d is a dataset of that name: "labels".
func (d *Dir) Want(name string) error {
	if d.Table.Name != name {
		return fmt.Errorf("%s holds %s, not %s", d.Path, d.Table.Name, name)
	}
	return nil
}

// Rows returns the number of rows in all parts.
func (d *Dir) Rows() int64 {
	var n int64
	for _, p := range d.Manifest.Parts {
		n += p.Rows
	}
	return n
}

// PartPaths returns the paths of the Parquet parts, in order.
func (d *Dir) PartPaths() []string {
	var paths []string
	for _, p := range d.Manifest.Parts {
		paths = append(paths, filepath.Join(d.Path, p.Name))
	}
	return paths
}

// Verify compares every part and file with the manifest's checksums, and the columns
// and rows of every part with what the manifest says. With a memory (WithMemory) files
// that are as they were when they were last verified are not read again.
func (d *Dir) Verify(ctx context.Context) error {
	past := recall(ctx, d.Path)
	defer past.save()
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	check := func(f File, shape func() error) {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			if known, err := past.check(f, d.Path); known || err != nil {
				return err
			}
			return shape()
		})
	}
	for i, p := range d.Manifest.Parts {
		check(p.File, func() error { return d.checkShape(i) })
	}
	for _, f := range d.Manifest.Files {
		check(f, func() error { return nil })
	}
	return g.Wait()
}

// checkShape holds part i against the manifest's columns and rows.
func (d *Dir) checkShape(i int) error {
	p, err := d.OpenPart(i)
	if err != nil {
		return err
	}
	defer p.Close()
	if n := p.pf.NumRows(); n != p.Info.Rows {
		return fmt.Errorf("%s: %d rows; the manifest says %d", p.path, n, p.Info.Rows)
	}
	want := parquetSchema(d.Table).Columns()
	if got := p.pf.Schema().Columns(); !slices.EqualFunc(got, want, slices.Equal) {
		return fmt.Errorf("%s: columns %v; the manifest says %v", p.path, got, want)
	}
	return nil
}

// ReadFile returns a file that lies beside the parts, after a look at its checksum.
func (d *Dir) ReadFile(name string) ([]byte, error) {
	for _, f := range d.Manifest.Files {
		if f.Name == name {
			if err := f.check(d.Path); err != nil {
				return nil, err
			}
			return os.ReadFile(filepath.Join(d.Path, name))
		}
	}
	return nil, fmt.Errorf("%s has no file %s", d.Path, name)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
