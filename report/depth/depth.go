// Package depth regresses the values of a deep search on a shallow search's (ProbCut, Buro 1995).
package depth

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/games/board"
	"kifu/query"
	"kifu/report/page"
	"kifu/report/sheet"
	"kifu/report/weights"
	"kifu/schemas"
)

// Params is everything that changes a depth report.
type Params struct {
	Deep    string   `json:"deep,omitempty"`    // column; empty: each dataset's last search (meta leaf)
	Shallow []string `json:"shallow,omitempty"` // columns; none: all other searches
	Within  float64  `json:"within,omitempty"`  // shallow values beyond it are left out; 0: none
	Sources []string `json:"sources"`           // names of the inputs: labels, fits, or both
	Workers int      `json:"-"`                 // threads; 0: one a processor; the output does not depend on it
	sheet.Clusters
}

// Validate reports the first parameter that makes no sense whatever the labels.
func (p Params) Validate() error {
	if !(p.Within >= 0 && p.Within < math.Inf(1)) {
		return fmt.Errorf("within %v: want a value above 0, or 0 for all", p.Within)
	}
	return nil
}

// querySQL is the data of sql/depth.sql.
type querySQL struct {
	Within  float64
	Phases  sheet.Bands
	Pairs   []searchPair
	Players sheet.Players
	Paired  []pairOfPairs
}

// Scores are the columns of the scores whose squares make the errors of a, b and sigma.
func (querySQL) Scores() []string { return []string{"ex", "u", "ee"} }

// pairOfPairs is a pair of searches with the first one of the same deep search, by number.
type pairOfPairs struct{ Pair, First int }

// comparable returns the pairs whose deep search is also an earlier pair's.
func (q *querySQL) comparable() (all []pairOfPairs) {
	for i, k := range q.Pairs {
		first := slices.IndexFunc(q.Pairs, func(f searchPair) bool { return f.Deep.View == k.Deep.View && f.Deep.Column == k.Deep.Column })
		if first < i {
			all = append(all, pairOfPairs{i, first})
		}
	}
	return all
}

// searchPair is two searches of the same positions.
type searchPair struct{ Shallow, Deep sheet.Contender }

// Itself returns the deep search.
func (k searchPair) Itself() sheet.Contender { return k.Deep }

// regression is a row of the query: deep = A·shallow + B + error.
type regression struct {
	Source, Shallow, Deep, Kind, Level string
	Centre                             float64 // of the phases
	Positions, Games                   int64
	A, ASE, B, BSE, Sigma, SigmaSE, R2 float64
	Shift                              float64
	// Difference is Sigma less the first shallow search's, on the same positions; NaN without one.
	Difference, DifferenceLow, DifferenceHigh float64
	SigmaLow, SigmaHigh                       float64
	EffectiveGames                            float64
}

// report holds the contents of the page and of the picture.
type report struct {
	Params Params
	Game   string
	Unit   string
	Sides  [2]string
	Pairs  []searchPair
	Lines  []regression
	Paired bool            // lines have differences
	Errors string          // how they were taken
	Fits   *weights.Report // of fits to labels of several depths; may be nil
	SQL    string
	Result *query.Result
}

//go:embed depth.sql
var queryTemplate string

// Make regresses deep values on shallow ones: in has one dataset of labels, or one fit,
// a name in p.Sources.
func Make(ctx context.Context, p Params, in []*datasets.Dir, out page.Output) error {
	return sheet.Make(ctx, p.Workers, out, func(db *query.DB) (*report, error) { return run(ctx, db, p, in) })
}

func run(ctx context.Context, db *query.DB, p Params, in []*datasets.Dir) (*report, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if len(in) < len(p.Sources) || len(in) > len(p.Sources) && len(p.Names) == 0 {
		return nil, fmt.Errorf("%d datasets for %d names", len(in), len(p.Sources))
	}
	d := &report{Params: p}
	var labels, fits []*datasets.Dir
	var labelNames, fitNames []string
	for i, dir := range in[:len(p.Sources)] {
		if dir.Table.Name == schemas.Weights.Name {
			fits, fitNames = append(fits, dir), append(fitNames, p.Sources[i])
			continue
		}
		labels, labelNames = append(labels, dir), append(labelNames, p.Sources[i])
	}
	if len(labels) == 0 {
		return nil, errors.New("only fits: also give labels with several searches, or compare fits with kifu report weights")
	}
	if err := d.pair(ctx, db, labels, labelNames); err != nil {
		return nil, err
	}
	if len(fits) > 0 {
		var err error
		if d.Fits, err = weights.Run(ctx, db, weights.Params{Sources: fitNames}, fits); err != nil {
			return nil, err
		}
	}
	q := querySQL{Within: p.Within, Pairs: d.Pairs}
	q.Paired = q.comparable()
	d.Paired = len(q.Paired) > 0
	deep := sheet.ContendersOf(d.Pairs)
	for i := range deep {
		deep[i].Index = i
	}
	var err error
	if q.Players, err = p.Clusters.Attach(ctx, db, in, p.Sources, deep); err != nil {
		return nil, err
	}
	if d.Errors, err = q.Players.Note(ctx, db); err != nil {
		return nil, err
	}
	if q.Phases, err = sheet.PhaseBands(ctx, db, deep); err != nil {
		return nil, err
	}
	var rows []sheet.Fields
	if d.SQL, rows, d.Result, err = sheet.Run(ctx, db, "depth.sql", queryTemplate, q); err != nil {
		return nil, err
	}
	d.fill(rows)
	if len(d.Lines) == 0 {
		return nil, sheet.Errorf("%s: fewer than three positions have both values, or all have the same shallow value: label more positions", labelNames[0])
	}
	return d, nil
}

// pair finds the searches that are set against each other.
func (d *report) pair(ctx context.Context, db *query.DB, labels []*datasets.Dir, names []string) error {
	var columns []string
	if d.Params.Deep != "" {
		columns = []string{d.Params.Deep}
	}
	all, err := sheet.Contenders(ctx, db, labels, names, columns, "labels")
	if err != nil {
		return err
	}
	d.Game, d.Unit = labels[0].Manifest.Meta["game"], labels[0].Manifest.Meta["unit"]
	d.Sides = board.SidesOf(ctx, d.Game)
	for i, deep := range all {
		if unit := labels[i].Manifest.Meta["unit"]; unit != d.Unit {
			return fmt.Errorf("%s has values in %s, %s in %s: they cannot share a table", names[0], d.Unit, names[i], unit)
		}
		shallow := d.Params.Shallow
		if len(shallow) == 0 {
			shallow = searches(labels[i].Table, deep.Column)
		}
		if len(shallow) == 0 {
			return sheet.Errorf("%s has values of only one search: label with several, as in --search static,quiescence,depth:4", labels[i].Path)
		}
		for _, column := range shallow {
			typ, err := db.Expression(ctx, labels[i], query.Named{Name: "shallow", SQL: query.QuoteName(column)})
			if err != nil {
				return err
			}
			if !query.IsNumber(typ) {
				return sheet.Errorf("%s: column %s is %s, not an evaluation", labels[i].Path, column, typ)
			}
			one := deep
			one.Column, one.Value = column, query.QuoteName(column)
			d.Pairs = append(d.Pairs, searchPair{Shallow: one, Deep: deep})
		}
	}
	return nil
}

// searches are the value columns of a table of labels that come before deep, in order.
func searches(t schemas.Table, deep string) []string {
	var names []string
	for _, c := range t.Columns {
		if c.Name == deep {
			break
		}
		if c.Type == schemas.Float32 && strings.HasSuffix(c.Name, "_value") {
			names = append(names, c.Name)
		}
	}
	return names
}

func (d *report) fill(rows []sheet.Fields) {
	for _, f := range rows {
		d.Lines = append(d.Lines, regression{
			Source: f.Text("source"), Shallow: f.Text("shallow"), Deep: f.Text("deep"), Kind: f.Text("kind"), Level: f.Text("level"), Centre: f.Number("centre"),
			Positions: f.Whole("positions"), Games: f.Whole("games"), A: f.Number("a"), ASE: f.OrNaN("a_se"), B: f.Number("b"), BSE: f.OrNaN("b_se"),
			Sigma: f.Number("sigma"), SigmaSE: f.OrNaN("sigma_se"), R2: f.OrNaN("r2"), Shift: f.Number("shift"),
			Difference: f.IfThere("sigma_difference"), DifferenceLow: f.IfThere("sigma_difference_low"), DifferenceHigh: f.IfThere("sigma_difference_high"),
			SigmaLow: f.OrNaN("sigma_low"), SigmaHigh: f.OrNaN("sigma_high"), EffectiveGames: f.OrNaN("effective_games"),
		})
	}
}

// name returns the name of the pair of l in the report.
func (d *report) name(l regression) string {
	name := searchName(l.Shallow) + " → " + searchName(l.Deep)
	for _, k := range d.Pairs {
		if k.Deep.Source != l.Source {
			return l.Source + ", " + name
		}
	}
	return name
}

// searchName is the search of a value column: depth 4 of depth_4_value.
func searchName(column string) string {
	return strings.ReplaceAll(strings.TrimSuffix(column, "_value"), "_", " ")
}
