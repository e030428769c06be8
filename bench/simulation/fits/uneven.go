package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"kifu/bench/simulation/walk"
	"kifu/fit/forecast"
	"kifu/fit/losses"
	"kifu/fit/rows"
	"kifu/fit/solve"
)

// uneven: do intervals hold where a few long games have most positions?
var uneven = study{
	name:  "uneven games",
	about: "Games have from a few to hundreds of positions (the logarithm of their number is normal, with a standard deviation of 0.8), and longer ones are closer. Intervals should hold the weights in 95 %, and the interval of the change of log-loss on as many games held out its value on 20,000; tests of a group of noise at 5 % reject in 5 %.",
	cases: []kind{unevenCase(100, 5), unevenCase(400, 5), unevenCase(400, 50), unevenCase(600, 200)},
}

func unevenCase(games, terms int) kind {
	parts := make([]part, terms)
	for i := range parts {
		parts[i].group = "noise"
		if i < terms/2 {
			parts[i] = part{group: "planted", weight: []float64{30, -15, 10}[i%3]}
		}
	}
	wanted := [2]float64{0.935, 0.985}
	return kind{name: fmt.Sprintf("%d games, %d weights", games, terms), slow: games*terms > 5000, cost: max(1, games*terms*terms/1_000_000),
		want: map[string][2]float64{"weights covered": wanted, "score test rejects": {0.02, 0.08}, "hold-out change covered": wanted},
		play: func(ctx context.Context, seed, i uint64, count func(string, bool)) error {
			rng := walk.Source(seed, i)
			r := unevenGames(rng, games, parts)
			e, err := solve.Fit(ctx, r, solve.Settings{Method: losses.MLM, Workers: 1})
			if err != nil {
				return err
			}
			for j, p := range parts {
				count("weights covered", covers(e, j, p.weight))
			}
			for _, t := range e.Tests {
				if t.Group == "noise" {
					count("score test rejects", *t.ScoreP < 0.05)
				}
			}
			held, truth := unevenGames(rng, games, parts), unevenGames(rng, 20_000/terms, parts)
			d, limit := forecast.Difference(held, e.Fitted(), e.Original(), ""), forecast.Difference(truth, e.Fitted(), e.Original(), "")
			reach := math.Hypot(d.CIHigh-d.LogLoss, limit.CIHigh-limit.LogLoss)
			count("hold-out change covered", math.Abs(d.LogLoss-limit.LogLoss) <= reach)
			return nil
		}}
}

// unevenGames plays exact walks as play does, of unequal lengths.
func unevenGames(rng *rand.Rand, games int, parts []part) *rows.Store {
	b := rows.NewBuilder(designOf(parts))
	counts := make([]int, len(parts))
	for game := range games {
		won := rng.IntN(2) == 0
		clear(counts)
		known, left := 0, int(math.Exp(math.Log(20)+0.8*rng.NormFloat64()))
		for ply := 0; left > 0 && ply < 400; ply++ {
			known += walk.Step(rng, won, scale*knownStep)
			for i, p := range parts {
				counts[i] += walk.Step(rng, won, scale*p.weight)
			}
			b.Add(row(game, won, known, counts))
			if left--; known > 12 || known < -12 {
				left -= 3 // what is decided ends
			}
		}
	}
	return b.Finish()
}
