package datasets

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kifu/datasets/checked"
	"kifu/datasets/manifest"
	"kifu/datasets/part"
	"kifu/datasets/remote"
	"kifu/internal/lists"
	"kifu/internal/params"
	"kifu/schemas"
)

// Several datasets are read as one where a path is a pattern, 'labels-2024-*', or a list, as PATH is
// one. They are of one game and table and were made alike. Their parts follow one another, and game_id of
// dataset number n, from 0, is n times GamesApart more. So games and what was made of them still
// belong together when both are read as one, in the same order.
//
// The key of several datasets is the list of their keys. So Ancestor, and comparisons of keys with
// inputs' keys, find the games of several labels as they do for one.

// GamesApart is the distance of the game_id of datasets that are read as one.
const GamesApart = 10_000_000_000

const (
	keySeparator = "+"
)

// OpenAt opens the dataset at path, which may be in object storage or name several.
func OpenAt(ctx context.Context, path string) (*Dir, error) {
	if isSeveral(path) {
		return openSeveral(ctx, path)
	}
	if !remote.Is(path) {
		d, err := Open(path)
		if err == nil {
			d.thorough = checked.IsThorough(ctx)
		}
		return d, err
	}
	objects, err := remote.At(ctx, path)
	if err != nil {
		return nil, err
	}
	d, _, err := openRemote(objects, path)
	return d, err
}

// isSeveral reports whether path is a pattern or a list. What is there under that name is neither.
func isSeveral(path string) bool {
	if remote.Is(path) {
		return strings.ContainsAny(path, remote.Wild) || len(splitList(path)) > 1
	}
	if !strings.ContainsAny(path, remote.Wild+string(filepath.ListSeparator)) {
		return false
	}
	_, err := os.Lstat(path)
	return err != nil
}

// openSeveral opens the datasets that a pattern or a list of paths names, as one.
func openSeveral(ctx context.Context, name string) (*Dir, error) {
	paths, err := pathsOf(ctx, name)
	if err != nil {
		return nil, err
	}
	all, err := lists.Try(paths, func(path string) (*Dir, error) { return OpenAt(ctx, path) })
	if err != nil {
		return nil, err
	}
	switch len(all) {
	case 0:
		return nil, fmt.Errorf("no dataset matches %s", name)
	case 1:
		return all[0], nil
	}
	return join(name, all)
}

// pathsOf returns the paths that a pattern or a list of paths names.
func pathsOf(ctx context.Context, name string) (paths []string, err error) {
	for _, path := range splitList(name) {
		if !isSeveral(path) {
			paths = append(paths, path)
			continue
		}
		if remote.Is(path) {
			found, err := remote.Match(ctx, path)
			if err != nil {
				return nil, err
			}
			paths = append(paths, found...)
			continue
		}
		found, err := filepath.Glob(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		paths = append(paths, slices.DeleteFunc(found, func(path string) bool {
			info, err := os.Stat(path)
			return err != nil || !info.IsDir()
		})...)
	}
	return paths, nil
}

// splitList divides a list of paths as filepath.SplitList does, but a URL goes on until the next one.
func splitList(name string) (paths []string) {
	parts := filepath.SplitList(name)
	for i, part := range parts {
		last, scheme := len(paths)-1, i+1 < len(parts) && strings.HasPrefix(parts[i+1], "//")
		if last >= 0 && !scheme && (strings.HasPrefix(part, "//") || remote.Is(paths[last])) {
			paths[last] += ":" + part
		} else {
			paths = append(paths, part)
		}
	}
	return paths
}

// join returns datasets as one.
func join(name string, all []*Dir) (*Dir, error) {
	if err := alike(all); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	m := *all[0].Manifest
	m.Inputs = slices.Clone(m.Inputs)
	m.Files = slices.Clone(m.Files)
	m.Key, m.Sum, m.Appended, m.Counts, m.Parts, m.Lists = "", "", nil, manifest.Counts{}, nil, nil
	for i, d := range all {
		o := d.Manifest
		m.Counts.Add(o.Counts)
		m.Files = slices.DeleteFunc(m.Files, func(f checked.File) bool { return !slices.Contains(o.Files, f) })
		err := d.entries.Each(func(_ int, p manifest.Part) error {
			m.Parts = append(m.Parts, p)
			return nil
		})
		if err != nil {
			return nil, err
		}
		if i == 0 {
			m.Key = o.Key
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
	d := newDir(name, &m, all[0].Table)
	d.of = all
	if err := d.distinct(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return d, nil
}

// distinct returns an error if the datasets that d is were made from positions that were selected otherwise, or
// have games in common, which would count as different games. What it does not find around them it cannot compare.
func (d *Dir) distinct() error {
	positions, games := make([]*Dir, len(d.of)), make([]*Dir, len(d.of))
	near := func(string) *Dir { return nil }
	if d.Table.Name != schemas.Games.Name {
		near = d.nearOne()
	}
	for i, m := range d.of {
		for ; m != nil; m = m.parent(near) {
			switch m.Table.Name {
			case "positions":
				positions[i] = m
			case schemas.Games.Name:
				games[i] = m
			}
		}
		for j := range i {
			a, b := d.of[j], d.of[i]
			if positions[j] != nil && positions[i] != nil {
				if what := differ(positions[j], positions[i]); what != "" {
					return fmt.Errorf(odd, b.Path, a.Path, "its positions have "+what)
				}
			}
			if games[j] == nil || games[i] == nil {
				continue
			}
			if same := shared(games[j], games[i]); same != "" {
				return fmt.Errorf("%s and %s both have the games of %s, which would count twice: leave one out", a.Path, b.Path, same)
			}
		}
	}
	return nil
}

// parent returns the dataset that d was made from: positions if there are some, or games, or nil.
func (d *Dir) parent(near func(key string) *Dir) *Dir {
	var from *Dir
	for _, input := range d.Manifest.Inputs {
		if o := near(input.Key); o != nil && o != d && (from == nil || from.Table.Name == schemas.Games.Name) {
			from = o
		}
	}
	return from
}

// shared names what both datasets of games hold: themselves, or a record file of which they took the same games.
func shared(a, b *Dir) string {
	if a.Manifest.Key == b.Manifest.Key {
		return a.Path
	}
	if a.Manifest.Stage != ingested || b.Manifest.Stage != ingested {
		return ""
	}
	for _, change := range params.Changed(a.Manifest.Params, b.Manifest.Params) {
		if strings.HasPrefix(change, "where ") {
			return ""
		}
	}
	for _, file := range a.Manifest.Inputs {
		if slices.ContainsFunc(b.Manifest.Inputs, func(o manifest.Input) bool { return o.Key == file.Key }) {
			return file.Name
		}
	}
	return ""
}

// ingested is the stage of games of record files.
const ingested = "ingest"

// odd tells how a dataset differs from others.
const odd = "%s differs from %s: %s. Several datasets are read as one only if they have the same kind and flags"

// alike returns an error that names the dataset that differs from most others, and in what.
func alike(all []*Dir) error {
	seen := map[string]*Dir{}
	votes := make([]int, len(all))
	for i, d := range all {
		if d.Table.Index(part.GameID) < 0 || d.Table.Name == schemas.Duplicates.Name || d.Table.Name == schemas.Players.Name {
			return fmt.Errorf("%s has %s: only games, positions, labels, choices and predictions can be read as one dataset", d.Path, d.Table.Name)
		}
		if o := seen[d.Manifest.Key]; o != nil {
			return fmt.Errorf("%s and %s are the same dataset", o.Path, d.Path)
		}
		seen[d.Manifest.Key] = d
		if d.Table.Name == schemas.Games.Name && d.Rows() > GamesApart {
			return fmt.Errorf("%s has more than %d games", d.Path, int64(GamesApart))
		}
		for _, o := range all {
			if differ(o, d) == "" {
				votes[i]++
			}
		}
	}
	most := all[slices.Index(votes, slices.Max(votes))]
	for _, d := range all {
		if what := differ(most, d); what != "" {
			return fmt.Errorf(odd, d.Path, most.Path, what)
		}
	}
	return nil
}

// differ reports how two datasets are made otherwise, "" if rows do not depend on it.
func differ(a, b *Dir) string {
	from, to := a.Manifest, b.Manifest
	if from.Schema != to.Schema {
		return fmt.Sprintf("holds %s, not %s", to.Schema, from.Schema)
	}
	if !slices.Equal(from.Columns, to.Columns) {
		return "other columns"
	}
	for _, name := range slices.Sorted(maps.Keys(params.Union(from.Meta, to.Meta))) {
		if x, y := from.Meta[name], to.Meta[name]; x != y && name != "games_key" {
			return fmt.Sprintf("%s is %s, not %s", name, cmp.Or(params.Short(y), "none"), cmp.Or(params.Short(x), "none"))
		}
	}
	if a.Table.Name == schemas.Games.Name { // which are of records: their options are of these
		return ""
	}
	if changed := params.Changed(from.Params, to.Params); len(changed) > 0 {
		return "other " + strings.Join(changed, ", ")
	}
	return ""
}

// members returns the datasets that d is, which is one in most cases.
func (d *Dir) members() []*Dir {
	if d.of == nil {
		return []*Dir{d}
	}
	return d.of
}

// member returns the dataset that part i of several is in, its number there, and the dataset's number.
func (d *Dir) member(i int) (of *Dir, part, number int) {
	for number, of = range d.of {
		if i < of.NumParts() {
			return of, i, number
		}
		i -= of.NumParts()
	}
	panic("a part beyond the last one")
}

// GamesFrom returns what is added to game_id of the rows of part i as its file has them.
func (d *Dir) GamesFrom(i int) int64 {
	if d.of == nil {
		return 0
	}
	_, _, number := d.member(i)
	return int64(number) * GamesApart
}

// first returns the dataset whose directory has the files of d.
func (d *Dir) first() *Dir { return d.members()[0] }

// openMember opens part i of several.
func (d *Dir) openMember(i int, open func(d *Dir, i int) (*Part, error)) (*Part, error) {
	of, number, _ := d.member(i)
	p, err := open(of, number)
	if err == nil {
		p.GamesFrom = d.GamesFrom(i)
	}
	return p, err
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

// separate returns an error if s takes several datasets as one and writes their game_id: what it
// makes could not be read as one with others.
func (s Step) separate(in []*Dir) error {
	for _, d := range in {
		if d.of != nil && s.ofGames() {
			return fmt.Errorf("kifu %s takes one dataset, but %s names %d: run it once for each, then read the results as one", s.Stage, d.Path, len(d.of))
		}
	}
	return nil
}

// ofGames reports whether s makes rows of games and positions.
func (s Step) ofGames() bool {
	name, _, _ := strings.Cut(s.Output, "/")
	return slices.Contains([]string{"games", "positions", "labels", "choices", "predictions", "duplicates"}, name)
}
