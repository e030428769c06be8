package datasets

import (
	"context"
	"os"
	"path"
	"path/filepath"

	"kifu/datasets/checked"
)

// source is where the files of a dataset are read: its directory, or a generation in object storage.
type source interface {
	// local reports whether files are read where they are, so that a part need not be compared as a whole.
	local() bool
	// fetch returns the local path of a file, which stays until release is called. again: a copy that is there is not enough.
	fetch(f checked.File, again bool) (path string, release func(), err error)
	// compare compares a file with its checksum, unless fetch does.
	compare(f checked.File) error
	// name returns the name of a file for errors.
	name(file string) string
	// verify compares all files of d.
	verify(ctx context.Context, d *Dir) error
	// near returns what opens the dataset around d that has a key, or nil.
	near(d *Dir) func(key string) *Dir
}

// folder is a directory with a dataset.
type folder string

func (folder) local() bool { return true }

func (at folder) fetch(f checked.File, _ bool) (path string, release func(), err error) {
	return at.name(f.Name), func() {}, nil
}

func (at folder) compare(f checked.File) error { return f.Check(string(at)) }

func (at folder) name(file string) string { return filepath.Join(string(at), file) }

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

// generation is a dataset below a prefix in object storage: what its name precedes.
type generation struct {
	objects    Objects
	url, below string
}

func (*generation) local() bool { return false }

// object is the name of a file in the store.
func (g *generation) object(file string) string { return path.Join(g.below, file) }

// fetch compares what it fetches with its checksum.
func (g *generation) fetch(f checked.File, again bool) (path string, release func(), err error) {
	f.Name = g.object(f.Name)
	return g.objects.Fetch(f, again)
}

func (*generation) compare(checked.File) error { return nil }

func (g *generation) name(file string) string { return joinURL(g.url, g.object(file)) }

// readList reads a list of parts.
func (g *generation) readList(list checked.File) (path string, text []byte, err error) {
	copied, release, err := g.fetch(list, false)
	if err != nil {
		return "", nil, err
	}
	defer release()
	text, err = os.ReadFile(copied)
	return g.name(list.Name), text, err
}
