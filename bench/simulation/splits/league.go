package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"kifu/bench/simulation/walk"
	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/internal/dyads"
	"kifu/report/database"
	"kifu/report/page"
	"kifu/schemas"
)

// league is games by Elo's formula, the first player stronger by ahead.
type league struct {
	spread   float64 // standard deviation of the players' strengths, Elo
	off      float64 // of their ratings around these
	schedule func(rng *rand.Rand) []dyads.Pair
}

const ahead = 35

// intervals returns the intervals of report database: the first player's score, in all and by rating difference, and its
// advantage given the ratings.
func (l league) intervals(ctx context.Context, dir string, seed, i uint64) (all []playedInterval, err error) {
	truth := [2]float64{normalMean(l.spread*math.Sqrt2, func(d float64) float64 { return logistic((d + ahead) * math.Ln10 / 400) }), math.NaN()}
	if l.off == 0 {
		truth[1] = ahead
	}
	return made(ctx, schemas.Games.ID(), dir, seed, i, func(b *datasets.Builder) error { return l.write(walk.Source(seed, i), b) }, func(in *datasets.Dir) (all []playedInterval, err error) {
		out := files{}
		if err := database.Make(ctx, database.Params{Bin: 50, Sources: []string{"games"}, Workers: 1}, []*datasets.Dir{in}, page.Alone(out)); err != nil {
			return nil, err
		}
		err = eachRow(out["database.csv"], func(text func(string) string, number func(string) float64) {
			switch text("section") + ", " + text("item") {
			case "games, all":
				all = append(all, playedInterval{"score", number("score"), number("low"), number("high"), truth[0]})
			case "first-move advantage, given the ratings":
				all = append(all, playedInterval{"advantage given the ratings", number("value"), number("low"), number("high"), truth[1]})
			case "rating difference, bin":
				if v := number("value"); math.Abs(v) <= 200 && math.Mod(v, 100) == 0 {
					all = append(all, playedInterval{fmt.Sprintf("score at a rating difference of %+.0f", v), number("score"), number("low"), number("high"), math.NaN()})
				}
			}
		})
		return all, err
	})
}

// write plays the games; a draw is likelier among equals.
func (l league) write(rng *rand.Rand, out *datasets.Builder) error {
	var strength, rating [100]float64
	for k := range strength {
		strength[k] = l.spread * rng.NormFloat64()
		rating[k] = math.Round(2000 + strength[k] + l.off*rng.NormFloat64())
	}
	pairs := l.schedule(rng)
	return writeRows(out, schemas.Games, len(pairs), func(g int, v *columns.Vec) bool {
		a, b := pairs[g].A, pairs[g].B
		switch v.Column.Name {
		case "game_id":
			v.AppendInt64(int64(g))
		case "game":
			v.AppendString("simulation")
		case "first_player":
			v.AppendString(strconv.Itoa(int(a)))
		case "second_player":
			v.AppendString(strconv.Itoa(int(b)))
		case "first_elo":
			v.AppendInt32(int32(rating[a]))
		case "second_elo":
			v.AppendInt32(int32(rating[b]))
		case "result":
			p := logistic((strength[a] - strength[b] + ahead) * math.Ln10 / 400)
			draw := 1.2 * p * (1 - p)
			switch x := rng.Float64(); {
			case x < p-draw/2:
				v.AppendString("first")
			case x < p+draw/2:
				v.AppendString("draw")
			default:
				v.AppendString("second")
			}
		case "moves":
			v.AppendBytes(opening(g))
		case "ply_count":
			v.AppendInt32(2)
		default:
			return false
		}
		return true
	})
}
