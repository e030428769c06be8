package report

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"kifu/datasets"
	"kifu/report/calibration"
	"kifu/report/curve"
	"kifu/report/database"
	"kifu/report/depth"
	"kifu/report/endgame"
	"kifu/report/moves"
	"kifu/report/opening"
	"kifu/report/opponent"
	"kifu/report/page"
	"kifu/report/pairs"
	"kifu/report/shape"
	"kifu/report/sheet"
	"kifu/report/split"
	"kifu/report/split/search"
	"kifu/report/wdl"
	"kifu/report/weights"
)

// AllParams is everything that changes the page of all reports.
type AllParams struct {
	Sources []string `json:"sources"` // names of the inputs
	// Names has for each source the number of the input with its games, in which players are looked
	// up; -1: none. Inputs of games that are no source come after the sources. Empty: by game.
	Names   []int `json:"names,omitempty"`
	Workers int   `json:"-"` // threads; 0: one a processor; the output does not depend on it
}

// kind is a report that All knows.
type kind struct {
	Name    string                           // of its command
	Players bool                             // errors are by the players of the games
	Groups  func(in []*datasets.Dir) [][]int // the datasets of each report of the kind
	Make    func(ctx context.Context, p AllParams, in []*datasets.Dir, out page.Output) error
}

// kinds are in the order of the page. A new report is a line here.
var kinds = []kind{
	{"database", false, databases, func(ctx context.Context, p AllParams, in []*datasets.Dir, out page.Output) error {
		return database.Make(ctx, database.Params{Sources: p.Sources, Workers: p.Workers}, in, out)
	}},
	{"opening", false, ofPositions, func(ctx context.Context, p AllParams, in []*datasets.Dir, out page.Output) error {
		return opening.Make(ctx, opening.Params{Sources: p.Sources, Depth: 12, MinGames: 5, Bonus: 50, Workers: p.Workers}, in, out)
	}},
	{"players", false, together("games"), func(ctx context.Context, p AllParams, in []*datasets.Dir, out page.Output) error {
		return pairs.Make(ctx, pairs.Params{Sources: p.Sources, MinGames: 10, Expectation: pairs.ExpectAuto, FDR: 0.05, Workers: p.Workers}, in, out)
	}},
	{"curve", true, together("labels"), func(ctx context.Context, p AllParams, in []*datasets.Dir, out page.Output) error {
		return curve.Make(ctx, curve.Params{Sources: p.Sources, Clusters: p.clusters(), Workers: p.Workers}, in, out)
	}},
	{"split", true, ofEach("labels"), func(ctx context.Context, p AllParams, in []*datasets.Dir, out page.Output) error {
		return split.Make(ctx, search.Params{Source: p.Sources[0], Holdout: 0.3, FDR: 0.05, Level: 0.05, Top: 20, Seed: 1, Workers: p.Workers}, in, out)
	}},
	{"wdl", true, ofPieces, func(ctx context.Context, p AllParams, in []*datasets.Dir, out page.Output) error {
		return wdl.Make(ctx, wdl.Params{Source: p.Sources[0], Holdout: 0.3, Seed: 1, Clusters: p.clusters(), Workers: p.Workers}, in, out)
	}},
	{"endgame", true, ofPieces, func(ctx context.Context, p AllParams, in []*datasets.Dir, out page.Output) error {
		usual := endgame.Usual
		usual.Source, usual.Clusters, usual.Workers = p.Sources[0], p.clusters(), p.Workers
		return endgame.Make(ctx, usual, in, out)
	}},
	{"weights", false, together("weights"), func(ctx context.Context, p AllParams, in []*datasets.Dir, out page.Output) error {
		return weights.Make(ctx, weights.Params{Sources: p.Sources, Literature: true, Workers: p.Workers}, in, out)
	}},
	{"opponent", false, together("learn"), func(ctx context.Context, p AllParams, in []*datasets.Dir, out page.Output) error {
		return opponent.Make(ctx, opponent.Params{Sources: p.Sources, Workers: p.Workers}, in, out)
	}},
	{"calibration", true, together("labels"), func(ctx context.Context, p AllParams, in []*datasets.Dir, out page.Output) error {
		return calibration.Make(ctx, calibration.Params{Bins: 20, Draws: shape.DrawsExclude, Holdout: 0.3, Seed: 1, Sources: p.Sources, Clusters: p.clusters(), Workers: p.Workers}, in, out)
	}},
	{"depth", true, together("labels"), func(ctx context.Context, p AllParams, in []*datasets.Dir, out page.Output) error {
		return depth.Make(ctx, depth.Params{Sources: p.Sources, Clusters: p.clusters(), Workers: p.Workers}, in, out)
	}},
	{"moves", true, decisions, func(ctx context.Context, p AllParams, in []*datasets.Dir, out page.Output) error {
		return moves.Make(ctx, moves.Params{Sources: p.Sources, Clusters: p.clusters(), Workers: p.Workers}, in, out)
	}},
}

// Made returns the reports that All put into d, by their commands' names.
func Made(d *datasets.Dir) (made []string) {
	for _, k := range kinds {
		if d.HasFile(k.Name + ".json") {
			made = append(made, k.Name)
		}
	}
	return made
}

// withGames adds to the datasets of a report, the numbers of which are group, the games in which
// players are looked up, and reports which are whose.
func (p AllParams) withGames(all, of []*datasets.Dir, group []int) ([]*datasets.Dir, []int) {
	var names []int
	at, known := map[int]int{}, false
	for _, j := range group {
		games := -1
		if len(p.Names) > 0 {
			games = p.Names[j]
		}
		if games < 0 {
			names = append(names, -1)
			continue
		}
		if _, added := at[games]; !added {
			at[games] = len(of)
			of = append(of, all[games])
		}
		names, known = append(names, at[games]), true
	}
	if !known {
		return of, nil
	}
	return of, names
}

// clusters lets games depend on each other that share a player, where names are known.
func (p AllParams) clusters() sheet.Clusters { return sheet.Clusters{Names: p.Names} }

// All makes every report that the datasets allow with its usual parameters: one page
// with a table of contents, and the files of each. Reports that these data do not allow
// are named on the page with the reason; it is an error when they allow none.
func All(ctx context.Context, p AllParams, in []*datasets.Dir, out page.Output) error {
	if len(p.Sources) == 0 || len(in) < len(p.Sources) || len(p.Names) > 0 && len(p.Names) != len(p.Sources) {
		return fmt.Errorf("%d datasets for %d names", len(in), len(p.Sources))
	}
	games := in
	in = in[:len(p.Sources)]
	c := &collection{Files: out, paper: out.Paper("")}
	f := page.File{Title: sheet.Title("Reports", "", p.Sources), Contents: true}
	var failed []error
	used := make([]bool, len(in))
	for _, k := range kinds {
		for i, g := range k.Groups(in) {
			c.suffix = ""
			if i > 0 {
				c.suffix = fmt.Sprintf("-%d", i+1)
			}
			q := AllParams{Workers: p.Workers}
			var of []*datasets.Dir
			for _, j := range g {
				of, q.Sources, used[j] = append(of, in[j]), append(q.Sources, p.Sources[j]), true
			}
			if k.Players {
				of, q.Names = p.withGames(games, of, g)
			}
			if err := k.Make(ctx, q, of, c); err != nil {
				err = fmt.Errorf("%s of %s: %w", k.Name, strings.Join(q.Sources, ", "), err)
				if !errors.As(err, new(sheet.Error)) {
					return err
				}
				failed = append(failed, err)
			}
		}
	}
	for j, d := range in {
		if !used[j] && !isInput(in, d) {
			failed = append(failed, fmt.Errorf("%s: no report can be made of %s alone", p.Sources[j], d.Table.Name))
		}
	}
	if len(c.pages) == 0 {
		return errors.Join(failed...)
	}
	for _, err := range failed {
		f.LeftOut = append(f.LeftOut, err.Error())
	}
	f.Sections = c.pages
	index, err := f.HTML()
	if err != nil {
		return err
	}
	return out.AddFile("index.html", index)
}
