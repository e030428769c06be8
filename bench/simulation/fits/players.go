package main

import (
	"context"
	"fmt"

	"kifu/bench/simulation/walk"
	"kifu/fit/fittest"
	"kifu/fit/solve"
	"kifu/internal/dyads"

	"kifu/fit/losses"
)

// clubs: do intervals hold where players are stronger than their evaluations?
var clubs = study{
	name:  "players",
	about: "Who met whom is the WTHOR database's of 1989. Players have effects of so many log-odds (standard deviation) on results, and own habits in evaluations and in five terms that mean nothing. Intervals should hold w_0 and 0 in 95 %, tests at 5 % reject in 5 %.",
	cases: []kind{
		clubCase(0, 1), clubCase(1000, 1), clubCase(500, 1), clubCase(200, 1),
		clubCase(0, 0), clubCase(200, 0),
	},
}

func clubCase(games int, effect float64) kind {
	c := fittest.Club{Games: fittest.Schedule(games), Terms: 5, Effect: effect}
	truth := c.Scale()
	wanted := [2]float64{0.935, 0.975}
	return kind{name: fmt.Sprintf("%d games, effects of %g", len(c.Games), effect), slow: len(c.Games) > 500,
		want: map[string][2]float64{"w_0 covered, both": wanted, "weights covered, both": wanted, "score test rejects, both": {0.02, 0.07}},
		play: func(ctx context.Context, seed, i uint64, count func(string, bool)) error {
			r := c.Play(walk.Source(seed, i))
			for _, way := range []string{dyads.ByGame, dyads.ByPlayer, dyads.Both} {
				e, err := solve.Fit(ctx, r, solve.Settings{Method: losses.MLM, Workers: 1, Cluster: way})
				if err != nil {
					return err
				}
				w0 := e.Number(e.Design.Scale())
				count("w_0 covered, "+way, *w0.CILow <= truth && truth <= *w0.CIHigh)
				for j := range c.Terms {
					count("weights covered, "+way, covers(e, j, 0))
				}
				count("score test rejects, "+way, *e.Tests[0].ScoreP < 0.05)
			}
			return nil
		}}
}
