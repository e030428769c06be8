package fit

import (
	"context"
	"math"
	"testing"

	"kifu/fit/fittest"
	"kifu/fit/forecast"
	"kifu/fit/losses"
	"kifu/fit/rows"
	"kifu/fit/solve"
	"kifu/internal/splitmix"
)

// TestFold: the first fold is the fit to the other games, measured on its own.
func TestFold(t *testing.T) {
	s := fittest.Small()
	s.Zero([]int{3, 4, 5})
	r := s.Rows([]int{3, 4, 5})
	fit := func(ctx context.Context, r *rows.Store) (*solve.Estimate, error) {
		return solve.Fit(ctx, r, solve.Settings{Method: losses.MLM, MinGames: 10, Workers: 2})
	}
	all, err := crossValidate(context.Background(), r, fit, s.Present, 4, 5)
	if err != nil {
		t.Fatal(err)
	}
	first := func(id int64) bool { return splitmix.Hash(5^foldSalt, id)%4 == 0 }
	e, err := fit(context.Background(), r.Subset(func(id int64) bool { return !first(id) }))
	if err != nil {
		t.Fatal(err)
	}
	held := r.Subset(first)
	if want := forecast.Measure(held, e.Fitted(), 2); len(all.Each) != 4 || math.Abs(all.Each[0].LogLoss-want.LogLoss) > 1e-12 || held.Games < 40 {
		t.Errorf("fold 1: %v, want %v of %d games", all.Each[0].LogLoss, want.LogLoss, held.Games)
	}
}
