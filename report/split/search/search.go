// Package search finds conditions under which the evaluation curve of labels differs from the curve of all positions. It tries many
// conditions on some games and confirms the findings on the others.
//
//	survey      the evaluations with their results, and a sample of rows to set thresholds by
//	conditions  what is tried (package conditions)
//	screen      the test of every condition, robust to positions of one game
//	group       equivalent conditions are one split
//	judge       gaps, weights and log-loss with intervals, and the test on held-out games
//
// In: labels, and the games that they are from. Out: the splits in the order asked for, each with its numbers. It writes no
// report: that is package split.
package search

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/internal/dyads"
	"kifu/internal/human"
	"kifu/query"
	"kifu/report/curve"
	"kifu/report/shape"
	"kifu/report/sheet"
	"kifu/report/split/conditions"
	"kifu/schemas"
)

// Params is everything that changes a report of splits.
type Params struct {
	Source     string        `json:"source"`               // name of the labels
	Value      string        `json:"value,omitempty"`      // column; empty: the labels' last search (meta leaf)
	Bin        float64       `json:"bin,omitempty"`        // width of the curves' bins; 0: by the unit
	Draws      string        `json:"draws"`                // DrawsExclude or DrawsHalf; empty: exclude
	Columns    []string      `json:"columns,omitempty"`    // to make conditions of; empty: see splitColumns
	Conditions []query.Named `json:"conditions,omitempty"` // to try besides
	MinCount   int64         `json:"min_count"`            // positions that a condition needs, and as many outside; 0: 1000
	Holdout    float64       `json:"holdout"`              // share of the games kept back to confirm on
	FDR        float64       `json:"fdr"`                  // false discovery rate of the candidates that held-out games decide on
	Level      float64       `json:"level"`                // family-wise rate of what is shown: the share of searches that would show anything where nothing is missing
	Cluster    string        `json:"cluster,omitempty"`    // one of dyads.Ways, of games with a second input; empty: the wider error
	Aliases    []dyads.Alias `json:"aliases,omitempty"`    // names to replace
	Top        int           `json:"top"`                  // splits that are shown at most
	By         string        `json:"by"`                   // order: byFall, byWald, byGap or byArea; empty: by the fall
	Seed       uint64        `json:"seed"`                 // of the choice of games
	Workers    int           `json:"-"`                    // threads; 0: one a processor; the output does not depend on it
}

// The orders of a list of splits.
const (
	byFall = "fall" // by the fall of the log-loss in the games of the search, the largest first
	byWald = "wald" // by the Wald statistic: what is surest
	byGap  = "gap"  // by the largest horizontal gap: what is worth most in a position
	byArea = "area" // by the area between the curves times the condition's positions: what matters most
)

var Orders = []string{byFall, byWald, byGap, byArea}

// Validate reports the first parameter that makes no sense whatever the labels.
func (p Params) Validate() error {
	if err := (curve.Params{Draws: p.Draws, Bin: p.Bin, MinCount: p.MinCount, When: p.Conditions}).Validate(); err != nil {
		return err
	}
	switch {
	case p.Draws == shape.DrawsBands:
		return fmt.Errorf("draws %q: want %s or %s", p.Draws, shape.DrawsExclude, shape.DrawsHalf)
	case !(p.Holdout > 0 && p.Holdout <= 0.9):
		return fmt.Errorf("holdout %v: want a share of the games above 0 and up to 0.9: splits are confirmed on them", p.Holdout)
	case !(p.FDR > 0 && p.FDR < 1):
		return fmt.Errorf("false discovery rate %v: want a number between 0 and 1", p.FDR)
	case !(p.Level >= 1.0/(Flips+1) && p.Level < 1):
		return fmt.Errorf("level %v: want a number from %v, the least for %d flips, to 1", p.Level, 1.0/(Flips+1), Flips)
	case p.Top < 1 || p.Top > 100:
		return fmt.Errorf("top %d: want a number from 1 to 100", p.Top)
	case p.By != "" && !slices.Contains(Orders, p.By):
		return fmt.Errorf("order %q: want %s", p.By, strings.Join(Orders, ", "))
	}
	return nil
}

// Result is what a search has found.
type Result struct {
	Params     Params
	Source     sheet.Source
	Unit       string
	Value      string
	Bin        float64
	Tried      int // conditions
	Tested     int // of them: that have the positions and games for a test, and are no function of the value
	Columns    []string
	Sides      [2]SideCount // train, held out
	Forced     int64        // positions whose evaluation is a forced win
	Unfinished int64        // of games without a result, or of draws that do not count
	NoValue    int64
	Shifted    int                              // conditions that shift the curve at the level
	Sloped     int                              // that make it steeper or flatter at the false discovery rate, in the games of the search
	Beyond     int                              // shifts that --top leaves out
	NoGames    bool                             // the positions are of no known games
	Players    *sheet.Known                     // nil: the players are unknown
	ByPlayer   bool                             // shifts are tested by player
	wider      map[conditions.Condition]float64 // how much larger than by game the errors of shifts are
	Splits     []*Split
	Docs       map[string]string // of the columns
}

type SideCount struct{ Positions, Games int64 }

// Split is a condition with the conditions alike it.
type Split struct {
	Condition conditions.Condition
	Train     verdict
	Held      verdict
	T         float64 // of the shift in all games, given the splits found before it
	ShiftP    float64 // of the same, adjusted for all conditions; NaN: no shift was found
	SlopeP    float64 // of the slope in the held-out games, adjusted for all that were found; NaN: none was
	P         float64 // the one of the two that there is
	Confirmed bool
	Ranks     [4]int // in each of the orders, among the survivors; from 1
	Alike     []conditions.Condition
	Mirror    *Split // the same with the colours exchanged; nil if it was not found, or not as a split of its own

	Positions, Games int64 // on both sides together
	At               float64
	Gap, GapHeld     Interval // horizontal, at the bin At; all games, held-out games
	Mean             Interval // over the bins, all games
	Area, AreaNoise  float64  // and the area that chance makes on average where there is no gap
	Weight           Interval // of a feature that is 1 where the condition holds; games not held out
	Given            Interval // the same given the splits found before it, all games; NaN for the first
	Fall             Interval // of the log-loss of held-out positions, in nats

	Lead, Worth float64 // a value that the condition's positions have, and what it is worth to either side

	Atoms []conditions.Atom
}

// Interval is an estimate with its 95 % interval; NaN without one.
type Interval struct{ Value, Low, High float64 }

var None = Interval{math.NaN(), math.NaN(), math.NaN()}

// Significant reports whether an interval leaves out 0.
func (i Interval) Significant() bool { return i.Low > 0 || i.High < 0 }

// Found is a split that a search has found.
type Found struct {
	Condition string // in SQL
	Shift     bool   // by its shift; else by its slope
	P         float64
	Shown     bool // else a candidate
}

// Find returns the splits of labels, from a database of its own.
func Find(ctx context.Context, p Params, in ...*datasets.Dir) (all []Found, err error) {
	db, err := query.Open(ctx, query.Options{Threads: p.Workers})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	s, err := Run(ctx, db, p, in)
	if err != nil {
		return nil, err
	}
	for _, k := range withMirrors(s.Splits) {
		all = append(all, Found{k.Condition.SQL, !math.IsNaN(k.ShiftP), k.P, k.Confirmed})
	}
	return all, nil
}

// Run searches on the games that are not held out, and judges on all.
func Run(ctx context.Context, db *query.DB, p Params, in []*datasets.Dir) (*Result, error) {
	if len(in) != 1 && len(in) != 2 {
		return nil, fmt.Errorf("%d datasets of labels: want one", len(in))
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	p.Draws = cmp.Or(p.Draws, shape.DrawsExclude)
	p.MinCount = cmp.Or(p.MinCount, 1000)
	p.By = cmp.Or(p.By, byFall)
	s := &Result{Params: p}
	r, err := s.open(ctx, db, in[0])
	if err != nil {
		return nil, err
	}
	var games *datasets.Dir
	if len(in) == 2 {
		games = in[1]
	}
	if r.clusters, err = newClusters(ctx, p, in[0], games); err != nil {
		return nil, err
	}
	s.Players = r.clusters.who
	survey, err := r.survey(ctx)
	if err != nil {
		return nil, err
	}
	s.Sides, s.Forced, s.Unfinished, s.NoValue = survey.sides, survey.forced, survey.unfinished, survey.noValue
	axis, err := newAxis(survey, s.Bin)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in[0].Path, err)
	}
	all := conditions.New(r.sqlNames, survey.types, survey.sample, p.Conditions)
	s.Tried = len(all.All)
	rows, err := r.store(ctx, axis, all)
	if err != nil {
		return nil, err
	}
	defer rows.close()
	found, err := rows.screen(ctx, all, Train)
	if err != nil {
		return nil, err
	}
	g := s.newGrouping(survey, axis, all, found)
	survey.sample = nil // it is large, and g has what its rows hold
	if s.Tested == 0 {
		return nil, sheet.Errorf("%s: none of %d conditions has %s positions inside and outside, in %d games: allow fewer with --min-count", in[0].Path, s.Tried, human.Grouped(p.MinCount), FewestGames)
	}
	taken, err := s.confirm(ctx, rows, g.slopes())
	if err != nil {
		return nil, err
	}
	shifts, err := g.findShifts(taken, func(what summing) (scoreSums, error) { return rows.sum(ctx, what) })
	if err != nil {
		return nil, err
	}
	g.shifts(shifts)
	if len(g.all) > 0 {
		if err := s.judge(ctx, rows, g.all); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// open sees that the labels can be searched.
func (s *Result) open(ctx context.Context, db *query.DB, d *datasets.Dir) (*reader, error) {
	names, err := sheet.Attach(ctx, db, []*datasets.Dir{d}, []string{s.Params.Source}, "labels")
	if err != nil {
		return nil, err
	}
	if d.Table.Index("occurrences") >= 0 {
		return nil, sheet.Errorf("%s has distinct positions: a row's results are of several games, and tests must know each game's: label positions made without --dedup", d.Path)
	}
	if s.Value, err = sheet.Evaluation(ctx, db, d, s.Params.Value); err != nil {
		return nil, err
	}
	for _, n := range s.Params.Conditions {
		if err := db.Condition(ctx, d, n); err != nil {
			return nil, err
		}
	}
	if s.Bin, err = curve.BinWidth(d, s.Value, s.Params.Bin); err != nil {
		return nil, err
	}
	s.NoGames = d.Manifest.Meta[schemas.NoGames] != ""
	s.Source, s.Unit = sheet.SourceOf(d, names[0], s.Value), sheet.UnitOf(d, s.Value)
	if s.Columns, err = conditions.Columns(d.Table, s.Params.Columns); err != nil {
		return nil, fmt.Errorf("%s: %w", d.Path, err)
	}
	s.Docs = map[string]string{}
	for _, c := range d.Table.Columns {
		s.Docs[c.Name] = c.Doc
	}
	if len(s.Columns)+len(s.Params.Conditions) == 0 {
		return nil, sheet.Errorf("%s has no column to make conditions of: name some with --columns, or conditions with --condition", d.Path)
	}
	r := &reader{dir: d, value: s.Value, columns: s.Columns, params: s.Params, bin: s.Bin}
	for _, name := range s.Columns {
		if _, err := db.Expression(ctx, d, query.Named{Name: name, SQL: name}); err != nil {
			name = query.QuoteName(name)
		}
		r.sqlNames = append(r.sqlNames, name)
	}
	for _, n := range s.Params.Conditions {
		set, err := holds(ctx, db, d, n)
		if err != nil {
			return nil, err
		}
		r.given = append(r.given, set)
	}
	return r, nil
}

// holds returns for every row of d whether the condition holds. Null is not true.
func holds(ctx context.Context, db *query.DB, d *datasets.Dir, n query.Named) (bitset, error) {
	of, err := db.Bits(ctx, d, []query.Named{n})
	if err != nil {
		return nil, err
	}
	set, first := newBitset(int(d.Rows())), 0
	for part := range d.NumParts() {
		info, err := d.Info(part)
		if err != nil {
			return nil, err
		}
		bits, err := of(ctx, part)
		if err != nil {
			return nil, err
		}
		for row := range int(info.Rows) {
			if bits[0].Has(row) {
				set.add(first + row)
			}
		}
		first += int(info.Rows)
	}
	return set, nil
}

// Text is "+31 (+25 to +37)".
func (i Interval) Text(decimals int) string { return human.Estimate(i.Value, i.Low, i.High, decimals) }

// Scaled is i in another unit.
func (i Interval) Scaled(by float64) Interval { return Interval{i.Value * by, i.Low * by, i.High * by} }

// confirmed is 2 if k is confirmed, 1 if it is with the colours exchanged, else 0.
func (k *Split) confirmed() int {
	switch {
	case k.Confirmed:
		return 2
	case k.Mirror != nil && k.Mirror.Confirmed:
		return 1
	}
	return 0
}

// Shown are the splits of the picture and the tables: those that are confirmed, themselves or
// with the colours exchanged.
func (s *Result) Shown() []*Split {
	n := slices.IndexFunc(s.Splits, func(k *Split) bool { return k.confirmed() == 0 })
	if n < 0 {
		return s.Splits
	}
	return s.Splits[:n]
}
