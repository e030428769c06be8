package remote

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kifu/datasets/checked"
	"kifu/datasets/manifest"
	"kifu/internal/checksum"
)

// memory is a place in object storage, in a map.
type memory struct {
	dir     string
	objects map[string]stored
	careful bool // it respects conditions
}

type stored struct {
	data    string
	sum     string // that Create left
	changed time.Time
}

func newMemory(t *testing.T) *memory {
	return &memory{dir: t.TempDir(), objects: map[string]stored{}, careful: true}
}

func (m *memory) Get(name string) (data []byte, tag string, err error) {
	o, there := m.objects[name]
	if !there {
		return nil, "", fs.ErrNotExist
	}
	return []byte(o.data), "tag " + o.data, nil
}

func (m *memory) Swap(name, tag string, data []byte) error {
	_, now, _ := m.Get(name)
	if m.careful && now != tag {
		return fs.ErrExist
	}
	m.objects[name] = stored{data: string(data), changed: time.Now()}
	return nil
}

func (m *memory) Create(as checked.File, from string) error {
	if _, there := m.objects[as.Name]; there {
		return fs.ErrExist
	}
	data, err := os.ReadFile(from)
	m.objects[as.Name] = stored{string(data), as.SHA256, time.Now()}
	return err
}

func (m *memory) Stat(name string) (checked.File, error) {
	o, there := m.objects[name]
	if !there {
		return checked.File{}, fs.ErrNotExist
	}
	return checked.File{Name: name, Bytes: int64(len(o.data)), SHA256: o.sum}, nil
}

func (m *memory) List(begin string, most int) (all []Object, err error) {
	for name, o := range m.objects {
		if strings.HasPrefix(name, begin) {
			all = append(all, Object{name, int64(len(o.data)), o.changed})
		}
	}
	slices.SortFunc(all, func(a, b Object) int { return strings.Compare(a.Name, b.Name) })
	if most > 0 {
		all = all[:min(most, len(all))]
	}
	return all, nil
}

func (m *memory) Folders() (all []string, err error) {
	for name := range m.objects {
		if folder, _, in := strings.Cut(name, "/"); in && !slices.Contains(all, folder) {
			all = append(all, folder)
		}
	}
	return all, nil
}

func (m *memory) Remove(names []string) error {
	for _, name := range names {
		delete(m.objects, name)
	}
	return nil
}

func (m *memory) Fetch(want checked.File, _ bool) (path string, release func(), err error) {
	o := m.objects[want.Name]
	if checksum.Bytes([]byte(o.data)) != want.SHA256 {
		return "", nil, errors.New("damaged")
	}
	path = filepath.Join(m.dir, "copy")
	return path, func() {}, os.WriteFile(path, []byte(o.data), 0o666)
}

func (m *memory) Copy(string, string, func(int)) error { return errors.New("not here") }
func (m *memory) Scratch() (string, error)             { return m.dir, nil }
func (m *memory) Relative(string) (Objects, string)    { return m, "" }
func (m *memory) file(t *testing.T, text string) (path string) {
	t.Helper()
	path = filepath.Join(m.dir, "file")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

const url = "s3://bucket/games"

// partOf is what a part of that content counts as.
func partOf(i int, text string) manifest.Part {
	return manifest.Part{File: checked.File{Name: manifest.PartName(i), Bytes: int64(len(text)), SHA256: checksum.Bytes([]byte(text))}, Rows: 7}
}

// made publishes a dataset of some parts in a place, as a run with a key.
func made(t *testing.T, m *memory, key string, parts ...string) *manifest.Manifest {
	t.Helper()
	_, _, tag, _ := Current(m, url)
	u := &Draft{Objects: m, URL: url, Tag: tag}
	if err := u.Choose(key, false, true); err != nil {
		t.Fatal(err)
	}
	of := manifest.New(manifest.Manifest{Stage: "ingest", Schema: "games/v1"})
	for i, text := range parts {
		info := partOf(i, text)
		if err := u.SendPart(info, m.file(t, text)); err != nil {
			t.Fatal(err)
		}
		of.Parts = append(of.Parts, info)
	}
	of.Sum = of.Checksum()
	text, err := manifest.FormatJSON(of)
	if err != nil {
		t.Fatal(err)
	}
	if err := u.Publish(m.file(t, string(text))); err != nil {
		t.Fatal(err)
	}
	return of
}

// TestPublished: what a run publishes is the dataset that readers see, and a second run takes its place.
func TestPublished(t *testing.T) {
	m := newMemory(t)
	for _, key := range []string{"one", "two"} {
		of := made(t, m, key, key+" first", key+" second")
		g, got, _, err := Current(m, url)
		if err != nil || got.Sum != of.Sum || g.Name("x") != url+"/gen-"+key+"/x" {
			t.Fatalf("%s: %v, %v at %s", key, err, got, g.Name("x"))
		}
		if !g.Whole(got.Entries(), nil) {
			t.Errorf("%s is not whole", key)
		}
		path, release, err := g.Fetch(got.Parts[1].File, false)
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := os.ReadFile(path); string(text) != key+" second" {
			t.Errorf("part 1 has %q", text)
		}
		release()
	}
}

// TestWhole: a part that is gone, or is longer or shorter than the manifest has it, is missed, and so is a file.
func TestWhole(t *testing.T) {
	for what, spoil := range map[string]func(m *memory, part string){
		"gone":    func(m *memory, part string) { delete(m.objects, part) },
		"shorter": func(m *memory, part string) { m.objects[part] = stored{data: "x"} },
	} {
		m := newMemory(t)
		made(t, m, "key", "a part", "another")
		g, of, _, err := Current(m, url)
		if err != nil {
			t.Fatal(err)
		}
		if g.Whole(of.Entries(), []checked.File{{Name: "more.csv", Bytes: 3}}) {
			t.Error("a file that is not there is not missed")
		}
		spoil(m, "gen-key/"+manifest.PartName(1))
		if g.Whole(of.Entries(), nil) {
			t.Errorf("a part is %s, and the dataset whole", what)
		}
	}
}

// TestNoDataset: the error says what is there instead, and only nothing and an unfinished dataset are fs.ErrNotExist.
func TestNoDataset(t *testing.T) {
	for _, c := range []struct {
		name, data, want string
		absent           bool
	}{
		{"", "", "there is nothing", true},
		{"gen-key/part-00000.json", "{}", "is unfinished", true},
		{"photo.jpg", "x", "it has photo.jpg", false},
		{currentName, "no JSON", "it names no generation", false},
		{currentName, `{"generation":"../other","manifest":"0"}`, "it names no generation", false},
		{currentName, `{"generation":"gen-key","manifest":"0"}`, "its manifest is gone", false},
	} {
		m := newMemory(t)
		if c.name != "" {
			m.objects[c.name] = stored{data: c.data}
		}
		_, _, _, err := Current(m, url)
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, fs.ErrNotExist) != c.absent {
			t.Errorf("with %s %q: %v, want %q", c.name, c.data, err, c.want)
		}
	}
}

// TestDamagedManifest: a manifest that is not the one in CURRENT is not read; without a CURRENT there is none to compare with.
func TestDamagedManifest(t *testing.T) {
	m := newMemory(t)
	made(t, m, "key", "a part")
	name := "gen-key/" + manifest.Name
	text := m.objects[name]
	m.objects[name] = stored{data: text.data + "\n"}
	if _, _, _, err := Current(m, url); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("a changed manifest: %v", err)
	}
	copied := newMemory(t)
	copied.objects[manifest.Name] = text
	copied.objects[manifest.PartName(0)] = stored{data: "a part"}
	g, of, tag, err := Current(copied, url)
	if err != nil || tag != "" || g.Name("x") != url+"/x" || !g.Whole(of.Entries(), nil) {
		t.Errorf("a copy by another program: %v", err)
	}
}

// TestTwoWriters: of two runs with one key the parts of the first stay. Equal ones are no error, unequal ones are.
func TestTwoWriters(t *testing.T) {
	m := newMemory(t)
	var runs [2]*Draft
	for i := range runs {
		runs[i] = &Draft{Objects: m, URL: url}
		if err := runs[i].Choose("key", false, true); err != nil {
			t.Fatal(err)
		}
		if err := runs[i].SendPart(partOf(0, "equal"), m.file(t, "equal")); err != nil {
			t.Errorf("run %d: %v", i, err)
		}
	}
	if err := runs[0].SendPart(partOf(1, "first"), m.file(t, "first")); err != nil {
		t.Fatal(err)
	}
	if err := runs[1].SendPart(partOf(1, "other"), m.file(t, "other")); err == nil || !strings.Contains(err.Error(), "made twice, with unequal bytes") {
		t.Errorf("an unequal part: %v", err)
	}
	info, done, err := runs[1].Find(1)
	if err != nil || !done || info.SHA256 != partOf(1, "first").SHA256 || info.Rows != 7 {
		t.Errorf("part 1 is %+v, %v, %v", info, done, err)
	}
	if parts, err := runs[1].Parts("key"); err != nil || fmt.Sprint(parts) != "map[0:true 1:true]" {
		t.Errorf("parts %v, %v", parts, err)
	}
}

// TestFind: a part counts as made only with its facts next to it, of its own name, that agree with it.
func TestFind(t *testing.T) {
	m := newMemory(t)
	u := &Draft{Objects: m, URL: url}
	if err := u.Choose("key", false, false); err != nil || !u.Chosen() {
		t.Fatal(err)
	}
	part, facts := "gen-key/"+manifest.PartName(0), "gen-key/"+manifest.Sidecar(manifest.PartName(0))
	send := func() {
		m.objects = map[string]stored{}
		if err := u.SendPart(partOf(0, "a part"), m.file(t, "a part")); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		what  string
		spoil func()
		done  bool
		fault string
	}{
		{"whole", func() {}, true, ""},
		{"without facts", func() { delete(m.objects, facts) }, false, ""},
		{"without the part", func() { delete(m.objects, part) }, false, ""},
		{"with facts that are none", func() { m.objects[facts] = stored{data: "x"} }, false, ""},
		{"with another part's facts", func() {
			m.objects["gen-key/"+manifest.PartName(1)] = stored{data: "a part", sum: partOf(1, "a part").SHA256}
			text, _ := manifest.FormatJSON(partOf(1, "a part"))
			m.objects[facts] = stored{data: string(text)}
		}, false, ""},
		{"without a note of its checksum", func() { m.objects[part] = stored{data: "a part"} }, true, ""},
		{"with other bytes and no note", func() { m.objects[part] = stored{data: "A part"} }, false, "damaged"},
		{"with another checksum", func() { m.objects[part] = stored{data: "a part", sum: "0"} }, false, "unequal bytes"},
	} {
		send()
		c.spoil()
		_, done, err := u.Find(0)
		if done != c.done || (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s: %v, %v", c.what, done, err)
		}
	}
}

// TestServerIgnoresConditions: a server on which two writers could overwrite each other is refused before any part is sent.
func TestServerIgnoresConditions(t *testing.T) {
	m := newMemory(t)
	m.careful = false
	err := (&Draft{Objects: m, URL: url}).Choose("key", false, true)
	if err == nil || !strings.Contains(err.Error(), "If-None-Match") {
		t.Errorf("%v", err)
	}
}

// TestForce: a run by force leaves what readers may read, under a name of its own, and drops only its own.
func TestForce(t *testing.T) {
	m := newMemory(t)
	made(t, m, "key", "a part")
	m.objects["gen-key-2/x"] = stored{}
	u := &Draft{Objects: m, URL: url}
	if err := u.Choose("key", true, true); err != nil {
		t.Fatal(err)
	}
	if _, there := m.objects["gen-key-3/"+manifest.KeyName]; !there {
		t.Errorf("no mark in gen-key-3: %v", m.objects)
	}
	if err := u.Drop(); err != nil {
		t.Fatal(err)
	}
	if folders, _ := m.Folders(); len(folders) != 2 || slices.Contains(folders, "gen-key-3") {
		t.Errorf("after Drop there are %v", folders)
	}
}

// TestRace: CURRENT that another run has changed meanwhile stays, unless it has the same.
func TestRace(t *testing.T) {
	m := newMemory(t)
	of := made(t, m, "one", "a part")
	_, _, tag, err := Current(m, url)
	if err != nil {
		t.Fatal(err)
	}
	late := &Draft{Objects: m, URL: url, Tag: tag}
	if err := late.Choose("late", false, true); err != nil {
		t.Fatal(err)
	}
	made(t, m, "two", "a part")
	text, err := manifest.FormatJSON(of)
	if err != nil {
		t.Fatal(err)
	}
	if err := late.Publish(m.file(t, string(text))); err == nil || !strings.Contains(err.Error(), "changed by another run") || !strings.Contains(err.Error(), "gen-late") {
		t.Errorf("%v", err)
	}
	if g, _, _, err := Current(m, url); err != nil || g.below != "gen-two" {
		t.Errorf("CURRENT names %v, %v", g, err)
	}
	again := &Draft{Objects: m, URL: url, Tag: tag, generation: "gen-two"}
	if err := again.point(m.objects[currentName].data); err != nil {
		t.Errorf("the same again: %v", err)
	}
}

// TestClean: publishing removes generations that nothing has touched for a day, and nothing else.
func TestClean(t *testing.T) {
	m := newMemory(t)
	old := time.Now().Add(-abandoned - time.Hour)
	m.objects["gen-old/a"], m.objects["gen-old/b"] = stored{changed: old}, stored{changed: old}
	m.objects["gen-used/a"], m.objects["gen-used/b"] = stored{changed: old}, stored{changed: time.Now()}
	m.objects["other/a"], m.objects["gen-file"] = stored{changed: old}, stored{changed: old}
	made(t, m, "key", "a part")
	for name, want := range map[string]bool{"gen-old/a": false, "gen-old/b": false, "gen-used/a": true, "gen-used/b": true, "other/a": true, "gen-file": true} {
		if _, there := m.objects[name]; there != want {
			t.Errorf("%s is there: %v", name, there)
		}
	}
}

// TestPlaces: which paths are URLs, how they are written, and what opens them.
func TestPlaces(t *testing.T) {
	for path, want := range map[string]string{
		"games": "games", "./games/": "./games/", "s3://b/": "s3://b", "s3://b/x/./y/../z/": "s3://b/x/z", "gs://b/x/": "gs://b/x/",
	} {
		if got := Clean(path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
		if url := strings.Contains(path, "://"); Is(path) != url || (Refuse(path) != nil) != url {
			t.Errorf("%s: a URL %v, refused %v", path, Is(path), Refuse(path))
		}
	}
	if got := Join("s3://b/x/", "y"); got != "s3://b/x/y" {
		t.Errorf("joined %s", got)
	}
	if _, err := At(t.Context(), url); err == nil || !strings.Contains(err.Error(), "only datasets in directories") {
		t.Errorf("without a store: %v", err)
	}
	m := newMemory(t)
	ctx := With(t.Context(), func(_ context.Context, asked string) (Objects, error) {
		if asked != url {
			return nil, errors.New(asked)
		}
		return m, nil
	})
	if got, err := At(ctx, url); err != nil || got != Objects(m) {
		t.Errorf("with a store: %v, %v", got, err)
	}
}
