package learn

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"kifu/games"
	"kifu/games/draughts"
)

// BenchmarkValues tells how many decisions of checkers a second are valued, all legal
// moves at all depths up to the one named, by one worker.
func BenchmarkValues(b *testing.B) {
	g := checkers()
	rng := rand.New(rand.NewPCG(1, 1))
	var ds []decision[position]
	for len(ds) < 100 {
		p, _, err := draughts.Checkers.Start("", "")
		if err != nil {
			b.Fatal(err)
		}
		for ply := 0; ply < 40 && p.Outcome() == games.Undecided; ply++ {
			moves := p.AppendMoves(nil)
			if ply >= 8 && len(moves) > 1 {
				ds = append(ds, decision[position]{position: p, ply: ply, moves: len(moves)})
			}
			p = p.Play(moves[rng.IntN(len(moves))])
		}
	}
	for _, depth := range []int{1, 2, 4, 6, 8} {
		b.Run(fmt.Sprintf("depth=%d", depth), func(b *testing.B) {
			for range b.N {
				if err := value(context.Background(), g, Params{Eval: g.Default(), MaxDepth: depth}, 1, ds); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*len(ds))/b.Elapsed().Seconds(), "decisions/s")
		})
	}
}
