package report

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"kifu/datasets"
)

// AllParams is everything that changes the page of all reports.
type AllParams struct {
	Sources []string `json:"sources"` // names of the inputs
	Workers int      `json:"-"`       // threads; 0: one a processor; the output does not depend on it
}

// kind is a report that All knows.
type kind struct {
	Name   string                           // of its command
	Groups func(in []*datasets.Dir) [][]int // the datasets of each report of the kind
	Make   func(ctx context.Context, p AllParams, in []*datasets.Dir, out Output) error
}

// kinds are in the order of the page. A new report is a line here.
var kinds = []kind{
	{"database", databases, func(ctx context.Context, p AllParams, in []*datasets.Dir, out Output) error {
		return Database(ctx, DatabaseParams{Sources: p.Sources, Workers: p.Workers}, in, out)
	}},
	{"opening", trees, func(ctx context.Context, p AllParams, in []*datasets.Dir, out Output) error {
		return Opening(ctx, OpeningParams{Sources: p.Sources, Depth: 12, MinGames: 5, Workers: p.Workers}, in, out)
	}},
	{"players", together("games"), func(ctx context.Context, p AllParams, in []*datasets.Dir, out Output) error {
		return Players(ctx, PlayersParams{Sources: p.Sources, MinGames: 10, Expectation: ExpectAuto, FDR: 0.05, Workers: p.Workers}, in, out)
	}},
	{"curve", together("labels"), func(ctx context.Context, p AllParams, in []*datasets.Dir, out Output) error {
		return Curve(ctx, CurveParams{Sources: p.Sources, Workers: p.Workers}, in, out)
	}},
	{"split", each("labels"), func(ctx context.Context, p AllParams, in []*datasets.Dir, out Output) error {
		return Split(ctx, SplitParams{Source: p.Sources[0], Holdout: 0.3, FDR: 0.05, Top: 20, Seed: 1, Workers: p.Workers}, in, out)
	}},
	{"weights", together("weights"), func(ctx context.Context, p AllParams, in []*datasets.Dir, out Output) error {
		return Weights(ctx, WeightsParams{Sources: p.Sources, Literature: true, Workers: p.Workers}, in, out)
	}},
	{"opponent", together("learn"), func(ctx context.Context, p AllParams, in []*datasets.Dir, out Output) error {
		return Opponent(ctx, OpponentParams{Sources: p.Sources, Workers: p.Workers}, in, out)
	}},
	{"calibration", together("labels"), func(ctx context.Context, p AllParams, in []*datasets.Dir, out Output) error {
		return Calibration(ctx, CalibrationParams{Bins: 20, Draws: DrawsExclude, Holdout: 0.3, Seed: 1, Sources: p.Sources, Workers: p.Workers}, in, out)
	}},
	{"depth", together("labels"), func(ctx context.Context, p AllParams, in []*datasets.Dir, out Output) error {
		return Depth(ctx, DepthParams{Sources: p.Sources, Workers: p.Workers}, in, out)
	}},
	{"moves", decisions, func(ctx context.Context, p AllParams, in []*datasets.Dir, out Output) error {
		return Moves(ctx, MovesParams{Sources: p.Sources, Workers: p.Workers}, in, out)
	}},
}

// collection is an Output that keeps the pages of reports for one of all, and tells the
// files of reports of a kind apart.
type collection struct {
	Output
	suffix string // of the files of the report under way
	pages  []page
}

func (c *collection) add(p page) {
	p.Name += c.suffix
	c.pages = append(c.pages, p)
}

func (c *collection) AddFile(name string, data []byte) error {
	end := path.Ext(name)
	return c.Output.AddFile(strings.TrimSuffix(name, end)+c.suffix+end, data)
}

// SetMeta says nothing: what holds for one report need not for the next.
func (c *collection) SetMeta(string, string) {}

// All makes every report that the datasets allow with its usual parameters: one page
// with a table of contents, and the files of each. Reports that these data do not allow
// are named on the page with the reason; it is an error when they allow none.
func All(ctx context.Context, p AllParams, in []*datasets.Dir, out Output) error {
	if len(in) == 0 || len(in) != len(p.Sources) {
		return fmt.Errorf("%d datasets for %d names", len(in), len(p.Sources))
	}
	c := &collection{Output: out}
	f := pageFile{Title: titleOf("Reports", "", p.Sources), Contents: true}
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
			if err := k.Make(ctx, q, of, c); err != nil {
				err = fmt.Errorf("%s of %s: %w", k.Name, strings.Join(q.Sources, ", "), err)
				if !errors.As(err, new(dataError)) {
					return err
				}
				failed = append(failed, err)
			}
		}
	}
	for j, d := range in {
		if !used[j] && !isInput(in, d) {
			failed = append(failed, fmt.Errorf("%s: no report is of %s alone", p.Sources[j], d.Table.Name))
		}
	}
	if len(c.pages) == 0 {
		return errors.Join(failed...)
	}
	for _, err := range failed {
		f.LeftOut = append(f.LeftOut, err.Error())
	}
	f.Sections = c.pages
	index, err := f.html()
	if err != nil {
		return err
	}
	return out.AddFile("index.html", index)
}
