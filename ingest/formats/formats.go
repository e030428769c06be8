// Package formats finds the format of a file of records, by its name and its beginning.
//
// In go the formats of some games, and names and first bytes. Out come the format, and which files have records
// or the names that records refer to. Does not read records, and does not know games.
package formats

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kifu/ingest/record"
	"kifu/ingest/source"
)

// Set lists formats in the order in which they are tried.
type Set []*record.Format

// Holding returns the formats whose records can be read as positions, or those whose records
// can be read as games.
func (set Set) Holding(positions bool) Set {
	var some Set
	for _, f := range set {
		if positions && f.Holds != record.Games || !positions && f.Holds != record.Positions {
			some = append(some, f)
		}
	}
	return some
}

// Find returns the format of a stream: by its beginning, then by the extension of its name, else the first
// format without a recognisable beginning.
func (set Set) Find(name string, head []byte) *record.Format {
	for _, f := range set {
		if f.Recognize != nil && f.Recognize(head) {
			return f
		}
	}
	ext := source.Extension(name)
	for _, f := range set {
		if slices.Contains(f.Extensions, ext) {
			return f
		}
	}
	for _, f := range set {
		if f.Recognize == nil {
			return f
		}
	}
	return set[0]
}

// Recognises reports whether a stream's beginning or name determines its format.
func (set Set) Recognises(name string, head []byte) bool {
	return len(set) == 1 || slices.ContainsFunc(set, func(f *record.Format) bool {
		return slices.Contains(f.Extensions, source.Extension(name)) || f.Recognize != nil && f.Recognize(head)
	})
}

// Takes reports whether a file found in a directory or in an archive is of one of the
// formats, by its name. Names that begin with ._ belong to macOS's own files.
func (set Set) Takes(path string) bool {
	if strings.HasPrefix(filepath.Base(path), "._") {
		return false
	}
	ext := source.Extension(path)
	return slices.ContainsFunc(set, func(f *record.Format) bool { return slices.Contains(f.Extensions, ext) })
}

// Extensions returns the extensions of the formats' files.
func (set Set) Extensions() []string {
	var all []string
	for _, f := range set {
		all = append(all, f.Extensions...)
	}
	return all
}

// Has reports whether the format of that name is in the set.
func (set Set) Has(name string) bool {
	return slices.ContainsFunc(set, func(of *record.Format) bool { return of.Name == name })
}

// IsTable reports whether the file at path holds the names to which records of one of the formats
// refer by number, and no games.
func (set Set) IsTable(path string) bool {
	return slices.ContainsFunc(set, func(of *record.Format) bool {
		return of.TableExtensions != nil && slices.Contains(of.TableExtensions, source.Extension(path))
	})
}

// WithTables returns the set with the formats that have files of names reading by the first file of each kind
// among paths.
func (set Set) WithTables(paths []string) (Set, error) {
	set = slices.Clone(set)
	for i, of := range set {
		if of.WithTables == nil {
			continue
		}
		read, err := readTables(of, paths)
		if err != nil {
			return nil, err
		}
		set[i] = read
	}
	return set, nil
}

func readTables(of *record.Format, paths []string) (*record.Format, error) {
	tables := map[string]io.Reader{}
	read := ""
	for _, path := range paths {
		ext := source.Extension(path)
		if !slices.Contains(of.TableExtensions, ext) || tables[ext] != nil {
			continue
		}
		r, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer r.Close()
		tables[ext] = r
		read += " " + path
	}
	if len(tables) == 0 {
		return of, nil
	}
	with, err := of.WithTables(tables)
	if err != nil {
		return nil, fmt.Errorf("names in%s: %w", read, err)
	}
	return with, nil
}
