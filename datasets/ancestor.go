package datasets

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"kifu/datasets/part"
	"kifu/datasets/remote"
	"kifu/datasets/several"
	"kifu/internal/lists"
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

// CheckTogether returns an error if datasets among in were made from other games than those among in, so that rows would be shown with
// wrong games. Games are found only Around a dataset.
func CheckTogether(in ...*Dir) error { return checkGames(true, in) }

// CheckPlaces returns an error if game_id in a dataset among in and in the games among in mean different games, because it was made from
// only some of the datasets that are read as one, in which these have other places.
func CheckPlaces(in ...*Dir) error { return checkGames(false, in) }

// checkGames checks places, and with same also from which games the datasets were made.
func checkGames(same bool, in []*Dir) error {
	games := lists.Where(in, func(d *Dir) bool { return d.Table.Name == schemas.Games.Name })
	for _, d := range in {
		for _, of := range games {
			if d.Table.Name == schemas.Games.Name || d.Table.Index(part.GameID) < 0 {
				continue
			}
			if err := d.checkGames(of, same && len(games) == 1); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkGames is the same for one dataset and one of games.
func (d *Dir) checkGames(games *Dir, same bool) error {
	one := d.of == nil && games.of == nil
	if one && !same {
		return nil
	}
	from := d.Ancestor(schemas.Games.Name)
	if from == nil || one && from.of != nil {
		return nil
	}
	if one && !related(from, games) && !related(games, from) {
		return fmt.Errorf("%s was made from %s, not from %s: name the games that it was made from", d.Path, from.Path, games.Path)
	}
	for i, member := range from.members() {
		at := slices.IndexFunc(games.members(), func(g *Dir) bool { return g.Manifest.Key == member.Manifest.Key })
		if at >= 0 && at != i {
			return fmt.Errorf("%s and %s do not belong together: %s is dataset %d of the games, but the data made from it are dataset %d: name both in the same order",
				d.Path, games.Path, games.members()[at].Path, at+1, i+1)
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
