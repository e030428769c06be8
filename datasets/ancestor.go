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
			if path, ok := near[input.Key]; ok {
				if from, _ = Open(path); from != nil {
					break
				}
			}
		}
		if from == nil || from.Table.Name == table {
			return from
		}
		d = from
	}
	return nil
}

// near returns the datasets around d by key.
func (d *Dir) near() map[string]string {
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
