package fit

import (
	"context"
	"errors"

	"kifu/datasets"
	"kifu/schemas"
)

// Profile is what there is to say of the positions of a fit before it is made.
type Profile struct {
	Positions, Games          int
	FirstWins, Draws, SecondW float64
	Parameters                int // that would be fitted, w_0 and a draw width included
	Counts                    datasets.Counts
	// Problems are the reasons to refuse the fit; Notes are about single weights.
	Problems, Notes []schemas.FitNote
}

// Check looks for all that hinders a fit at once, where Run stops at the first: no
// games, one game, draws only, one winner, weights that never fire, are thin, constant
// or separable, sums of one another, a scale that is open.
func Check(ctx context.Context, p Params, m Means, from Sources) (*Profile, error) {
	return check(ctx, p, m, from, sqlColumns)
}

func check(ctx context.Context, p Params, m Means, from Sources, columns columnReader) (profile *Profile, err error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	p = p.filled()
	workers := m.workers()
	in, err := read(ctx, p, m, from, columns)
	var out Profile
	if !out.took(err) {
		return nil, err
	}
	if err != nil { // the scale of a blend
		return &out, nil
	}
	defer func() { err = errors.Join(err, in.close()) }()
	r := in.train.rows
	out.Positions, out.Games, out.Counts = r.positions(), r.games, in.counts
	out.FirstWins, out.Draws, out.SecondW = in.train.results.first, in.train.results.draws, in.train.results.second
	s := p.settings(workers)
	s.levels = in.levels
	e := newEstimate(r, s)
	if !out.took(e.outcomes(r)) || r.n == 0 {
		return &out, nil
	}
	e.supports = r.supports(workers)
	if err := e.scaleStart(ctx, r); !out.took(err) {
		return nil, err
	}
	e.priors(r)
	e.u = e.free(e.choose(r))
	out.Parameters = len(e.u.columns)
	for _, step := range []func(*rows) error{e.allFree, func(r *rows) error { _, err := e.information(r); return err }} {
		if err := step(r); !out.took(err) {
			return nil, err
		}
	}
	out.Notes = e.notes
	if len(out.Problems) == 0 {
		// What only shows in the end: weights that run away together.
		if e, err = solve(ctx, r, s); !out.took(err) {
			return nil, err
		} else if err == nil {
			out.Notes = e.notes
		}
	}
	return &out, nil
}

// took says that err is none, or one that the profile tells of.
func (p *Profile) took(err error) bool {
	var u *Unidentified
	if errors.As(err, &u) {
		p.Problems = append(p.Problems, schemas.FitNote{Kind: u.Kind, Terms: u.Terms, Text: u.text})
		return true
	}
	return err == nil
}
