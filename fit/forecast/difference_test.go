package forecast_test

import (
	"context"
	"math"
	"testing"

	"kifu/fit/fittest"
	"kifu/fit/forecast"
	"kifu/fit/losses"
	"kifu/fit/rows"
	"kifu/fit/solve"
	"kifu/internal/dyads"
)

// TestDifference: the paired difference is that of the two log-losses, and its error the
// one of the differences of single games, each measured by itself.
func TestDifference(t *testing.T) {
	for _, method := range []string{losses.MLM, losses.Ordered, losses.Choice} {
		r := fittest.ReferenceRows(t, method, method == losses.Ordered)
		if method == losses.Choice {
			r = fittest.ReferenceChoices(t, method)
		}
		e, err := solve.Fit(context.Background(), r, solve.Settings{Method: method, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		got := forecast.Difference(r, e.Fitted(), e.Original(), dyads.ByGame)
		ids := map[int64]bool{}
		for _, b := range r.Blocks {
			for _, run := range b.Games {
				ids[run.ID] = true
			}
		}
		loss := func(r *rows.Store) float64 {
			return forecast.Measure(r, e.Fitted(), 1).LogLoss - forecast.Measure(r, e.Original(), 1).LogLoss
		}
		mean, sum := loss(r), 0.0
		var sizes dyads.Sizes
		for id := range ids {
			one := r.Subset(func(game int64) bool { return game == id })
			off := float64(one.Positions()) * (loss(one) - mean)
			sum += off * off
			sizes.Add(float64(one.Positions()))
		}
		want := math.Sqrt(sum/sizes.Shrinks()) / float64(r.Positions())
		if math.Abs(got.LogLoss-mean) > 1e-9 || math.Abs(got.SE-want) > 1e-9 || !(got.SE > 0) {
			t.Errorf("%s: %v ± %v, want %v ± %v", method, got.LogLoss, got.SE, mean, want)
		}
		if none := forecast.Difference(r, e.Fitted(), e.Fitted(), dyads.Both); none.LogLoss != 0 || none.SE != 0 {
			t.Errorf("%s: a fit differs from itself by %+v", method, none)
		}
	}
}
