package datasets

import (
	"context"
	"path/filepath"

	"kifu/datasets/manifest"
	"kifu/datasets/remote"
)

// place is where a dataset is built: a directory, or what is below a prefix in object storage.
type place interface {
	// enter readies the place for b, which reads in, and keeps other runs out unless b shares it. leave ends that.
	enter(b *Builder, in []*Dir) (leave func(), err error)
	// there returns the existing dataset, if any; whole reports whether it has all its files.
	there() (*manifest.Manifest, error)
	whole() bool
	// begin takes over the parts of b's run that are there, and of the dataset that is there those that stay.
	begin(b *Builder, s Step, in []*Dir, o Options) error
	// Find looks for part i, which another process may have made.
	Find(i int) (info manifest.Part, done bool, err error)
	// put brings a file that is written, part index or below 0 a table next to the parts, from its temporary name to its own.
	put(b *Builder, index int, info manifest.Part, from string) error
	// install writes the manifest, and makes what b made the dataset that readers see.
	install(b *Builder, force bool) error
	// fail clears away what the next run cannot go on from, where the step ended with err, and returns the error to report.
	fail(ctx context.Context, b *Builder, err error, useless bool) error
	// clear removes what is left of earlier runs where nothing is to be done, but what others may be at.
	clear(b *Builder) error
	// Parts returns the numbers of the parts of the unfinished run with that key.
	Parts(key string) (map[int]bool, error)
}

// placeAt returns the place of that path or URL; by force a damaged dataset in object storage is none.
func placeAt(ctx context.Context, path string, force bool) (place, error) {
	if !remote.Is(path) {
		return directory{path, filepath.Join(path, manifest.TmpName)}, nil
	}
	objects, err := remote.At(ctx, path)
	return &bucket{Draft: remote.Draft{Objects: objects, URL: path}, force: force}, err
}

// Lease assigns parts to one of several processes that make a dataset together.
type Lease interface {
	// Next is called with the parts in ascending order, and reports whether this one is to
	// be made. It may wait.
	Next(part int) bool
	// Made receives each part that Next handed out and that is there, whatever made it.
	Made(part int)
}

// Made returns the numbers of the parts that are there of the run with that key in dir;
// whole: the dataset is.
func Made(ctx context.Context, dir, key string) (parts map[int]bool, whole bool, err error) {
	p, err := placeAt(ctx, dir, false)
	if err != nil {
		return nil, false, err
	}
	if m, err := p.there(); err == nil && m != nil && m.Key == key && p.whole() {
		return nil, true, nil
	}
	parts, err = p.Parts(key)
	return parts, false, err
}
