package report

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"text/template"

	"kifu/datasets"
	"kifu/query"
)

// OpponentParams is everything that changes a report of opponent models.
type OpponentParams struct {
	Sources []string `json:"sources"` // names of the models
	Workers int      `json:"-"`       // threads; 0: one a processor; the output does not depend on it
}

// opponents is what the page and the pictures are made of.
type opponents struct {
	Models []*opponentModel
	SQL    string
	Rows   *query.Result
}

// opponentModel is one directory of kifu learn. What is below Name and Key is as its
// learn.json tells it; of that only what the report prints is read.
type opponentModel struct {
	Name, Key string
	Game      string          `json:"game"`
	Unit      string          `json:"unit"`
	Player    []string        `json:"player"`
	Decisions int64           `json:"decisions"`
	Train     opponentSample  `json:"train"`
	Held      *opponentSample `json:"held_out"`
	Test      *opponentSample `json:"test"`
	Depths    []struct {
		Depth int `json:"depth"`
	} `json:"depths"`
	Strategies []json.RawMessage `json:"strategies"`
	Model      struct {
		Depth       int64   `json:"depth"`
		Solver      string  `json:"solver"`
		Temperature float64 `json:"temperature"`
		Lapse       float64 `json:"lapse"`
	} `json:"model"`

	Rows []opponentRow
}

type opponentSample struct {
	Decisions int64 `json:"decisions"`
	Games     int64 `json:"games"`
}

// opponentRow is a row of sql/opponent.sql, which says what the columns are.
type opponentRow struct {
	Quantity, Sample, Solver                  string
	Depth, Top, PhaseLow, PhaseHigh           int64 // the phases -1: all
	Model                                     bool
	Group, Term, Stage                        string
	Estimate, SE, Low, High, Reference, Total float64 // NaN where there is none
	Decisions, Games                          int64
	Temperature, Lapse                        float64
	Begun                                     bool // the weights are those that learning began with
}

// opponentSQL is the data of sql/opponent.sql.
type opponentSQL struct {
	name    string
	Quoted  string // the name as a text
	Depths  []int
	Learned bool // weights were learned
	Model   int64
	Solver  string
}

// View is a table of the model as SQL.
func (s opponentSQL) View(table string) string { return query.QuoteName(s.name + "_" + table) }

// OpponentText is the file with the tables that are printed.
const OpponentText = "opponent.txt"

//go:embed sql/opponent.sql
var opponentTemplate string

// Opponent sets opponent models side by side: in has one directory of kifu learn a name
// in p.Sources.
func Opponent(ctx context.Context, p OpponentParams, in []*datasets.Dir, out Output) error {
	db, err := query.Open(ctx, query.Options{Threads: p.Workers})
	if err != nil {
		return err
	}
	defer db.Close()
	o, err := runOpponent(ctx, db, p, in)
	if err != nil {
		return err
	}
	out.SetMeta("game", o.Models[0].Game)
	return o.write(out)
}

func runOpponent(ctx context.Context, db *query.DB, p OpponentParams, in []*datasets.Dir) (*opponents, error) {
	if len(in) == 0 || len(in) != len(p.Sources) {
		return nil, fmt.Errorf("%d models for %d names", len(in), len(p.Sources))
	}
	for _, d := range in {
		if d.Manifest.Stage != "learn" {
			return nil, fmt.Errorf("%s holds no opponent model: kifu %s made it; kifu learn makes one", d.Path, d.Manifest.Stage)
		}
	}
	names, err := attach(ctx, db, in, p.Sources, "report")
	if err != nil {
		return nil, err
	}
	o := &opponents{}
	var data []opponentSQL
	for i, d := range in {
		m, err := readModel(d, names[i])
		if err != nil {
			return nil, err
		}
		if i > 0 && (m.Game != o.Models[0].Game || m.Unit != o.Models[0].Unit) {
			return nil, fmt.Errorf("%s is a model of %s in %s, %s of %s in %s: they do not go into one report", names[0], o.Models[0].Game, o.Models[0].Unit, names[i], m.Game, m.Unit)
		}
		o.Models = append(o.Models, m)
		s := opponentSQL{name: names[i], Quoted: quoteText(names[i]), Learned: len(m.Strategies) > 0, Model: m.Model.Depth, Solver: m.Model.Solver}
		for _, depth := range m.Depths {
			s.Depths = append(s.Depths, depth.Depth)
		}
		data = append(data, s)
	}
	t, err := template.New("opponent.sql").Parse(opponentTemplate)
	if err != nil {
		return nil, err
	}
	var sql bytes.Buffer
	if err := t.Execute(&sql, data); err != nil {
		return nil, err
	}
	o.SQL = sql.String()
	result, err := db.Query(ctx, o.SQL)
	if err != nil {
		return nil, err
	}
	return o, o.take(result)
}

func readModel(d *datasets.Dir, name string) (*opponentModel, error) {
	m := &opponentModel{Name: name, Key: d.Manifest.Key}
	text, err := d.ReadFile("learn.json")
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("%s/learn.json: %w", d.Path, err)
	}
	return m, nil
}

// take gives the rows of the query to their models.
func (o *opponents) take(r *query.Result) error {
	rows, err := r.All()
	if err != nil {
		return err
	}
	o.Rows = query.NewResult(r.Columns, rows)
	of := map[string]*opponentModel{}
	for _, m := range o.Models {
		of[m.Name] = m
	}
	for _, row := range rows {
		f := fields{r.Columns, row}
		all := opponentRow{
			Quantity: f.text("quantity"), Sample: f.text("sample"), Solver: f.text("solver"),
			Depth: f.whole("depth"), Top: f.whole("top"), PhaseLow: -1, PhaseHigh: -1, Model: f.truth("model"),
			Group: f.text("term_group"), Term: f.text("term"), Stage: f.text("stage"),
			Estimate: f.orNaN("estimate"), SE: f.orNaN("se"), Low: f.orNaN("low"), High: f.orNaN("high"),
			Reference: f.orNaN("reference"), Total: f.orNaN("total"), Decisions: f.whole("decisions"), Games: f.whole("games"),
			Temperature: f.orNaN("temperature"), Lapse: f.orNaN("lapse"),
		}
		if f.at("phase_low") != nil {
			all.PhaseLow, all.PhaseHigh = f.whole("phase_low"), f.whole("phase_high")
		}
		all.Begun = f.at("solved_depth") != nil && f.whole("solved_depth") == 0
		m := of[f.text("player")]
		m.Rows = append(m.Rows, all)
	}
	return nil
}

// rows are those of a quantity and, unless they are empty, of a sample and a solver.
func (m *opponentModel) rows(quantity, sample, solver string) (all []opponentRow) {
	for _, r := range m.Rows {
		if r.Quantity == quantity && (sample == "" || r.Sample == sample) && (solver == "" || r.Solver == solver) {
			all = append(all, r)
		}
	}
	return all
}

// at is the row of a quantity, sample, solver and depth; nil if there is none.
func (m *opponentModel) at(quantity, sample, solver string, depth int64) *opponentRow {
	for i := range m.Rows {
		if r := &m.Rows[i]; r.Quantity == quantity && r.Sample == sample && r.Solver == solver && r.Depth == depth {
			return r
		}
	}
	return nil
}

// solvers are those that weights are of: given, and those that learned some.
func (m *opponentModel) solvers() (all []string) {
	for _, r := range m.rows("accuracy", "train", "") {
		if !slices.Contains(all, r.Solver) {
			all = append(all, r.Solver)
		}
	}
	return all
}

// compared is the sample that depths are compared on: the games held out, if there are any.
func (m *opponentModel) compared() string {
	if m.Held != nil {
		return "held_out"
	}
	return "train"
}

// judged is the sample that the model is judged by: the games that had least to do with
// how it was found.
func (m *opponentModel) judged() string {
	if m.Test != nil {
		return "test"
	}
	return m.compared()
}
