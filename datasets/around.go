package datasets

import (
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strings"

	"kifu/datasets/manifest"
)

// nearOne returns a function that opens the dataset around members that has a key, of one dataset, or returns nil.
func nearOne(members []*Dir) func(key string) *Dir {
	var places []func(key string) *Dir
	seen := map[string]bool{}
	for _, d := range members {
		if d.files == nil {
			continue // a table of DuckDB's, which no manifest describes
		}
		if above := path.Dir(filepath.ToSlash(d.Path)); !seen[above] {
			seen[above] = true
			places = append(places, d.files.near(d))
		}
	}
	return func(key string) *Dir {
		for _, near := range places {
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
	for _, pattern := range []string{"*", "*/*=*"} {
		names, _ := fs.Glob(os.DirFS(here), pattern+"/"+manifest.Name)
		for _, name := range names {
			path := filepath.Join(here, filepath.FromSlash(path.Dir(name)))
			if m, err := manifest.Read(path); err == nil {
				if _, seen := all[m.Key]; !seen {
					all[m.Key] = path
				}
			}
		}
	}
}

// lineage returns d, then the dataset that it was made from, then that one's origin, and so on. The origin is the first input that
// near finds: further inputs only add to it, as games to leave out do.
func (d *Dir) lineage(near func(key string) *Dir) iter.Seq[*Dir] {
	return func(yield func(*Dir) bool) {
		one := d
		for left := longestLineage; one != nil && left > 0 && yield(one); left-- {
			inputs := one.Manifest.Inputs
			one = nil
			for i := 0; i < len(inputs) && one == nil; i++ {
				one = near(inputs[i].Key)
			}
		}
	}
}

// longestLineage ends a circle, which only manifests that were edited by hand have.
const longestLineage = 64
