package fit

import (
	"context"
	"math/rand/v2"
	"testing"

	"kifu/fit/fittest"
	"kifu/fit/losses"
	"kifu/fit/solve"
)

// TestStrength: a note names --scale-by where the scale differs by rating, and none where it
// does not.
func TestStrength(t *testing.T) {
	for _, differs := range []bool{true, false} {
		s := fittest.Small()
		s.Games = 900
		in := &input{train: &sample{rows: s.Rows([]int{0, 1})}, ratings: map[int64]float64{}}
		rng := rand.New(rand.NewPCG(1, 1))
		for _, b := range in.train.rows.Blocks {
			from := 0
			for _, run := range b.Games {
				in.ratings[run.ID] = 1000 + float64(rng.IntN(1500))
				for i := from; i < run.End; i++ {
					if differs && in.ratings[run.ID] < 1500 && rng.IntN(3) > 0 {
						b.Y[i] = float32(rng.IntN(2)) // weak players' results say little of the position
					}
				}
				from = run.End
			}
		}
		got := in.strength(context.Background(), solve.Settings{Method: losses.MLM, Workers: 1})
		if (len(got) == 1) != differs {
			t.Errorf("differs %v: notes %v", differs, got)
		}
		in.levelled.column.SQL = "x"
		if got := in.strength(context.Background(), solve.Settings{Method: losses.MLM, Workers: 1}); got != nil {
			t.Errorf("with --scale-by: %v", got)
		}
	}
}
