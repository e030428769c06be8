// Package opponent sets opponent models side by side: what kifu learn found of one or more
// players.
package opponent

import (
	"context"
	_ "embed"
	"fmt"

	"kifu/datasets"
	"kifu/internal/lists"
	"kifu/query"
	"kifu/report/page"
	"kifu/report/sheet"
	"kifu/schemas"
)

// Params is everything that changes a report of opponent models.
type Params struct {
	Sources []string `json:"sources"`         // names of the models
	Games   bool     `json:"games,omitempty"` // the last input, which has no name, has the games that models were learned of
	Workers int      `json:"-"`               // threads; 0: one a processor; the output does not depend on it
}

// report holds the contents of the page and of the pictures.
type report struct {
	Models []*model
	SQL    string
	Rows   *query.Result
}

// model is one directory of kifu learn.
type model struct {
	Name, Key string
	schemas.Learn
	Rows   []entry
	played bool // its games are known
}

// entry is a row of sql/opponent.sql, which reports what the columns are.
type entry struct {
	Quantity, Sample, Solver                  string
	Depth, Top, PhaseLow, PhaseHigh           int64 // the phases -1: all
	Quiescence                                bool
	Difference, DifferenceLow, DifferenceHigh float64 // NaN without one
	Model                                     bool
	Group, Term, Stage                        string
	Estimate, SE, Low, High, Reference, Total float64 // NaN without one
	Decisions, Games                          int64
	Temperature, Lapse                        float64
	Begun                                     bool // the weights are those that learning began with
}

// modelSQL is the data of sql/opponent.sql.
type modelSQL struct {
	name    string
	Quoted  string // the name as a text
	Depths  []int
	Learned bool // weights were learned
	Model   int64
	Solver  string

	QuietRanks   []int // depths of the candidates with quiescence, of which decisions.csv has the ranks
	Quiet        bool  // there are such candidates
	Compared     bool  // candidates are compared with the model
	QuietWeights bool  // strategies report whether they have quiescence
	ModelQuiet   bool
}

// View is a table of the model as SQL.
func (s modelSQL) View(table string) string { return query.View(s.name + "_" + table) }

//go:embed opponent.sql
var queryTemplate string

// Make sets opponent models side by side: in has one directory of kifu learn a name
// in p.Sources, and with p.Games a dataset of games.
func Make(ctx context.Context, p Params, in []*datasets.Dir, out page.Output) error {
	var games *datasets.Dir
	if p.Games && len(in) > 0 {
		games, in = in[len(in)-1], in[:len(in)-1]
	}
	s, err := sheet.Ask(ctx, p.Workers, func(db *query.DB) (*sheet.Sheet, error) {
		o, err := run(ctx, db, p, in)
		if err != nil {
			return nil, err
		}
		if err := o.attach(ctx, db, in, games); err != nil {
			return nil, err
		}
		out.SetMeta("game", o.Models[0].Game)
		boards, err := o.boards(ctx, db, out)
		return o.sheet(boards), err
	})
	if err != nil {
		return err
	}
	return s.Write(out)
}

func run(ctx context.Context, db *query.DB, p Params, in []*datasets.Dir) (*report, error) {
	for _, d := range in {
		if d.Manifest.Stage != "learn" {
			return nil, fmt.Errorf("%s holds no opponent model: kifu %s made it; kifu learn makes one", d.Path, d.Manifest.Stage)
		}
	}
	names, err := sheet.Attach(ctx, db, in, p.Sources, "report")
	if err != nil {
		return nil, err
	}
	o := &report{}
	var data []modelSQL
	for i, d := range in {
		m, err := readModel(d, names[i])
		if err != nil {
			return nil, err
		}
		if i > 0 && (m.Game != o.Models[0].Game || m.Unit != o.Models[0].Unit) {
			return nil, fmt.Errorf("%s is a model of %s in %s, %s of %s in %s: make a report for each", names[0], o.Models[0].Game, o.Models[0].Unit, names[i], m.Game, m.Unit)
		}
		o.Models = append(o.Models, m)
		s := modelSQL{name: names[i], Quoted: query.QuoteText(names[i]), Learned: len(m.Strategies) > 0, Model: int64(m.Model.Depth), Solver: m.Model.Solver}
		s.candidates(&m.Learn)
		data = append(data, s)
	}
	var rows []sheet.Fields
	if o.SQL, rows, o.Rows, err = sheet.Run(ctx, db, "opponent.sql", queryTemplate, data); err != nil {
		return nil, err
	}
	o.fill(rows)
	return o, nil
}

// candidates sets which columns the files of a model have: older versions have fewer.
func (s *modelSQL) candidates(l *schemas.Learn) {
	for _, depth := range l.Depths {
		s.Depths = append(s.Depths, depth.Depth)
	}
	s.Quiet, s.ModelQuiet = len(l.Quiescent) > 0, l.Model.Quiescence
	s.Compared = l.Depths[0].Against != nil
	for _, depth := range l.Quiescent {
		if s.Compared {
			s.QuietRanks = append(s.QuietRanks, depth.Depth)
		}
	}
	s.QuietWeights = len(l.Strategies) > 0 && l.Strategies[0].LossBehind != nil
}

func readModel(d *datasets.Dir, name string) (*model, error) {
	l, err := sheet.ReadLearn(d)
	if err != nil {
		return nil, err
	}
	return &model{Name: name, Key: d.Manifest.Key, Learn: *l}, nil
}

// fill gives the rows of the query to their models.
func (o *report) fill(rows []sheet.Fields) {
	of := lists.By(o.Models, func(m *model) string { return m.Name })
	for _, f := range rows {
		all := entry{
			Quantity: f.Text("quantity"), Sample: f.Text("sample"), Solver: f.Text("solver"),
			Depth: f.Whole("depth"), Top: f.Whole("top"), PhaseLow: -1, PhaseHigh: -1, Model: f.At("model") != nil && f.Truth("model"),
			Quiescence: f.At("quiescence") != nil && f.Truth("quiescence"),
			Difference: f.OrNaN("difference"), DifferenceLow: f.OrNaN("difference_low"), DifferenceHigh: f.OrNaN("difference_high"),
			Group: f.Text("term_group"), Term: f.Text("term"), Stage: f.Text("stage"),
			Estimate: f.OrNaN("estimate"), SE: f.OrNaN("se"), Low: f.OrNaN("low"), High: f.OrNaN("high"),
			Reference: f.OrNaN("reference"), Total: f.OrNaN("total"), Decisions: f.Whole("decisions"), Games: f.Whole("games"),
			Temperature: f.OrNaN("temperature"), Lapse: f.OrNaN("lapse"),
		}
		if f.At("phase_low") != nil {
			all.PhaseLow, all.PhaseHigh = f.Whole("phase_low"), f.Whole("phase_high")
		}
		all.Begun = f.At("solved_depth") != nil && f.Whole("solved_depth") == 0
		m := of[f.Text("player")]
		m.Rows = append(m.Rows, all)
	}
}

// rows returns the rows of a quantity and, unless they are empty, of a sample and a solver.
func (m *model) rows(quantity, sample, solver string) []entry {
	return lists.Where(m.Rows, func(r entry) bool {
		return r.Quantity == quantity && (sample == "" || r.Sample == sample) && (solver == "" || r.Solver == solver)
	})
}

// at is the row of a quantity, sample, solver, depth and quiescence, or nil.
func (m *model) at(quantity, sample, solver string, depth int64, quiet bool) *entry {
	for i := range m.Rows {
		if r := &m.Rows[i]; r.Quantity == quantity && r.Sample == sample && r.Solver == solver && r.Depth == depth && r.Quiescence == quiet {
			return r
		}
	}
	return nil
}

// solvers returns the solvers with weights: given, and those that learned some.
func (m *model) solvers() []string {
	return lists.Distinct(m.rows("accuracy", "train", ""), func(r entry) string { return r.Solver })
}

// compared is the sample that depths are compared on: the games held out, if there are any.
func (m *model) compared() string {
	if m.Held != nil {
		return "held_out"
	}
	return "train"
}

// judged is the sample that the model is judged by: the games that had least to do with
// how it was found.
func (m *model) judged() string {
	if m.Test != nil {
		return "test"
	}
	return m.compared()
}
