package ingest

import (
	"os"
	"path"
	"path/filepath"
	"slices"

	"kifu/ingest/formats"
	"kifu/ingest/source"
)

// withTables adds, after the files of records, the files of names in the same directories.
// They are inputs like the others, so that other names make another input.
func withTables(set formats.Set, files []file) ([]file, error) {
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
