// Package weights compares the weights of fits with each other and with values of the literature, with
// errors, intervals and support.
package weights

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"math"

	"kifu/datasets"
	"kifu/internal/paired"
	"kifu/query"
	"kifu/report/page"
	"kifu/report/sheet"
	"kifu/schemas"
)

// Params is everything that changes a weights report.
type Params struct {
	Sources    []string    `json:"sources"`              // names of the fits
	References []Reference `json:"references,omitempty"` // to compare them with
	Literature bool        `json:"literature,omitempty"` // and the built-in ones of the literature
	Labels     bool        `json:"labels,omitempty"`     // a dataset of labels comes after the fits: positions of it show the terms
	Workers    int         `json:"-"`                    // threads; 0: one a processor; the output does not depend on it
}

// Report holds the contents of the page and of the picture.
type Report struct {
	Unit       string
	Fits       []Fit
	References []Reference
	Lines      []Line // one a term and stage, in the evaluator's order
	Groups     []string
	SQL        string
	Rows       *query.Result
}

// Fit is one of the fits: its name in the report, the key of its dataset and its fit.json.
type Fit struct {
	Name, Key string
	schemas.Fit
	groups paired.Fit
}

// Line is one weight in all fits; Of has one entry a fit, nil where a fit did not free it.
type Line struct {
	Group, Term, Stage string
	Of                 []*Estimate
}

// Estimate is a weight by one fit.
type Estimate struct {
	Initial, Weight  float64
	SE, Low, High, Z float64 // NaN without an error
	Positions, Games int64
	Status           string
}

//go:embed weights.sql
var queryTemplate string

// Make sets fits side by side: in has one fit a name in p.Sources, and then the labels if there are
// any.
func Make(ctx context.Context, p Params, in []*datasets.Dir, out page.Output) error {
	fits := in[:min(len(in), len(p.Sources))]
	w, err := sheet.Ask(ctx, p.Workers, func(db *query.DB) (*Report, error) { return Run(ctx, db, p, fits) })
	if err != nil {
		return err
	}
	var boards template.HTML
	if p.Labels {
		if len(in) != len(p.Sources)+1 {
			return errors.New("no labels to show positions of")
		}
		if boards, err = w.boards(ctx, in[len(in)-1], p.Workers, out); err != nil {
			return err
		}
	}
	return w.sheet(boards).Write(out)
}

// Run reads the fits in in, one a name in p.Sources, and asks for their weights.
func Run(ctx context.Context, db *query.DB, p Params, in []*datasets.Dir) (*Report, error) {
	names, err := sheet.Attach(ctx, db, in, p.Sources, "weights")
	if err != nil {
		return nil, err
	}
	w := &Report{References: p.References}
	var views []sheet.View
	for i, d := range in {
		f := Fit{Name: names[i], Key: d.Manifest.Key}
		text, err := d.ReadFile("fit.json")
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &f.Fit); err != nil {
			return nil, fmt.Errorf("%s/fit.json: %w", d.Path, err)
		}
		if d.HasFile(paired.File) {
			if text, err = d.ReadFile(paired.File); err != nil {
				return nil, err
			}
			if f.groups, err = paired.Parse(d.Manifest.FirstInput(), text); err != nil {
				return nil, fmt.Errorf("%s: %w", d.Path, err)
			}
		}
		if i > 0 && f.Unit != w.Unit {
			return nil, fmt.Errorf("%s has weights in %s, %s in %s: they cannot share an axis", names[0], w.Unit, names[i], f.Unit)
		}
		w.Unit = f.Unit
		w.Fits = append(w.Fits, f)
		views = append(views, sheet.ViewOf(names[i]))
	}
	var rows []sheet.Fields
	if w.SQL, rows, w.Rows, err = sheet.Run(ctx, db, "weights.sql", queryTemplate, views); err != nil {
		return nil, err
	}
	if err := w.fill(rows); err != nil {
		return nil, err
	}
	for _, r := range w.References {
		if err := r.goesWith(w); err != nil {
			return nil, err
		}
	}
	if p.Literature {
		return w, w.addLiterature()
	}
	return w, nil
}

// fill sorts the rows of the query into lines.
func (w *Report) fill(rows []sheet.Fields) error {
	number := map[string]int{}
	for i, f := range w.Fits {
		number[f.Name] = i
	}
	for _, f := range rows {
		line := Line{Group: f.Text("term_group"), Term: f.Text("term"), Stage: f.Text("stage")}
		last := len(w.Lines) - 1
		if last < 0 || w.Lines[last].Group != line.Group || w.Lines[last].Term != line.Term || w.Lines[last].Stage != line.Stage {
			if last < 0 || w.Lines[last].Group != line.Group {
				w.Groups = append(w.Groups, line.Group)
			}
			line.Of = make([]*Estimate, len(w.Fits))
			w.Lines = append(w.Lines, line)
			last++
		}
		w.Lines[last].Of[number[f.Text("fit")]] = &Estimate{
			Initial: f.Number("initial_weight"), Weight: f.Number("weight"),
			SE: f.OrNaN("se_robust"), Low: f.OrNaN("ci_low"), High: f.OrNaN("ci_high"), Z: f.OrNaN("z"),
			Positions: f.Whole("positions"), Games: f.Whole("games"), Status: f.Text("status"),
		}
	}
	if len(w.Lines) == 0 {
		return sheet.Errorf("%s: no weight was fitted: free some with kifu fit --free", w.Fits[0].Name)
	}
	return nil
}

// label is the weight's name with its stage.
func (l Line) label() string {
	if l.Stage == "" {
		return l.Term
	}
	return l.Term + ", " + l.Stage
}

// less returns the weight by fit i less the first fit's; false if the games do not give it.
func (w *Report) less(l Line, i int) (paired.Difference, bool) {
	a, b := l.Of[0], l.Of[i]
	if i == 0 || a == nil || b == nil || math.IsNaN(a.SE) || math.IsNaN(b.SE) {
		return paired.Difference{}, false
	}
	return w.Fits[0].groups.Differ(w.Fits[i].groups, paired.Key{Group: l.Group, Term: l.Term, Stage: l.Stage}, a.Weight, a.SE, b.Weight, b.SE)
}
