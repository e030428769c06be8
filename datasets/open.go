package datasets

import (
	"context"
	"fmt"
	"path/filepath"

	"kifu/datasets/checked"
	"kifu/datasets/manifest"
	"kifu/datasets/remote"
	"kifu/datasets/several"
)

// OpenAt opens the dataset at path, which may be in object storage or name several.
func OpenAt(ctx context.Context, path string) (*Dir, error) {
	paths, err := several.Paths(ctx, path)
	if err != nil {
		return nil, err
	}
	var all []*Dir
	for _, path := range paths {
		d, err := openPath(ctx, path)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	switch len(all) {
	case 0:
		return nil, fmt.Errorf("no dataset matches %s", path)
	case 1:
		return all[0], nil
	}
	return asOne(path, all)
}

// openPath opens one dataset.
func openPath(ctx context.Context, path string) (*Dir, error) {
	if !remote.Is(path) {
		d, err := Open(path)
		if err == nil {
			d.thorough = checked.IsThorough(ctx)
		}
		return d, err
	}
	objects, err := remote.At(ctx, path)
	if err != nil {
		return nil, err
	}
	d, _, err := openRemote(objects, path)
	return d, err
}

// Open reads the manifest of the dataset in a directory. Parts are opened later.
func Open(path string) (*Dir, error) {
	m, err := manifest.Read(path)
	if err != nil {
		return nil, err
	}
	return newDir(path, m, folder(path), m.Entries(path))
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
