package datasets

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

// listParts is the number of parts above which a manifest names lists of that many parts each. The lists are
// files next to the parts, so a dataset of a million parts is opened by reading some hundred lines. What has
// no more parts is written as ever.
const listParts = 4096

// PartList is a file with the entries of listParts parts, or of the last ones, as JSON.
type PartList struct {
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
	n = lists.Sum(m.Parts, func(p PartInfo) int64 { return p.Bytes })
	for _, l := range m.Lists {
		n += l.Data
	}
	return n
}

// rows returns the number of rows of all parts.
func (m *Manifest) rows() (n int64) {
	n = lists.Sum(m.Parts, func(p PartInfo) int64 { return p.Rows })
	for _, l := range m.Lists {
		n += l.Rows
	}
	return n
}

// checkLists refuses lists that newLists does not write.
func (m *Manifest) checkLists() error {
	if m.listed() != (len(m.Lists) > 0) || len(m.Lists) > 0 && len(m.Parts) > 0 {
		return errors.New("a manifest has either parts or, in format 2, lists of them")
	}
	for i, l := range m.Lists {
		if l.Name != listName(i) || l.Parts < 1 || l.Parts > listParts || l.Parts < listParts && i < len(m.Lists)-1 || l.Rows < 0 || l.Data < 0 {
			return fmt.Errorf("%q with %d parts cannot be list %d of the parts", l.Name, l.Parts, i)
		}
	}
	return nil
}

// putLists writes the entries of the parts as lists into dir if there are too many for m.
func (m *Manifest) putLists(dir string) error {
	if len(m.Parts) <= listParts {
		return nil
	}
	m.Format = listedFormat
	for from := 0; from < len(m.Parts); from += listParts {
		parts := m.Parts[from:min(from+listParts, len(m.Parts))]
		text, err := json.Marshal(parts)
		if err != nil {
			return err
		}
		l := PartList{Parts: len(parts)}
		for _, p := range parts {
			l.Rows += p.Rows
			l.Data += p.Bytes
		}
		if l.File, err = writeFile(filepath.Join(dir, listName(len(m.Lists))), text); err != nil {
			return err
		}
		m.Lists = append(m.Lists, l)
	}
	m.Parts = nil
	return nil
}

// entries gives the entries of the parts of a manifest, of which it holds one list. Any number
// of goroutines may ask.
type entries struct {
	m    *Manifest
	dirs []string                                                      // where the lists are, or else may be
	load func(list checked.File) (path string, text []byte, err error) // nil: from dirs

	mu   sync.Mutex
	held []PartInfo // of list number list
	list int
}

func (m *Manifest) entries(dirs ...string) *entries { return &entries{m: m, dirs: dirs, list: -1} }

// part returns the entry of part i.
func (e *entries) part(i int) (PartInfo, error) {
	if len(e.m.Lists) == 0 {
		return e.m.Parts[i], nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if at := i / listParts; at != e.list {
		held, err := e.read(at)
		if err != nil {
			return PartInfo{}, err
		}
		e.held, e.list = held, at
	}
	return e.held[i%listParts], nil
}

// each calls f with every part, in order.
func (e *entries) each(f func(i int, p PartInfo) error) error {
	for i := range e.m.NumParts() {
		p, err := e.part(i)
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
func (e *entries) read(at int) (parts []PartInfo, err error) {
	l := e.m.Lists[at]
	var path string
	var text []byte
	if e.load != nil {
		path, text, err = e.load(l.File)
	}
	for _, dir := range e.dirs {
		path = filepath.Join(dir, l.Name)
		if text, err = readRegular(path); !errors.Is(err, fs.ErrNotExist) {
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
		if p.Name != partName(at*listParts+k) || p.Rows < 0 || p.Bytes < 0 {
			return nil, fmt.Errorf("%s: %q, of %d rows and %d bytes, is not part %d", path, p.Name, p.Rows, p.Bytes, at*listParts+k)
		}
		rows += p.Rows
		data += p.Bytes
	}
	if rows != l.Rows || data != l.Data {
		return nil, fmt.Errorf("%s: %d rows in %d bytes; the manifest has %d in %d", path, rows, data, l.Rows, l.Data)
	}
	return parts, nil
}

// names returns the names of all files of the dataset but its manifest: lists last, as
// the others cannot be found without them. The lists are in the first of dirs that has them.
func (m *Manifest) names(dirs ...string) (names []string, err error) {
	err = m.entries(dirs...).each(func(_ int, p PartInfo) error {
		names = append(names, p.Name)
		return nil
	})
	names = append(names, lists.Of(m.Files, func(f checked.File) string { return f.Name })...)
	names = append(names, lists.Of(m.Lists, func(l PartList) string { return l.Name })...)
	return names, err
}

// mostRead is the most that is read at once of a file of a dataset that is no part.
const mostRead = 256 << 20
