package ingest

import (
	"path/filepath"
	"slices"
	"strings"

	"kifu/ingest/record"
	"kifu/ingest/source"
)

// formatSet lists formats in the order in which they are tried.
type formatSet []*record.Format

// formatsOf returns the formats of all the games, each once.
func formatsOf(games []Game) formatSet {
	var set formatSet
	for _, g := range games {
		for _, f := range g.formats() {
			if !slices.ContainsFunc(set, func(have *record.Format) bool { return have.Name == f.Name }) {
				set = append(set, f)
			}
		}
	}
	return set
}

// holding returns the formats whose records can be read as positions, or those whose records
// can be read as games.
func (set formatSet) holding(positions bool) formatSet {
	var some formatSet
	for _, f := range set {
		if positions && f.Holds != record.Games || !positions && f.Holds != record.Positions {
			some = append(some, f)
		}
	}
	return some
}

// find returns the format of a stream: by its beginning, then by the extension of its name, else the first
// format without a recognisable beginning.
func (set formatSet) find(name string, head []byte) *record.Format {
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

// recognises reports whether a stream's beginning or name determines its format.
func (set formatSet) recognises(name string, head []byte) bool {
	return len(set) == 1 || slices.ContainsFunc(set, func(f *record.Format) bool {
		return slices.Contains(f.Extensions, source.Extension(name)) || f.Recognize != nil && f.Recognize(head)
	})
}

// takes reports whether a file found in a directory or in an archive is of one of the
// formats, by its name. Names that begin with ._ belong to macOS's own files.
func (set formatSet) takes(path string) bool {
	if strings.HasPrefix(filepath.Base(path), "._") {
		return false
	}
	ext := source.Extension(path)
	return slices.ContainsFunc(set, func(f *record.Format) bool { return slices.Contains(f.Extensions, ext) })
}

// extensions returns the extensions of the formats' files.
func (set formatSet) extensions() []string {
	var all []string
	for _, f := range set {
		all = append(all, f.Extensions...)
	}
	return all
}
