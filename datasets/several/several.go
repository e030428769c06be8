// Package several decides which datasets can be read as one, and what they are then.
//
// In: a pattern, 'labels-2024-*', or a list, as PATH is one; then the datasets' manifests. Out: the paths that the
// name stands for, and one manifest for all datasets, or an error that names the dataset that does not belong to
// the others. It opens no dataset.
//
// Datasets that are read as one are of one game and table and were made alike. Their parts follow one another, and
// game_id of dataset number n, from 0, is n times GamesApart more. So games and what was made of them still belong
// together when both are read as one, in the same order.
//
// The key of several datasets is the list of their keys. So comparisons of keys with inputs' keys find the games of
// several labels as they do for one.
package several

import (
	"slices"
	"strings"

	"kifu/datasets/checked"
	"kifu/datasets/manifest"
	"kifu/schemas"
)

// GamesApart is the distance of the game_id of datasets that are read as one.
const GamesApart = 10_000_000_000

const keySeparator = "+"

// Key returns the key of the datasets that have these keys.
func Key(keys []string) string { return strings.Join(keys, keySeparator) }

// Keys returns the keys of the datasets that a key stands for, in order: one in most cases.
func Keys(key string) []string { return strings.Split(key, keySeparator) }

// Dataset is one of several.
type Dataset struct {
	Path     string // or URL
	Manifest *manifest.Manifest
	Table    schemas.Table
}

// AsOne returns the manifest of all datasets as one, without parts. They must be alike and, as far as their origins are known,
// distinct.
func AsOne(all []*Dataset, origins []Origin) (*manifest.Manifest, error) {
	if err := alike(all); err != nil {
		return nil, err
	}
	if err := distinct(all, origins); err != nil {
		return nil, err
	}
	m := *all[0].Manifest
	m.Inputs = slices.Clone(m.Inputs)
	m.Files = slices.Clone(m.Files)
	m.Sum, m.Appended, m.Counts, m.Parts, m.Lists = "", nil, manifest.Counts{}, nil, nil
	for i, d := range all {
		o := d.Manifest
		m.Counts.Add(o.Counts)
		m.Files = slices.DeleteFunc(m.Files, func(f checked.File) bool { return !slices.Contains(o.Files, f) })
		if i == 0 {
			continue
		}
		m.Key += keySeparator + o.Key
		if !slices.EqualFunc(m.Inputs, o.Inputs, func(a, b manifest.Input) bool { return a.Name == b.Name }) {
			m.Inputs = nil // of games: files
		}
		for k := range m.Inputs {
			m.Inputs[k].Key += keySeparator + o.Inputs[k].Key
		}
	}
	return &m, nil
}
