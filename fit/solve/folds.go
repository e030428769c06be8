package solve

import (
	"context"
	"fmt"

	"kifu/eval"
	"kifu/fit/rows"
	"kifu/internal/splitmix"
	"kifu/schemas"
)

// CrossValidate fits to all games but one fold's, for each fold, and evaluates
// every fit on the games left out of it. The fold of a game is a hash of seed and id,
// of copies of games the same one.
func CrossValidate(ctx context.Context, r *rows.Store, s Settings, m *eval.Model, folds int, seed uint64) (*schemas.FitFolds, error) {
	out := &schemas.FitFolds{Folds: folds}
	var base, original, fitted Evaluation
	for fold := range folds {
		in := func(id int64) bool { return int(splitmix.Hash(seed^foldSalt, r.Group(id))%uint64(folds)) == fold }
		rest, held := r.Subset(func(id int64) bool { return !in(id) }), r.Subset(in)
		if held.N == 0 {
			return nil, fmt.Errorf("fold %d of %d has no game: take fewer --folds", fold+1, folds)
		}
		e, err := Fit(ctx, rest, s)
		if err != nil {
			return nil, fmt.Errorf("without fold %d of %d: %w", fold+1, folds, err)
		}
		base.Add(held, MeanForecast(rest, s))
		if e.Present != nil {
			original.Add(held, e.Original())
		}
		var one Evaluation
		one.Add(held, e.Fitted())
		fitted.Add(held, e.Fitted())
		out.Each = append(out.Each, one.Metrics())
	}
	out.Base, out.Fitted, out.Bands = base.Metrics(), fitted.Metrics(), fitted.Bands(m)
	if original.total.n == fitted.total.n {
		metrics := original.Metrics()
		out.Original = &metrics
	}
	return out, nil
}

// Salts make independent choices from one seed.
const (
	foldSalt  = 0x5bd1e9955bd1e995
	curveSalt = 0x61c8864680b583eb
)
