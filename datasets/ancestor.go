package datasets

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"kifu/datasets/part"
	"kifu/datasets/remote"
	"kifu/datasets/several"
	"kifu/schemas"
)

// Ancestor returns the dataset of a table ("games") that d was made from, in one step or
// several, or nil if it is not found. Manifests name their inputs by key, not by path, so
// Ancestor searches the datasets Around d.
func (d *Dir) Ancestor(table string) *Dir {
	for from := range d.lineage(d.Near()) {
		if from != d && from.Table.Name == table {
			return from
		}
	}
	return nil
}

// Near returns a function that opens the dataset Around d that has a key, or returns nil.
func (d *Dir) Near() func(key string) *Dir {
	one := nearOne(d.members())
	return func(keys string) *Dir {
		var all []*Dir
		for _, key := range several.Keys(keys) {
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
		from, _ := asOne(strings.Join(names, string(filepath.ListSeparator)), all)
		return from
	}
}

// earlier lists the keys that d had before its games, or those that it was made from, were appended to. With
// apart, the parts of the dataset of each key are the first ones of d.
func (d *Dir) earlier(apart bool) (keys []string) {
	m := *d.Manifest
	all := several.Keys(m.Key)
	for i := len(d.of) - 1; i > 0; i-- { // of which the last were added
		keys = append(keys, several.Key(all[:i]))
	}
	if d.of != nil {
		return keys
	}
	for i := len(m.Appended) - 1; i >= 0; i-- {
		m.Inputs, m.Appended = d.Manifest.Inputs[:d.Manifest.Appended[i]], d.Manifest.Appended[:i]
		keys = append(keys, m.Identity())
	}
	if len(keys) > 0 || apart && !m.Apart {
		return keys
	}
	near := d.Near()
	for i, input := range d.Manifest.Inputs {
		from := near(input.Key)
		if from == nil {
			continue
		}
		for _, was := range from.earlier(apart) {
			m.Inputs = slices.Clone(d.Manifest.Inputs)
			m.Inputs[i].Key = was
			keys = append(keys, m.Identity())
		}
		if apart {
			break // the other inputs are unchanged
		}
	}
	return keys
}

// CheckTogether returns an error if game_id in d and in the games named with it mean different games. This
// happens if d was made from only some of the datasets that are read as one, in which these have other
// places.
func CheckTogether(d, games *Dir) error {
	if d.of == nil && games.of == nil || games.Table.Name != schemas.Games.Name || d.Table.Name == schemas.Games.Name || d.Table.Index(part.GameID) < 0 {
		return nil
	}
	from := d.Ancestor(schemas.Games.Name)
	if from == nil {
		return nil
	}
	for i, one := range from.members() {
		at := slices.IndexFunc(games.members(), func(g *Dir) bool { return g.Manifest.Key == one.Manifest.Key })
		if at >= 0 && at != i {
			return fmt.Errorf("%s and %s do not belong together: %s is dataset %d of the games, but the data made from it are dataset %d: name both in the same order",
				d.Path, games.Path, games.members()[at].Path, at+1, i+1)
		}
	}
	return nil
}

// SameGames returns an error if a dataset among in was made from other games than the dataset of games among in: its rows would be
// shown with wrong games. It finds the games of a dataset only Around it.
func SameGames(in []*Dir) error {
	var games *Dir
	for _, d := range in {
		if d.Table.Name == schemas.Games.Name {
			if games != nil || d.of != nil {
				return nil
			}
			games = d
		}
	}
	if games == nil {
		return nil
	}
	for _, d := range in {
		if d.of != nil || !slices.Contains([]string{"positions", "labels", "choices", "motifs"}, d.Table.Name) {
			continue
		}
		from := d.Ancestor(schemas.Games.Name)
		if from != nil && from.of == nil && !related(from, games) && !related(games, from) {
			return fmt.Errorf("%s was made from %s, not from %s: name the games that it was made from", d.Path, from.Path, games.Path)
		}
	}
	return nil
}

// related reports whether games became others with the same numbers: by additions, or in a step such as clean that left none out.
// Sorting gives them new numbers.
func related(games, others *Dir) bool {
	for from := range others.lineage(others.Near()) {
		if from.Manifest.Key == games.Manifest.Key || slices.Contains(from.earlier(true), games.Manifest.Key) {
			return true
		}
		if from.Manifest.Stage == "sort" || from.Rows() != games.Rows() {
			return false
		}
	}
	return false
}
