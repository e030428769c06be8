package main

import (
	"context"
	"fmt"

	"kifu/bench/simulation/walk"
	"kifu/fit/losses"
	"kifu/fit/solve"
)

// rare: do intervals hold the weight of a term that few games have?
var rare = study{
	name:  "rare terms",
	about: "One of five terms is in a share of 1,000 games. Its interval should hold its weight in 95 %.",
	cases: []kind{rareCase(0.015, 0), rareCase(0.02, 0), rareCase(0.03, 0), rareCase(0.05, 0), rareCase(0.02, 15), rareCase(0.05, 15)},
}

func rareCase(share, weight float64) kind {
	return kind{name: fmt.Sprintf("1,000 games, a term of %g centipawns in %g %% of them", weight, 100*share),
		want: map[string][2]float64{"covered": {0.94, 0.96}, "rare term covered": {0.93, 0.98}},
		play: func(ctx context.Context, seed, i uint64, count func(string, bool)) error {
			parts := []part{{group: "g", weight: weight, rare: share}, {group: "g", weight: 15}, {group: "g", weight: -15}, {group: "g"}, {group: "g"}}
			e, err := solve.Fit(ctx, play(walk.Source(seed, i), 1000, parts), solve.Settings{Method: losses.MLM, Workers: 1})
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
