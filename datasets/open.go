package datasets

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	"kifu/datasets/checked"
	"kifu/datasets/manifest"
	"kifu/datasets/part"
	"kifu/schemas"
)

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

// folder is a directory with a dataset.
type folder string

func (folder) local() bool { return true }

func (at folder) Fetch(f checked.File, _ bool) (path string, release func(), err error) {
	return at.Name(f.Name), func() {}, nil
}

func (at folder) compare(f checked.File) error { return f.Check(string(at)) }

func (at folder) Name(file string) string { return filepath.Join(string(at), file) }

func (folder) verify(ctx context.Context, d *Dir) error {
	return d.compare(ctx, d.Manifest.Files, d.checkPart)
}

func (folder) near(d *Dir) func(key string) *Dir {
	all := d.Around()
	return func(key string) *Dir {
		path, there := all[key]
		if !there {
			return nil
		}
		from, _ := Open(path)
		return from
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
