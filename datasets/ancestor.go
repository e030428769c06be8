package datasets

import (
	"os"
	"path/filepath"
	"strings"
)

// Ancestor looks for the dataset of a table ("games") that d was made from, in one step or
// several, and returns nil if it is not there. Manifests know what they were made of by key
// and not by place: looked through are the directories beside d and, as studies lay out
// sweeps, one level below and above them.
func (d *Dir) Ancestor(table string) *Dir {
	near := d.near()
	for range 8 {
		if len(d.Manifest.Inputs) == 0 {
			return nil
		}
		var from *Dir
		for _, input := range d.Manifest.Inputs {
			if from = near(input.Key); from != nil {
				break
			}
		}
		if from == nil || from.Table.Name == table {
			return from
		}
		d = from
	}
	return nil
}

// near returns a function that opens the dataset around d that has a key, nil if there is none.
func (d *Dir) near() func(key string) *Dir {
	if d.objects != nil {
		all := d.nearObjects()
		return func(key string) *Dir { return all[key] }
	}
	all := d.nearPaths()
	return func(key string) *Dir {
		path, there := all[key]
		if !there {
			return nil
		}
		from, _ := Open(path)
		return from
	}
}

func (d *Dir) nearPaths() map[string]string {
	here := filepath.Dir(filepath.Clean(d.Path))
	if strings.Contains(filepath.Base(d.Path), "=") { // a run of a sweep: STEP/KEY=VALUE
		here = filepath.Dir(here)
	}
	all := map[string]string{}
	for _, pattern := range []string{"*", filepath.Join("*", "*=*")} {
		paths, _ := filepath.Glob(filepath.Join(escaped(here), pattern, manifestName))
		for _, path := range paths {
			if m, err := readManifest(path); err == nil {
				if _, seen := all[m.Key]; !seen {
					all[m.Key] = filepath.Dir(path)
				}
			}
		}
	}
	return all
}

// escaped quotes what a pattern of package filepath would take for its own.
func escaped(path string) string {
	if os.PathSeparator == '\\' {
		return path
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
