package fit

import (
	"context"
	"fmt"

	"kifu/eval"
	"kifu/fit/forecast"
	"kifu/fit/rows"
	"kifu/fit/solve"
	"kifu/internal/splitmix"
	"kifu/schemas"
)

// fitter fits to some of the rows as the fit does to all.
type fitter func(ctx context.Context, r *rows.Store) (*solve.Estimate, error)

// crossValidate fits to all games but one fold's, for each fold, and evaluates
// every fit on the games left out of it. The fold of a game is a hash of seed and id,
// of copies of games the same one.
func crossValidate(ctx context.Context, r *rows.Store, fit fitter, m *eval.Model, folds int, seed uint64) (*schemas.FitFolds, error) {
	out := &schemas.FitFolds{Folds: folds}
	var base, original, fitted forecast.Evaluation
	for fold := range folds {
		in := func(id int64) bool { return int(splitmix.Hash(seed^foldSalt, r.Group(id))%uint64(folds)) == fold }
		rest, held := r.Subset(func(id int64) bool { return !in(id) }), r.Subset(in)
		if held.N == 0 {
			return nil, fmt.Errorf("fold %d of %d has no game: use fewer --folds", fold+1, folds)
		}
		e, err := fit(ctx, rest)
		if err != nil {
			return nil, fmt.Errorf("without fold %d of %d: %w", fold+1, folds, err)
		}
		base.Add(held, e.Fitted().Mean(rest))
		if e.Present != nil {
			original.Add(held, e.Original())
		}
		fitted.Add(held, e.Fitted())
		out.Each = append(out.Each, forecast.Evaluate(held, e.Fitted()))
	}
	out.Base, out.Fitted, out.Bands = base.Metrics(), fitted.Metrics(), fitted.Bands(m)
	if original.Positions() == fitted.Positions() {
		out.Original = new(original.Metrics())
	}
	return out, nil
}

// learningCurve fits to 1/16, 1/8, … of the games of r, each a part of the next, and
// evaluates the fits on held.
func learningCurve(ctx context.Context, r, held *rows.Store, fit fitter, workers int, seed uint64) (out []schemas.FitPoint, err error) {
	for share := 1.0 / 16; share <= 1; share *= 2 {
		part := r.Subset(func(id int64) bool { return splitmix.Share(seed^curveSalt, id) < share })
		point := schemas.FitPoint{Games: part.Games, Positions: part.Positions()}
		e, err := fit(ctx, part)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			point.Refused = err.Error()
		default:
			point.Train, point.Held = forecast.Measure(part, e.Fitted(), workers), new(forecast.Evaluate(held, e.Fitted()))
		}
		out = append(out, point)
	}
	return out, nil
}

// Salts make independent choices from one seed.
const (
	foldSalt  = 0x5bd1e9955bd1e995
	curveSalt = 0x61c8864680b583eb
)
