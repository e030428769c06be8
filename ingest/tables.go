package ingest

import (
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"

	"kifu/ingest/record"
	"kifu/ingest/source"
)

// isTable reports whether a file holds the names to which records of one of the formats
// refer by number, and no games.
func (set formatSet) isTable(f file) bool {
	return slices.ContainsFunc(set, func(of *record.Format) bool {
		return of.TableExtensions != nil && slices.Contains(of.TableExtensions, source.Extension(f.path))
	})
}

// withTables adds, after the files of records, the files of names in the same directories.
// They are inputs like the others, so that other names make another input.
func (set formatSet) withTables(files []file) ([]file, error) {
	type place struct{ dir, format string }
	seen := map[place]bool{}
	for _, f := range files {
		for _, of := range set {
			if f.path == "-" || of.TableExtensions == nil || !slices.Contains(of.Extensions, source.Extension(f.path)) {
				continue
			}
			at := place{filepath.Dir(f.path), of.Name}
			if seen[at] {
				continue
			}
			seen[at] = true
			tables, err := tablesIn(at.dir, path.Dir(f.name), of.TableExtensions)
			if err != nil {
				return nil, err
			}
			files = append(files, tables...)
		}
	}
	return files, nil
}

// tablesIn returns the files of a directory that have one of the extensions, in the order
// of their names. name is the directory's in source_file.
func tablesIn(dir, name string, extensions []string) ([]file, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []file
	for _, e := range entries {
		if !slices.Contains(extensions, source.Extension(e.Name())) {
			continue
		}
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: path.Join(name, e.Name()), path: filepath.Join(dir, e.Name()), size: info.Size()})
	}
	return files, nil
}

// readTables returns the set with the formats that have files of names reading by the
// first of the files of each kind.
func (set formatSet) readTables(files []file) (formatSet, error) {
	set = slices.Clone(set)
	for i, of := range set {
		if of.WithTables == nil {
			continue
		}
		read, err := readTables(of, files)
		if err != nil {
			return nil, err
		}
		set[i] = read
	}
	return set, nil
}

func readTables(of *record.Format, files []file) (*record.Format, error) {
	tables := map[string]io.Reader{}
	paths := ""
	for _, f := range files {
		ext := source.Extension(f.path)
		if !slices.Contains(of.TableExtensions, ext) || tables[ext] != nil {
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
		return of, nil
	}
	with, err := of.WithTables(tables)
	if err != nil {
		return nil, fmt.Errorf("names in%s: %w", paths, err)
	}
	return with, nil
}
