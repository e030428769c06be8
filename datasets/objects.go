package datasets

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"kifu/datasets/checked"
	"kifu/datasets/manifest"
	"kifu/internal/checksum"
)

// A dataset in object storage ("s3://bucket/prefix") has the same files as one in a
// directory, with the same bytes, below gen-KEY/: a generation. The small object CURRENT
// names the generation that readers see; it is replaced in one conditional write after all
// else is there. Nothing is ever overwritten: parts are written if there is no object of
// their name, so that any number of machines can make the parts of one dataset.

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

// Remote reports whether path is a URL: of a place in object storage, which s3:// begins, or of what nothing opens.
func Remote(path string) bool { return strings.Contains(path, "://") }

// NotRemote refuses a place in object storage for what is not a dataset.
func NotRemote(path string) error {
	if !Remote(path) {
		return nil
	}
	return fmt.Errorf("%s: only datasets and reports are written to object storage: name a local path", path)
}

type objectsKey struct{}

// WithObjects gives Build and OpenAt the way to open places in object storage. Without it
// datasets are in directories only.
func WithObjects(ctx context.Context, open func(ctx context.Context, url string) (Objects, error)) context.Context {
	return context.WithValue(ctx, objectsKey{}, open)
}

// ObjectsAt opens a place in object storage as the context has it.
func ObjectsAt(ctx context.Context, url string) (Objects, error) {
	open, _ := ctx.Value(objectsKey{}).(func(context.Context, string) (Objects, error))
	if open == nil {
		return nil, fmt.Errorf("%s: only datasets in directories can be used here", url)
	}
	return open(ctx, url)
}

const currentName = "CURRENT"

// pointer is the content of CURRENT.
type pointer struct {
	Generation string `json:"generation"`
	Manifest   string `json:"manifest"` // SHA-256 of the generation's manifest.json
}

// openObjects opens the dataset that CURRENT names, and returns its tag. Files that
// another program copied into the store, without a CURRENT, are a dataset too.
func openObjects(objects Objects, url string) (*Dir, string, error) {
	text, tag, err := objects.Get(currentName)
	var now pointer
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, "", err
	case json.Unmarshal(text, &now) != nil || path.Base(now.Generation) != now.Generation:
		return nil, tag, fmt.Errorf("%s: damaged: it names no generation (make the dataset again with --force)", joinURL(url, currentName))
	}
	g := &generation{objects, url, now.Generation}
	path := g.name(manifest.Name)
	text, _, err = objects.Get(g.object(manifest.Name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, tag, noDataset(objects, url, now.Generation)
	}
	if err != nil {
		return nil, tag, err
	}
	if tag != "" && checksum.Bytes(text) != now.Manifest {
		return nil, tag, fmt.Errorf("%s: damaged: its checksum is not the one in %s (make the dataset again with --force)", path, currentName)
	}
	m, err := manifest.Parse(path, text)
	if err != nil {
		return nil, tag, err
	}
	t, err := m.Table()
	if err != nil {
		return nil, tag, fmt.Errorf("%s: %w", path, err)
	}
	d := newDir(url, m, t)
	d.files, d.entries = g, m.Fetched(g.readList)
	return d, tag, nil
}

// noDataset explains why there is no dataset at url, and is fs.ErrNotExist if nothing is there.
func noDataset(objects Objects, url, generation string) error {
	if generation != "" {
		return fmt.Errorf("%s: its manifest is gone (make the dataset again with --force)", joinURL(url, generation))
	}
	all, err := objects.List("", 1)
	switch {
	case err != nil:
		return err
	case len(all) == 0:
		return absent{"no dataset at " + url + ": there is nothing"}
	case strings.HasPrefix(all[0].Name, generationPrefix):
		return absent{"the dataset at " + url + " is unfinished: run the command that makes it again, it resumes where it stopped"}
	}
	return fmt.Errorf("%s is not a dataset: it has %s, and neither %s nor %s", url, all[0].Name, currentName, manifest.Name)
}

// absent is fs.ErrNotExist with a text of its own.
type absent struct{ text string }

func (a absent) Error() string        { return a.text }
func (a absent) Is(target error) bool { return target == fs.ErrNotExist }

func joinURL(url, name string) string { return strings.TrimRight(url, "/") + "/" + name }
