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
	ds := someDecisions(b, 100)
	for _, depth := range []int{1, 2, 4, 6, 8} {
		b.Run(fmt.Sprintf("depth=%d", depth), func(b *testing.B) {
			for range b.N {
				if err := value(context.Background(), g, Params{Eval: g.Default(), MaxDepth: depth}, false, 1, ds, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*len(ds))/b.Elapsed().Seconds(), "decisions/s")
		})
	}
}

// BenchmarkStrategy tells how many decisions of checkers a second are learned from at one
// depth, by one worker: the searches and systems of a climb from all ones.
func BenchmarkStrategy(b *testing.B) {
	for _, solver := range []string{LP, Likelihood} {
		for _, depth := range []int{1, 2, 4, 6, 8} {
			b.Run(fmt.Sprintf("%s/depth=%d", solver, depth), func(b *testing.B) {
				g := checkers()
				p := Params{Eval: g.Default(), MaxDepth: depth, Holdout: 0.5, Seed: 1, Fit: solver, Epsilon: 0.005}
				ds := someDecisions(b, 200)
				for i := range ds {
					ds[i].part = p.part(ds[i].game)
				}
				systems := 0
				for range b.N {
					l, err := newLearner(g, &p, 1, ds)
					if err != nil {
						b.Fatal(err)
					}
					s, err := l.climb(context.Background(), solver, depth, false, &solution{weights: l.columns.start})
					if err != nil {
						b.Fatal(err)
					}
					systems += s.Systems
				}
				b.ReportMetric(float64(b.N*len(ds))/b.Elapsed().Seconds(), "decisions/s")
				b.ReportMetric(float64(systems)/float64(b.N), "systems")
			})
		}
	}
}

// someDecisions are at least n of drawn games, with drawn moves for chosen ones.
func someDecisions(b testing.TB, n int) (ds []decision[position]) {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	for game := int64(0); len(ds) < n; game++ {
		p, _, err := draughts.Checkers.Start("", "")
		if err != nil {
			b.Fatal(err)
		}
		for ply := 0; ply < 40 && p.Outcome() == games.Undecided; ply++ {
			moves := p.AppendMoves(nil)
			chosen := rng.IntN(len(moves))
			if ply >= 8 && len(moves) > 1 {
				ds = append(ds, decision[position]{position: p, game: game, ply: ply, moves: len(moves), chosen: chosen})
			}
			p = p.Play(moves[chosen])
		}
	}
	return ds
}
