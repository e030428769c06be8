package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"kifu/bench/simulation/walk"
	"kifu/fit/losses"
	"kifu/fit/rows"
	"kifu/fit/solve"
)

// noise: does a group of terms that mean nothing seem to mean something?
var noise = study{
	name:  "noise",
	about: "Terms that have nothing to do with results are fitted as one group. Tests at 5 % should reject in 5 %, intervals hold 0 in 95 %.",
	cases: []kind{
		noiseCase(60, 10, walking), noiseCase(200, 50, walking), noiseCase(400, 100, walking), noiseCase(1000, 100, walking),
		noiseCase(60, 10, perGame), noiseCase(200, 50, perGame),
		noiseCase(60, 10, perPosition), noiseCase(200, 50, perPosition),
		noiseCase(60, 10, sparse), noiseCase(200, 50, sparse),
		noiseCase(100, 1, sparse), noiseCase(40, 1, walking),
	},
}

// The ways in which terms of noise change within a game.
const (
	walking     = "walking"
	perGame     = "the same in a game"
	perPosition = "new in each position"
	sparse      = "now and then"
)

func noiseCase(games, terms int, how string) kind {
	return kind{name: fmt.Sprintf("%d games, %d weights, %s", games, terms, how), cost: max(1, games*terms*terms/200_000),
		want: map[string][2]float64{"score test rejects": {0.01, 0.06}, "intervals cover": {0.935, 0.995}},
		play: func(ctx context.Context, seed, i uint64, count func(string, bool)) error {
			e, err := solve.Fit(ctx, noisy(walk.Source(seed, i), games, terms, how), solve.Settings{Method: losses.MLM, Workers: 1})
			if err != nil {
				return err
			}
			t := e.Tests[0]
			count("score test rejects", *t.ScoreP < 0.05)
			count("Wald test rejects", *t.WaldP < 0.05)
			for j := range terms {
				count("intervals cover", covers(e, j, 0))
			}
			return nil
		}}
}

// noisy plays games whose results depend on the known part of the value alone.
func noisy(rng *rand.Rand, games, terms int, how string) *rows.Store {
	parts := make([]part, terms)
	for i := range parts {
		parts[i].group = "noise"
	}
	b := rows.NewBuilder(designOf(parts))
	counts := make([]int, terms)
	for game := range games {
		won, known := rng.IntN(2) == 0, 0
		change(rng, counts, how, true)
		for ply := 1; ply < opening+positions; ply++ {
			known += walk.Step(rng, won, scale*knownStep)
			change(rng, counts, how, false)
			if ply >= opening {
				b.Add(row(game, won, known, counts))
			}
		}
	}
	return b.Finish()
}

// change moves the terms of noise on, or begins a game.
func change(rng *rand.Rand, counts []int, how string, begin bool) {
	switch {
	case how == walking && begin:
		clear(counts)
	case how == walking:
		for i := range counts {
			counts[i] += walk.Step(rng, true, 0)
		}
	case how == perPosition || how == perGame && begin:
		for i := range counts {
			counts[i] = rng.IntN(7) - 3
		}
	case how == sparse && (begin || rng.IntN(3) == 0):
		for i := range counts {
			if counts[i] = 0; rng.IntN(8) == 0 {
				counts[i] = 1 - 2*rng.IntN(2)
			}
		}
	}
}
