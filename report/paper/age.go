package paper

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/datasets/several"
	"kifu/internal/pattern"
)

// ages finds out whether reports are of the datasets that there are.
type ages struct {
	given map[string]*datasets.Dir // datasets that the user named, by key
	known map[string]string        // what Of found, by directory
}

// dataset is the name of an input that is a dataset: "labels/v2". Others are files.
var dataset = pattern.Of(`^[a-z_-]+/v\d+$`)

// Of returns why the report or dataset at dir is out of date: the direct or indirect input that has another
// version now. It returns "" without one.
func (a *ages) Of(dir string) (string, error) {
	if why, done := a.known[dir]; done {
		return why, nil
	}
	d, err := datasets.Open(dir)
	if err != nil {
		return "", err
	}
	around := map[string]*datasets.Dir{}
	for key, path := range d.Around() {
		if one, err := datasets.Open(path); err == nil {
			around[key] = one
		}
	}
	maps.Copy(around, a.given)
	a.known[dir] = outdated(d, around)
	return a.known[dir], nil
}

// outdated looks through the inputs of d, and theirs.
func outdated(d *datasets.Dir, around map[string]*datasets.Dir) string {
	for _, input := range d.Manifest.Inputs {
		if !dataset().MatchString(input.Name) {
			continue
		}
		for _, key := range several.Keys(input.Key) {
			var why string
			if from := around[key]; from != nil {
				why = outdated(from, around)
			} else if others := ofSchema(around, input.Name); len(others) > 0 {
				why = fmt.Sprintf("it is of %s with the key %.10s; %s", input.Name, key, strings.Join(others, ", "))
			}
			if why != "" {
				return why
			}
		}
	}
	return ""
}

// ofSchema names the datasets of a schema with their keys.
func ofSchema(around map[string]*datasets.Dir, schema string) (names []string) {
	all := slices.SortedFunc(maps.Values(around), func(a, b *datasets.Dir) int { return cmp.Compare(a.Path, b.Path) })
	for _, d := range all {
		if d.Manifest.Schema == schema {
			names = append(names, fmt.Sprintf("%s has %.10s", filepath.Base(d.Path), d.Manifest.Key))
		}
	}
	return names
}
