package main

import (
	"context"

	"kifu/bench/simulation/walk"
	"kifu/fit/constraints"
	"kifu/fit/losses"
	"kifu/fit/solve"
	"kifu/schemas"
)

// priors: do intervals cover weights that were sampled from the prior?
var priors = study{
	name:  "priors",
	about: "Ten weights are sampled from a normal prior of 15 centipawns, and fitted with that prior. Intervals should hold them in 95 % of all cases.",
	cases: []kind{
		priorCase("300 games", 300, 0),
		priorCase("1,000 games", 1000, 0),
		priorCase("1,000 games, a term in 1 % of them", 1000, 0.01),
		priorCase("1,000 games, a term in 2 % of them", 1000, 0.02),
		priorCase("1,000 games, a term in 5 % of them", 1000, 0.05),
	},
}

func priorCase(name string, games int, rare float64) kind {
	const sd = 15
	return kind{name: name, want: map[string][2]float64{"covered": {0.94, 0.96}, "rare term covered": {0.93, 0.96}},
		play: func(ctx context.Context, seed, i uint64, count func(string, bool)) error {
			rng := walk.Source(seed, i)
			parts := make([]part, 10)
			for p := range parts {
				parts[p] = part{group: "g", weight: sd * rng.NormFloat64()}
			}
			parts[0].rare = rare
			r := play(rng, games, parts)
			if err := (constraints.Set{Prior: []constraints.Prior{{SD: sd}}}).Apply(r.Design); err != nil {
				return err
			}
			e, err := solve.Fit(ctx, r, solve.Settings{Method: losses.MLM, Workers: 1})
			if err != nil {
				return err
			}
			for p := range parts {
				name := "covered"
				if parts[p].rare > 0 {
					name = "rare term covered"
				}
				count(name, covers(e, p, parts[p].weight))
			}
			return nil
		}}
}

// covers reports whether the interval of weight j covers the truth. An interval without
// ends does.
func covers(e *solve.Estimate, j int, truth float64) bool {
	var w schemas.Weight
	e.Fill(&w, j)
	return (w.CILow == nil || *w.CILow <= truth) && (w.CIHigh == nil || truth <= *w.CIHigh)
}
