package computed

import (
	"context"
	"sync/atomic"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/fit/rows"
	"kifu/internal/ordered"
	"kifu/internal/progress"
	"kifu/schemas"
)

// ReadGroups calls decode with every row group of the dataset on several workers, and take in their order on the
// worker that decoded one, before it decodes the next. The first error in that order ends all.
func (x *Labels) ReadGroups(ctx context.Context, workers int, decode func(w int, g datasets.Group) error, take func(w int) error) (err error) {
	groups, shut, err := x.dir.OpenGroups()
	if err != nil {
		return err
	}
	defer shut()
	for _, g := range groups {
		x.Expect(g.Part, 1)
	}
	bar := progress.Start(ctx, "fit: read", x.dir.Rows(), "positions")
	defer bar.Done()
	errs := make([]error, workers)
	var failed atomic.Bool
	ordered.Merge(workers, len(groups), func(w, i int) {
		if !failed.Load() {
			errs[w] = decode(w, groups[i])
		}
		x.Done(groups[i].Part)
		if errs[w] != nil {
			failed.Store(true)
		}
	}, func(w, i int) {
		if err == nil {
			err = errs[w]
		}
		if err == nil && !failed.Load() {
			err = take(w)
		}
		if err != nil {
			failed.Store(true)
		}
		bar.Add(groups[i].Rows)
	})
	return err
}

// Why a row is left out, and what is noted of one.
const (
	ForcedWin = "forced win"
	HeldOut   = "held out"
)

// ResultOf returns the results of the games of row i.
func ResultOf(i int, result, firstWins, draws, secondWins *columns.Vec) rows.Results {
	if firstWins != nil {
		return rows.Results{First: float64(firstWins.Int32[i]), Draws: float64(draws.Int32[i]), Second: float64(secondWins.Int32[i])}
	}
	if result == nil {
		return rows.Results{}
	}
	switch schemas.OutcomeOf(result.Value(i)) {
	case schemas.FirstWon:
		return rows.Results{First: 1}
	case schemas.Drawn:
		return rows.Results{Draws: 1}
	case schemas.SecondWon:
		return rows.Results{Second: 1}
	}
	return rows.Results{}
}
