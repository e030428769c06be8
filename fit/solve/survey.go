package solve

import (
	"context"
	"errors"

	"kifu/fit/rows"
	"kifu/schemas"
)

// Findings are the obstacles to a fit.
type Findings struct {
	Parameters int               // that would be fitted, w_0 and a draw width included
	Problems   []schemas.FitNote // reasons to refuse the fit
	Notes      []schemas.FitNote // about single weights
}

// Survey looks for every obstacle to a fit, where solve stops at the first.
func Survey(ctx context.Context, r *rows.Store, s Settings) (*Findings, error) {
	r.Stop = ctx.Done()
	out := new(Findings)
	e := newEstimate(r, s)
	if !out.Add(e.outcomes(r)) || r.N == 0 {
		return out, nil
	}
	e.Supports = r.Supports(s.Workers)
	if err := e.scaleStart(ctx, r); !out.Add(err) {
		return nil, err
	}
	e.priors(r)
	if _, err := e.unknowns(r); !out.Add(err) {
		return nil, err
	}
	out.Parameters = len(e.u.Columns)
	if _, err := e.information(r); !out.Add(err) {
		return nil, err
	}
	out.Notes = e.Notes
	if len(out.Problems) > 0 {
		return out, ctx.Err()
	}
	// What only shows in the end: weights that run away together.
	e, err := Fit(ctx, r, s)
	if !out.Add(err) {
		return nil, err
	}
	if err == nil {
		out.Notes = e.Notes
	}
	return out, nil
}

// Add reports whether err is nil, or a problem that it then adds.
func (f *Findings) Add(err error) bool {
	if u, ok := errors.AsType[*Unidentified](err); ok {
		f.Problems = append(f.Problems, schemas.FitNote{Kind: u.Kind, Terms: u.Terms, Text: u.Reason})
		return true
	}
	return err == nil
}
