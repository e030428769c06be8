package datasets

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"kifu/datasets/manifest"
	"kifu/datasets/remote"
)

// Ancestor returns the dataset of a table ("games") that d was made from, in one step or
// several, or nil if it is not found. Manifests name their inputs by key, not by path, so
// Ancestor searches the datasets Around d.
func (d *Dir) Ancestor(table string) *Dir {
	near := d.Near()
	for range 8 {
		if len(d.Manifest.Inputs) == 0 {
			return nil
		}
		var from *Dir
		for _, input := range d.Manifest.Inputs {
			from = near(input.Key)
			if from != nil {
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

// Near returns a function that opens the dataset Around d that has a key, or returns nil.
func (d *Dir) Near() func(key string) *Dir {
	one := d.nearOne()
	return func(keys string) *Dir {
		var all []*Dir
		for key := range strings.SplitSeq(keys, keySeparator) {
			from := one(key)
			if from == nil {
				return nil
			}
			all = append(all, from)
		}
		if len(all) == 1 {
			return all[0]
		}
		names := make([]string, len(all))
		for i, from := range all {
			if names[i] = from.Path; !remote.Is(from.Path) {
				names[i], _ = filepath.Abs(from.Path)
			}
		}
		from, _ := join(strings.Join(names, string(filepath.ListSeparator)), all)
		return from
	}
}

// nearOne is Near for the key of one dataset.
func (d *Dir) nearOne() func(key string) *Dir {
	all := []func(key string) *Dir{d.files.near(d)}
	places := map[string]bool{}
	for _, m := range d.of {
		if above := path.Dir(m.Path); remote.Is(m.Path) && !places[above] { // directories are Around d
			places[above] = true
			all = append(all, m.files.near(m))
		}
	}
	return func(key string) *Dir {
		for _, near := range all {
			if from := near(key); from != nil {
				return from
			}
		}
		return nil
	}
}

// Around returns the directories of the datasets around d, by their keys: next to it and, for the sweeps of
// studies, one level below and above. In object storage there are none.
func (d *Dir) Around() map[string]string {
	all, seen := map[string]string{}, map[string]bool{}
	for _, one := range d.members() {
		here := filepath.Dir(filepath.Clean(one.Path))
		if strings.Contains(filepath.Base(one.Path), "=") { // a run of a sweep: STEP/KEY=VALUE
			here = filepath.Dir(here)
		}
		if !seen[here] {
			seen[here] = true
			addPaths(all, here)
		}
	}
	return all
}

// addPaths adds the datasets in a directory, by their keys.
func addPaths(all map[string]string, here string) {
	for _, pattern := range []string{"*", filepath.Join("*", "*=*")} {
		paths, _ := filepath.Glob(filepath.Join(escaped(here), pattern, manifest.Name))
		for _, path := range paths {
			if m, err := manifest.Read(path); err == nil {
				if _, seen := all[m.Key]; !seen {
					all[m.Key] = filepath.Dir(path)
				}
			}
		}
	}
}

// escaped quotes what a pattern of package filepath would take for its own.
func escaped(path string) string {
	if os.PathSeparator == '\\' {
		return path
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
