// Package fitted has what fits found, fit.json and the weights, and prints it for a reader.
//
// In: datasets of fits. Out: text. It fits nothing.
package fitted

import (
	"context"
	"encoding/json"
	"fmt"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/internal/paired"
	"kifu/schemas"
)

// Result is a whole fit: fit.json, and the weights of the table.
type Result struct {
	schemas.Fit
	Weights []schemas.Weight
	groups  paired.Fit
}

// Read reads a fit.
func Read(dir *datasets.Dir) (*Result, error) {
	if err := dir.Want("weights"); err != nil {
		return nil, err
	}
	text, err := dir.ReadFile("fit.json")
	if err != nil {
		return nil, err
	}
	r := new(Result)
	if err := json.Unmarshal(text, &r.Fit); err != nil {
		return nil, fmt.Errorf("%s/fit.json: %w", dir.Path, err)
	}
	if dir.HasFile(paired.File) {
		if text, err = dir.ReadFile(paired.File); err != nil {
			return nil, err
		}
		if r.groups, err = paired.Parse(dir.Manifest.FirstInput(), text); err != nil {
			return nil, fmt.Errorf("%s: %w", dir.Path, err)
		}
	}
	return r, datasets.Scan(context.Background(), dir, "", "", nil, func(_ datasets.Group, b *columns.Batch) error {
		number := func(name string, i int) *float64 {
			v := b.Col(name)
			if v.IsNull(i) {
				return nil
			}
			return &[]float64{v.Float64[i]}[0]
		}
		for i := range b.Rows {
			r.Weights = append(r.Weights, schemas.Weight{
				Term: string(b.Col("term").Value(i)), Group: string(b.Col("term_group").Value(i)), Stage: string(b.Col("stage").Value(i)),
				Initial: b.Col("initial_weight").Float64[i], Fitted: b.Col("weight").Float64[i],
				SE: number("se", i), SERobust: number("se_robust", i), CILow: number("ci_low", i), CIHigh: number("ci_high", i), Z: number("z", i),
				Positions: b.Col("positions").Int64[i], Games: b.Col("games").Int64[i], Status: string(b.Col("status").Value(i)),
			})
		}
		return nil
	})
}

// KeyOf returns what w is called.
func KeyOf(w *schemas.Weight) paired.Key {
	return paired.Key{Group: w.Group, Term: w.Term, Stage: w.Stage}
}
