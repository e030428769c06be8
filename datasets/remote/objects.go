// Package remote stores a dataset in object storage ("s3://bucket/prefix").
//
// In go Objects, which datasets/store makes of a URL, and the files of a dataset. Out come the manifest that readers
// see, and local copies of files. Does not read parts, nor decide which are to be made.
//
// The files are the same as in a directory, with the same bytes, below gen-KEY/: a generation. The small
// object CURRENT names the generation that readers see; it is replaced in one conditional write after all else is
// there. Nothing is ever overwritten: parts are written if there is no object of their name, so that any number of
// machines can make the parts of one dataset.
package remote

import (
	"context"
	"fmt"
	"path"
	"strings"
	"time"

	"kifu/datasets/checked"
)

// Objects is a place in object storage: all names below one prefix. What it does ends when
// the context ends with which it was opened. Errors name the object, and what can be done.
type Objects interface {
	// Get reads a small object, and returns a tag for Swap, or fs.ErrNotExist.
	Get(name string) (data []byte, tag string, err error)
	// Swap writes a small object if its tag is still tag, or if tag is empty and no such object exists.
	// Otherwise it returns fs.ErrExist.
	Swap(name, tag string, data []byte) error
	// Create writes the object as.Name from a local file, or returns fs.ErrExist if there
	// is one.
	Create(as checked.File, from string) error
	// Stat returns the size of an object and the checksum that Create left with it, which is
	// empty for objects of other programs, or fs.ErrNotExist.
	Stat(name string) (checked.File, error)
	// List returns the objects whose names begin with begin, in the order of their names, the
	// first most of them unless most is 0.
	List(begin string, most int) ([]Object, error)
	// Folders returns what precedes the first slash of the names that have one.
	Folders() ([]string, error)
	// Remove removes objects; those that are not there are no error.
	Remove(names []string) error
	// Fetch returns the path of a local copy with the size and checksum of want. It stays until release is
	// called or the program ends. again: read it from the store even if there is a copy.
	Fetch(want checked.File, again bool) (path string, release func(), err error)
	// Copy writes the object, of this program or another, to a new local file, and calls moved with
	// bytes as they come. It returns fs.ErrNotExist if there is no such object.
	Copy(name, to string, moved func(n int)) error
	// Scratch returns a new empty local directory, which is removed when the program ends.
	Scratch() (string, error)
	// Relative returns the place at another path from this one ("../games"), and its URL.
	Relative(relative string) (Objects, string)
}

// Object is an entry of a list of objects.
type Object struct {
	Name    string
	Bytes   int64
	Changed time.Time
}

// Is reports whether path is a URL: of a place in object storage, which s3:// begins, or of what nothing opens.
func Is(path string) bool { return strings.Contains(path, "://") }

// Refuse refuses a place in object storage for what is not a dataset.
func Refuse(path string) error {
	if !Is(path) {
		return nil
	}
	return fmt.Errorf("%s: only datasets and reports are written to object storage: name a local path", path)
}

type objectsKey struct{}

// With gives datasets.Build and OpenAt the way to open places in object storage. Without it
// datasets are in directories only.
func With(ctx context.Context, open func(ctx context.Context, url string) (Objects, error)) context.Context {
	return context.WithValue(ctx, objectsKey{}, open)
}

// At opens a place in object storage as the context has it.
func At(ctx context.Context, url string) (Objects, error) {
	open, _ := ctx.Value(objectsKey{}).(func(context.Context, string) (Objects, error))
	if open == nil {
		return nil, fmt.Errorf("%s: only datasets in directories can be used here", url)
	}
	return open(ctx, url)
}

// Clean writes a place in object storage in the one way: without . or .. or a slash at
// its end.
func Clean(url string) string {
	rest, is := strings.CutPrefix(url, "s3://")
	if !is {
		return url
	}
	return "s3://" + path.Clean(rest)
}

// Join returns the URL of a name below a place.
func Join(url, name string) string { return strings.TrimRight(url, "/") + "/" + name }
