package report

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"text/template"

	"kifu/datasets"
	"kifu/query"
	"kifu/schemas"
)

// WeightsParams is everything that changes a weights report.
type WeightsParams struct {
	Sources    []string    `json:"sources"`              // names of the fits
	References []Reference `json:"references,omitempty"` // to set them beside
	Literature bool        `json:"literature,omitempty"` // and beside what ships of the literature that goes with them
	Workers    int         `json:"-"`                    // threads; 0: one a processor; the output does not depend on it
}

// weights is what the page and the picture are made of.
type weights struct {
	Unit   string
	Fits   []fitted
	Beside []Reference
	Lines  []weightLine // one a term and stage, in the evaluator's order
	Groups []string
	SQL    string
	Rows   *query.Result
}

// fitted is a fit as its fit.json tells it. Only what the report prints is read.
type fitted struct {
	Name, Key string
	Method    string `json:"method"`
	Game      string `json:"game"`
	Unit      string `json:"unit"`
	Value     string `json:"value"`
	Draws     string `json:"draws"`
	Scale     struct {
		Value    float64  `json:"value"`
		Status   string   `json:"status"`
		SERobust *float64 `json:"se_robust"`
		CILow    *float64 `json:"ci_low"`
		CIHigh   *float64 `json:"ci_high"`
		Original *float64 `json:"original"`
	} `json:"w_0"`
	Solver struct {
		Status string `json:"status"`
	} `json:"solver"`
	Train  *sample           `json:"train"`
	Held   *sample           `json:"held_out"`
	Notes  []schemas.FitNote `json:"notes"`
	Errors string            `json:"errors"`
}

type sample struct {
	Positions int64    `json:"positions"`
	Games     int64    `json:"games"`
	Base      metrics  `json:"base"`
	Original  *metrics `json:"original"`
	Fitted    metrics  `json:"fitted"`
}

type metrics struct {
	LogLoss  float64 `json:"log_loss"`
	Brier    float64 `json:"brier"`
	Accuracy float64 `json:"accuracy"`
}

// weightLine is one weight in all fits; Of has one entry a fit, nil where a fit did not
// free it.
type weightLine struct {
	Group, Term, Stage string
	Of                 []*estimate
}

type estimate struct {
	Initial, Weight  float64
	SE, Low, High, Z float64 // NaN without an error
	Positions, Games int64
	Status           string
}

//go:embed sql/weights.sql
var weightsTemplate string

// Weights sets fits side by side: in has one fit a name in p.Sources.
func Weights(ctx context.Context, p WeightsParams, in []*datasets.Dir, out Output) error {
	db, err := query.Open(ctx, query.Options{Threads: p.Workers})
	if err != nil {
		return err
	}
	defer db.Close()
	w, err := runWeights(ctx, db, p, in)
	if err != nil {
		return err
	}
	out.SetMeta("unit", w.Unit)
	return w.write(out)
}

func runWeights(ctx context.Context, db *query.DB, p WeightsParams, in []*datasets.Dir) (*weights, error) {
	if len(in) == 0 || len(in) != len(p.Sources) {
		return nil, fmt.Errorf("%d fits for %d names", len(in), len(p.Sources))
	}
	names, err := attach(ctx, db, in, p.Sources, "weights")
	if err != nil {
		return nil, err
	}
	w := &weights{Beside: p.References}
	var views []sourceSQL
	for i, d := range in {
		f := fitted{Name: names[i], Key: d.Manifest.Key}
		text, err := d.ReadFile("fit.json")
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &f); err != nil {
			return nil, fmt.Errorf("%s/fit.json: %w", d.Path, err)
		}
		if i > 0 && f.Unit != w.Unit {
			return nil, fmt.Errorf("%s has weights in %s, %s in %s: they do not go on one axis", names[0], w.Unit, names[i], f.Unit)
		}
		w.Unit = f.Unit
		w.Fits = append(w.Fits, f)
		views = append(views, sourceSQL{View: query.QuoteName(names[i]), Quoted: quoteText(names[i])})
	}
	t, err := template.New("weights.sql").Parse(weightsTemplate)
	if err != nil {
		return nil, err
	}
	var sql bytes.Buffer
	if err := t.Execute(&sql, views); err != nil {
		return nil, err
	}
	w.SQL = sql.String()
	result, err := db.Query(ctx, w.SQL)
	if err != nil {
		return nil, err
	}
	if err := w.take(result); err != nil {
		return nil, err
	}
	for _, r := range w.Beside {
		if err := r.goesWith(w); err != nil {
			return nil, err
		}
	}
	if p.Literature {
		return w, w.addLiterature()
	}
	return w, nil
}

// take sorts the rows of the query into lines.
func (w *weights) take(r *query.Result) error {
	rows, err := r.All()
	if err != nil {
		return err
	}
	w.Rows = query.NewResult(r.Columns, rows)
	number := map[string]int{}
	for i, f := range w.Fits {
		number[f.Name] = i
	}
	for _, row := range rows {
		f := fields{r.Columns, row}
		line := weightLine{Group: f.text("term_group"), Term: f.text("term"), Stage: f.text("stage")}
		last := len(w.Lines) - 1
		if last < 0 || w.Lines[last].Group != line.Group || w.Lines[last].Term != line.Term || w.Lines[last].Stage != line.Stage {
			if last < 0 || w.Lines[last].Group != line.Group {
				w.Groups = append(w.Groups, line.Group)
			}
			line.Of = make([]*estimate, len(w.Fits))
			w.Lines = append(w.Lines, line)
			last++
		}
		w.Lines[last].Of[number[f.text("fit")]] = &estimate{
			Initial: f.number("initial_weight"), Weight: f.number("weight"),
			SE: f.orNaN("se_robust"), Low: f.orNaN("ci_low"), High: f.orNaN("ci_high"), Z: f.orNaN("z"),
			Positions: f.whole("positions"), Games: f.whole("games"), Status: f.text("status"),
		}
	}
	if len(w.Lines) == 0 {
		return dataErrorf("%s: no weight was fitted: free some with kifu fit --free", w.Fits[0].Name)
	}
	return nil
}

func (f fields) orNaN(name string) float64 {
	if f.at(name) == nil {
		return math.NaN()
	}
	return f.number(name)
}

// label is the weight's name with its stage.
func (l weightLine) label() string {
	if l.Stage == "" {
		return l.Term
	}
	return l.Term + ", " + l.Stage
}
