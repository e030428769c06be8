package main

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"

	"kifu/bench/simulation/walk"
	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/fit"
	"kifu/fit/method"
	"kifu/internal/paired"
	"kifu/schemas"
)

// estimate is the result of a fit to one data set.
type estimate struct {
	weights, naive, robust []float64 // of each term
	low, high              []float64 // the interval that knows the games
	wald, ratio            float64   // chances of the tests that d and e mean nothing
	groups                 paired.Fit
}

// replicate plays data set number i and fits it by both methods.
func (d design) replicate(ctx context.Context, dir string, seed, i uint64) (_ map[string]estimate, err error) {
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	in := filepath.Join(dir, "labels")
	_, _, err = datasets.Build(ctx, in, datasets.Step{
		Stage: "simulation", Output: labels.ID(), Params: [...]uint64{seed, i},
		Run: func(_ context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
			return d.write(walk.Source(seed, i), b)
		},
	}, datasets.Options{})
	if err != nil {
		return nil, err
	}
	all := map[string]estimate{}
	for _, m := range []method.Method{method.MLM{Tests: method.Tests{Ratios: true}}, method.LS{}} {
		p := fit.Params{Method: m, Draws: fit.DrawsExclude, Free: []string{"all"}}
		out := filepath.Join(dir, m.Name())
		_, _, err := datasets.Build(ctx, out, datasets.Step{
			Stage: "fit", Output: schemas.Weights.ID(), Params: p, Inputs: []string{in},
			Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
				return fit.Run(ctx, p, fit.Means{Workers: 1}, fit.Sources{Labels: in[0]}, b)
			},
		}, datasets.Options{})
		if err != nil {
			return nil, err
		}
		if all[m.Name()], err = read(out); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// read reads a fit.
func read(path string) (e estimate, err error) {
	dir, err := datasets.Open(path)
	if err != nil {
		return e, err
	}
	part, err := dir.OpenPart(0)
	if err != nil {
		return e, err
	}
	defer part.Close()
	b := columns.NewBatch(dir.Table)
	if err := part.Read(0, b); err != nil {
		return e, err
	}
	e.weights, e.naive, e.robust = b.Col("weight").Float64, b.Col("se").Float64, b.Col("se_robust").Float64
	e.low, e.high = ends(b.Col("ci_low"), -1), ends(b.Col("ci_high"), 1)
	text, err := dir.ReadFile(paired.File)
	if err != nil {
		return e, err
	}
	if e.groups, err = paired.Parse(dir.Manifest.FirstInput(), text); err != nil {
		return e, err
	}
	text, err = dir.ReadFile("fit.json")
	if err != nil {
		return e, err
	}
	var f schemas.Fit
	if err := json.Unmarshal(text, &f); err != nil {
		return e, err
	}
	for _, t := range f.Tests {
		if t.Group == "nothing" {
			if t.WaldP != nil {
				e.wald = *t.WaldP
			}
			if t.RatioP != nil {
				e.ratio = *t.RatioP
			}
		}
	}
	return e, nil
}

// ends returns the numbers of a column; one that is null, of an interval without end, is
// infinite.
func ends(v *columns.Vec, sign int) []float64 {
	out := slices.Clone(v.Float64)
	for i := range out {
		if v.IsNull(i) {
			out[i] = math.Inf(sign)
		}
	}
	return out
}
