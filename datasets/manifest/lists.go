package manifest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"

	"kifu/datasets/checked"
	"kifu/internal/checksum"
	"kifu/internal/lists"
)

// perList is the number of parts above which a manifest names lists of that many parts each. The lists are
// files next to the parts, so a dataset of a million parts is opened by reading some hundred lines. What has
// no more parts is written as ever.
const perList = 4096

// List is a file with the entries of perList parts, or of the last ones, as JSON.
type List struct {
	checked.File
	Parts int   `json:"parts"`
	Rows  int64 `json:"rows"` // of the parts together, as Data
	Data  int64 `json:"data"` // bytes
}

func listName(i int) string { return fmt.Sprintf("parts-%05d.json", i) }

// NumParts returns the number of parts.
func (m *Manifest) NumParts() int {
	n := len(m.Parts)
	for _, l := range m.Lists {
		n += l.Parts
	}
	return n
}

// Bytes returns the size of all parts.
func (m *Manifest) Bytes() (n int64) {
	n = lists.Sum(m.Parts, func(p Part) int64 { return p.Bytes })
	for _, l := range m.Lists {
		n += l.Data
	}
	return n
}

// Rows returns the number of rows of all parts.
func (m *Manifest) Rows() (n int64) {
	n = lists.Sum(m.Parts, func(p Part) int64 { return p.Rows })
	for _, l := range m.Lists {
		n += l.Rows
	}
	return n
}

// checkLists refuses lists that PutLists does not write.
func (m *Manifest) checkLists() error {
	if m.listed() != (len(m.Lists) > 0) || len(m.Lists) > 0 && len(m.Parts) > 0 {
		return errors.New("a manifest has either parts or, in format 2, lists of them")
	}
	for i, l := range m.Lists {
		if l.Name != listName(i) || l.Parts < 1 || l.Parts > perList || l.Parts < perList && i < len(m.Lists)-1 || l.Rows < 0 || l.Data < 0 {
			return fmt.Errorf("%q with %d parts cannot be list %d of the parts", l.Name, l.Parts, i)
		}
	}
	return nil
}

// PutLists writes the entries of the parts as lists into dir if there are too many for m.
func (m *Manifest) PutLists(dir string) error {
	if len(m.Parts) <= perList {
		return nil
	}
	m.Format = listedFormat
	for from := 0; from < len(m.Parts); from += perList {
		parts := m.Parts[from:min(from+perList, len(m.Parts))]
		text, err := json.Marshal(parts)
		if err != nil {
			return err
		}
		l := List{Parts: len(parts)}
		for _, p := range parts {
			l.Rows += p.Rows
			l.Data += p.Bytes
		}
		if l.File, err = WriteFile(filepath.Join(dir, listName(len(m.Lists))), text); err != nil {
			return err
		}
		m.Lists = append(m.Lists, l)
	}
	m.Parts = nil
	return nil
}

// Entries gives the entries of the parts of a manifest, of which it holds one list. Any number
// of goroutines may ask.
type Entries struct {
	m    *Manifest
	dirs []string                                                      // where the lists are, or else may be
	load func(list checked.File) (path string, text []byte, err error) // nil: from dirs

	mu   sync.Mutex
	held []Part // of list number list
	list int
}

func (m *Manifest) Entries(dirs ...string) *Entries { return &Entries{m: m, dirs: dirs, list: -1} }

// Fetched is Entries where load reads the lists.
func (m *Manifest) Fetched(load func(list checked.File) (path string, text []byte, err error)) *Entries {
	return &Entries{m: m, load: load, list: -1}
}

// Part returns the entry of part i.
func (e *Entries) Part(i int) (Part, error) {
	if len(e.m.Lists) == 0 {
		return e.m.Parts[i], nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if at := i / perList; at != e.list {
		held, err := e.read(at)
		if err != nil {
			return Part{}, err
		}
		e.held, e.list = held, at
	}
	return e.held[i%perList], nil
}

// Each calls f with every part, in order.
func (e *Entries) Each(f func(i int, p Part) error) error {
	for i := range e.m.NumParts() {
		p, err := e.Part(i)
		if err != nil {
			return err
		}
		if err := f(i, p); err != nil {
			return err
		}
	}
	return nil
}

// read reads list number at, compared with its checksum.
func (e *Entries) read(at int) (parts []Part, err error) {
	l := e.m.Lists[at]
	var path string
	var text []byte
	if e.load != nil {
		path, text, err = e.load(l.File)
	}
	for _, dir := range e.dirs {
		path = filepath.Join(dir, l.Name)
		if text, err = ReadFile(path); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%w (the dataset is incomplete: build it again with --force)", err)
	}
	if int64(len(text)) != l.Bytes || checksum.Bytes(text) != l.SHA256 {
		return nil, fmt.Errorf("%s: damaged: its checksum is not the manifest's (build it again with --force)", path)
	}
	if err := json.Unmarshal(text, &parts); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(parts) != l.Parts {
		return nil, fmt.Errorf("%s: %d parts; the manifest has %d", path, len(parts), l.Parts)
	}
	var rows, data int64
	for k, p := range parts {
		if p.Name != PartName(at*perList+k) || p.Rows < 0 || p.Bytes < 0 {
			return nil, fmt.Errorf("%s: %q, of %d rows and %d bytes, is not part %d", path, p.Name, p.Rows, p.Bytes, at*perList+k)
		}
		rows += p.Rows
		data += p.Bytes
	}
	if rows != l.Rows || data != l.Data {
		return nil, fmt.Errorf("%s: %d rows in %d bytes; the manifest has %d in %d", path, rows, data, l.Rows, l.Data)
	}
	return parts, nil
}

// FileNames returns the names of all files of the dataset but its manifest: lists last, as
// the others cannot be found without them. The lists are in the first of dirs that has them.
func (m *Manifest) FileNames(dirs ...string) (names []string, err error) {
	err = m.Entries(dirs...).Each(func(_ int, p Part) error {
		names = append(names, p.Name)
		return nil
	})
	names = append(names, lists.Of(m.Files, func(f checked.File) string { return f.Name })...)
	names = append(names, lists.Of(m.Lists, func(l List) string { return l.Name })...)
	return names, err
}
