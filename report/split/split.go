// Package split reports conditions under which the evaluation curve of labels differs from the curve of all positions, which package
// search finds.
//
// In: labels, and the games that they are from. Out: a page with a sentence for each split, the curves of the first ones,
// tables, positions that show them, and the commands that fit them as features. It tests nothing. The search is a pass over
// the rows, not SQL; only the curves shown are a query's.
package split

import (
	"context"
	"strconv"
	"strings"

	"kifu/datasets"
	"kifu/games/board"
	"kifu/query"
	"kifu/report/curve"
	"kifu/report/examples"
	"kifu/report/page"
	"kifu/report/sheet"
	"kifu/report/split/search"
)

// report holds the contents of the page, the picture and the tables.
type report struct {
	*search.Result
	Curves *curve.Report // of the first splits

	asks     []examples.Ask // for positions that show the splits
	examples []examples.Example
	game     board.Game // of the examples; nil: there are none
}

// Make finds conditions in which the evaluation curve of labels differs from the total curve (Takeuchi,
// Kaneko, Yamaguchi and Kawai 2007, who find them by eye and name the search as future work). A second input
// has the games of the labels, in which players are looked up.
func Make(ctx context.Context, p search.Params, in []*datasets.Dir, out page.Output) error {
	found, err := sheet.Ask(ctx, p.Workers, func(db *query.DB) (*search.Result, error) { return search.Run(ctx, db, p, in) })
	if err != nil {
		return err
	}
	s := &report{Result: found}
	if err := s.draw(ctx, p, in); err != nil {
		return err
	}
	if err := s.findExamples(ctx, p, in); err != nil {
		return err
	}
	out.SetMeta("unit", s.Unit)
	out.SetMeta("value", s.Value)
	out.SetMeta("columns", strings.Join(s.Columns, ","))
	return s.write(out)
}

// mostCurves is how many splits one picture can show.
const mostCurves = 4

// draw makes the curves of the first splits with the report of curves.
func (s *report) draw(ctx context.Context, p search.Params, in []*datasets.Dir) error {
	db, err := query.Open(ctx, query.Options{Threads: p.Workers})
	if err != nil {
		return err
	}
	defer db.Close()
	c := curve.Params{Values: []string{s.Value}, Bin: s.Bin, Draws: s.Params.Draws, Sources: []string{p.Source}, Workers: p.Workers,
		Clusters: sheet.Clusters{Way: p.Cluster, Aliases: p.Aliases}}
	if len(in) > 1 {
		c.Names = []int{1}
	}
	for i, k := range s.Shown()[:min(mostCurves, len(s.Shown()))] {
		c.When = append(c.When, query.Named{Name: strconv.Itoa(i + 1), SQL: k.Condition.SQL})
	}
	if s.Curves, err = curve.Run(ctx, db, c, in); err != nil {
		return err
	}
	for i, k := range s.Curves.Curves[1:] {
		k.Says = s.Splits[i].Condition.Name
	}
	return nil
}
