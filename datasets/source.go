package datasets

import (
	"context"
	"path/filepath"

	"kifu/datasets/checked"
)

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
