package ingest

import (
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"kifu/ingest/wthor"
)

// The files of names that WTHOR keeps for all its files of games.
const (
	playersExt     = ".jou"
	tournamentsExt = ".trn"
)

// withNames adds, behind the files of WTHOR games, the files of names in the same
// directories. They are inputs like the others, so that other names are another input.
func withNames(files []file) ([]file, error) {
	seen := map[string]bool{}
	for _, f := range files {
		dir := filepath.Dir(f.path)
		if f.path == "-" || extension(f.path) != ".wtb" || seen[dir] {
			continue
		}
		seen[dir] = true
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if ext := strings.ToLower(filepath.Ext(e.Name())); ext != playersExt && ext != tournamentsExt {
				continue
			}
			info, err := e.Info()
			if err != nil {
				return nil, err
			}
			files = append(files, file{path.Join(path.Dir(f.name), e.Name()), filepath.Join(dir, e.Name()), info.Size()})
		}
	}
	return files, nil
}

// isNames reports whether a file holds names, not games.
func isNames(f file) bool {
	return slices.Contains([]string{playersExt, tournamentsExt}, extension(f.path))
}

// readNames reads the first file of players and the first of tournaments; nil if there
// is neither.
func readNames(files []file) (*wthor.Names, error) {
	tables := map[string]io.Reader{} // nil for what there is not
	paths := ""
	for _, f := range files {
		ext := extension(f.path)
		if !isNames(f) || tables[ext] != nil {
			continue
		}
		r, err := os.Open(f.path)
		if err != nil {
			return nil, err
		}
		defer r.Close()
		tables[ext] = r
		paths += " " + f.path
	}
	if len(tables) == 0 {
		return nil, nil
	}
	names, err := wthor.ReadNames(tables[playersExt], tables[tournamentsExt])
	if err != nil {
		return nil, fmt.Errorf("names in%s: %w", paths, err)
	}
	return names, nil
}
