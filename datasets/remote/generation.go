package remote

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"kifu/datasets/checked"
	"kifu/datasets/manifest"
	"kifu/internal/checksum"
	"kifu/internal/lists"
)

const (
	currentName      = "CURRENT"
	generationPrefix = "gen-"
	// abandoned is the age from which an unfinished or replaced generation has no owner: who
	// works on one writes something more often, and who reads one has read it.
	abandoned = 24 * time.Hour
)

// pointer is the content of CURRENT.
type pointer struct {
	Generation string `json:"generation"`
	Manifest   string `json:"manifest"` // SHA-256 of the generation's manifest.json
}

// Current returns the generation that CURRENT names, with its manifest and the tag of CURRENT. Files that another
// program copied into the store, without a CURRENT, are a dataset too.
func Current(objects Objects, url string) (*Generation, *manifest.Manifest, string, error) {
	text, tag, err := objects.Get(currentName)
	var now pointer
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, nil, "", err
	case json.Unmarshal(text, &now) != nil || path.Base(now.Generation) != now.Generation:
		return nil, nil, tag, fmt.Errorf("%s: damaged: it names no generation (make the dataset again with --force)", Join(url, currentName))
	}
	g := &Generation{objects, url, now.Generation}
	path := g.Name(manifest.Name)
	text, _, err = objects.Get(g.object(manifest.Name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, tag, noDataset(objects, url, now.Generation)
	}
	if err != nil {
		return nil, nil, tag, err
	}
	if tag != "" && checksum.Bytes(text) != now.Manifest {
		return nil, nil, tag, fmt.Errorf("%s: damaged: its checksum is not the one in %s (make the dataset again with --force)", path, currentName)
	}
	m, err := manifest.Parse(path, text)
	return g, m, tag, err
}

// noDataset explains why there is no dataset at url, and is fs.ErrNotExist if nothing is there.
func noDataset(objects Objects, url, generation string) error {
	if generation != "" {
		return fmt.Errorf("%s: its manifest is gone (make the dataset again with --force)", Join(url, generation))
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

// Generation is a dataset below a prefix: what its name precedes.
type Generation struct {
	Objects
	url, below string
}

// object is the name of a file in the store.
func (g *Generation) object(file string) string { return path.Join(g.below, file) }

// Fetch returns the local path of a file, which it compares with its checksum, until release is called.
func (g *Generation) Fetch(f checked.File, again bool) (path string, release func(), err error) {
	f.Name = g.object(f.Name)
	return g.Objects.Fetch(f, again)
}

// Name returns the URL of a file.
func (g *Generation) Name(file string) string { return Join(g.url, g.object(file)) }

// ReadList reads a list of parts.
func (g *Generation) ReadList(list checked.File) (path string, text []byte, err error) {
	copied, release, err := g.Fetch(list, false)
	if err != nil {
		return "", nil, err
	}
	defer release()
	text, err = os.ReadFile(copied)
	return g.Name(list.Name), text, err
}

// Whole reports whether these parts and files are all there with their sizes.
func (g *Generation) Whole(parts *manifest.Entries, files []checked.File) bool {
	begin := ""
	if g.below != "" {
		begin = g.below + "/"
	}
	all, err := g.List(begin, 0)
	sizes := map[string]int64{}
	for _, o := range all {
		sizes[o.Name] = o.Bytes
	}
	there := func(f checked.File) bool {
		size, found := sizes[g.object(f.Name)]
		return found && size == f.Bytes
	}
	if err == nil {
		err = parts.Each(func(_ int, p manifest.Part) error {
			if !there(p.File) {
				return fs.ErrNotExist
			}
			return nil
		})
	}
	return err == nil && !slices.ContainsFunc(files, func(f checked.File) bool { return !there(f) })
}

// Draft is a generation that is being made. There is no lock: two runs at once make the same parts, of which the
// first are kept, and whoever comes last finds all done.
type Draft struct {
	Objects
	URL        string
	Tag        string // of CURRENT when the run began
	generation string // empty before Choose
}

// Chosen reports whether the generation has its name: not while the key is not known.
func (u *Draft) Chosen() bool { return u.generation != "" }

// Choose names the generation of a run, by its key, and by force one that is not there, since what is there stays
// for those who read it. With mark it marks the generation.
func (u *Draft) Choose(key string, force, mark bool) (err error) {
	u.generation = generationPrefix + key
	if force {
		var there []string
		there, err = u.Folders()
		for n := 2; slices.Contains(there, u.generation); n++ {
			u.generation = fmt.Sprintf("%s%s-%d", generationPrefix, key, n)
		}
	}
	if err != nil || !mark {
		return err
	}
	return u.mark(key)
}

// mark marks the generation with a key. The mark also tests whether the server keeps two writers apart: if it
// ignores the condition, they could overwrite each other's parts.
func (u *Draft) mark(key string) error {
	mark := path.Join(u.generation, manifest.KeyName)
	err := u.Swap(mark, "", []byte(key))
	if err == nil {
		err = u.Swap(mark, "", []byte(key))
	}
	switch {
	case err == nil:
		return fmt.Errorf("%s: the server ignores If-None-Match, so two writers could overwrite each other: docs/object-storage.md names servers that respect it", u.URL)
	case errors.Is(err, fs.ErrExist):
		return nil
	}
	return err
}

// Find returns the sidecar's facts of part i, if the part agrees with them.
func (u *Draft) Find(i int) (info manifest.Part, done bool, err error) {
	name := manifest.PartName(i)
	text, _, err := u.Get(path.Join(u.generation, manifest.Sidecar(name)))
	if err == nil && (json.Unmarshal(text, &info) != nil || info.Name != name) {
		return info, false, nil
	}
	if err == nil {
		err = u.same(info.File)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return info, false, nil
	}
	return info, err == nil, err
}

// same returns an error unless the object of that name in the generation is f.
func (u *Draft) same(f checked.File) error {
	name := path.Join(u.generation, f.Name)
	has, err := u.Stat(name)
	if err != nil {
		return err
	}
	if has.SHA256 == "" && has.Bytes == f.Bytes { // copied by a program that drops such notes
		_, release, err := u.Fetch(checked.File{Name: name, Bytes: f.Bytes, SHA256: f.SHA256}, true)
		if err == nil {
			release()
		}
		return err
	}
	if has.SHA256 != f.SHA256 || has.Bytes != f.Bytes {
		return fmt.Errorf("%s was made twice, with unequal bytes: %d with checksum %.12s here, %d with %.12s there (do two builds of kifu work on it? --force starts again)",
			Join(u.URL, name), f.Bytes, f.SHA256, has.Bytes, has.SHA256)
	}
	return nil
}

// Add uploads a file of the scratch directory, or finds that it is there.
func (u *Draft) Add(f checked.File, from string) error {
	err := u.Create(checked.File{Name: path.Join(u.generation, f.Name), Bytes: f.Bytes, SHA256: f.SHA256}, from)
	if errors.Is(err, fs.ErrExist) {
		err = u.same(f)
	}
	return err
}

// SendPart uploads a part, and then what the part counted: without that it is made again.
func (u *Draft) SendPart(info manifest.Part, from string) error {
	if err := u.Add(info.File, from); err != nil {
		return err
	}
	text, err := manifest.FormatJSON(info)
	if err != nil {
		return err
	}
	if err = u.Swap(path.Join(u.generation, manifest.Sidecar(info.Name)), "", text); errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// Drop removes the generation.
func (u *Draft) Drop() error { return u.remove(u.generation) }

// remove removes a generation.
func (u *Draft) remove(generation string) error {
	all, err := u.List(generation+"/", 0)
	if err != nil {
		return err
	}
	return u.Remove(lists.Of(all, func(o Object) string { return o.Name }))
}

// Publish uploads the manifest, writes to CURRENT that the generation is the dataset, and removes those that no
// process reads or writes any more.
func (u *Draft) Publish(manifestPath string) error {
	text, err := os.ReadFile(manifestPath)
	if err != nil {
		return err
	}
	f := checked.File{Name: manifest.Name, Bytes: int64(len(text)), SHA256: checksum.Bytes(text)}
	if err := u.Add(f, manifestPath); err != nil {
		return err
	}
	now, err := manifest.FormatJSON(pointer{u.generation, f.SHA256})
	if err != nil {
		return err
	}
	if err := u.point(string(now)); err != nil {
		return err
	}
	return u.clean()
}

// point writes now to CURRENT. If another run has changed it meanwhile, that is an error.
func (u *Draft) point(now string) error {
	err := u.Swap(currentName, u.Tag, []byte(now))
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	there, _, err := u.Get(currentName)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if string(there) != now {
		return fmt.Errorf("%s was changed by another run: this run's output is in %s, and replaces the other's if you run the command again", Join(u.URL, currentName), u.generation)
	}
	return nil
}

// clean removes the generations that no process reads or writes any more.
func (u *Draft) clean() error {
	folders, err := u.Folders()
	if err != nil {
		return err
	}
	for _, g := range folders {
		if g == u.generation || !strings.HasPrefix(g, generationPrefix) {
			continue
		}
		all, err := u.List(g+"/", 0)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(all, func(o Object) bool { return time.Since(o.Changed) < abandoned }) {
			continue
		}
		if err := u.remove(g); err != nil {
			return err
		}
	}
	return nil
}

// Parts returns the numbers of the parts of the unfinished run with that key.
func (u *Draft) Parts(key string) (map[int]bool, error) {
	begin := cmp.Or(u.generation, generationPrefix+key) + "/part-"
	parts := map[int]bool{}
	all, err := u.List(begin, 0)
	for _, o := range all {
		if i, is := manifest.SidecarNumber(path.Base(o.Name)); is {
			parts[i] = true
		}
	}
	return parts, err
}
