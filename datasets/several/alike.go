package several

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kifu/datasets/manifest"
	"kifu/datasets/part"
	"kifu/internal/params"
	"kifu/schemas"
)

// odd tells how a dataset differs from others.
const odd = "%s differs from %s: %s. Several datasets are read as one only if they have the same kind and flags"

// alike returns an error that names the dataset that differs from most others, and in what.
func alike(all []*Dataset) error {
	seen := map[string]string{}
	votes := make([]int, len(all))
	for i, d := range all {
		if d.Table.Index(part.GameID) < 0 || d.Table.Name == schemas.Duplicates.Name || d.Table.Name == schemas.Players.Name {
			return fmt.Errorf("%s has %s: only games, positions, labels, choices and predictions can be read as one dataset", d.Path, d.Table.Name)
		}
		if o, again := seen[d.Manifest.Key]; again {
			return fmt.Errorf("%s and %s are the same dataset", o, d.Path)
		}
		seen[d.Manifest.Key] = d.Path
		if d.Table.Name == schemas.Games.Name && d.Manifest.Rows() > GamesApart {
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
func differ(a, b *Dataset) string {
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

// Origin is what one of several datasets was made from: the first positions and games, or nil where they are not known.
type Origin struct{ Positions, Games *Dataset }

// distinct returns an error if datasets were made from positions that were selected otherwise, or have games in
// common, which would count as different games. What is not known of their origins it cannot compare.
func distinct(all []*Dataset, origins []Origin) error {
	for i, b := range origins {
		for j, a := range origins[:i] {
			if a.Positions != nil && b.Positions != nil {
				if what := differ(a.Positions, b.Positions); what != "" {
					return fmt.Errorf(odd, all[i].Path, all[j].Path, "its positions have "+what)
				}
			}
			if a.Games == nil || b.Games == nil {
				continue
			}
			if same := shared(a.Games, b.Games); same != "" {
				return fmt.Errorf("%s and %s both have the games of %s, which would count twice: leave one out", all[j].Path, all[i].Path, same)
			}
		}
	}
	return nil
}

// shared names what both datasets of games hold: themselves, or a record file of which they took the same games.
func shared(a, b *Dataset) string {
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
