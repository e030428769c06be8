package main

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/internal/dyads"
	"kifu/report/moves"
	"kifu/report/page"
	"kifu/report/sheet"
	"kifu/schemas"
)

// order is a column of values whose first moves are judged, with the log-odds of a player of the
// middle to play them.
type order struct {
	column string
	odds   float64
}

var orders = []order{{"static_value", -0.8}, {"quiescence_value", -0.2}}

const (
	choicesOfGame = 10 // decisions
	choicesOfMove = 4  // legal moves
)

var choices = func() schemas.Table {
	var names []string
	for _, o := range orders {
		names = append(names, o.column)
	}
	return schemas.Choices(schemas.Positions(1, nil, false), names)
}()

// chosenBy is choices of players whose log-odds to play the first move of an order differ by spread,
// from player to player and from order to order.
func chosenBy(schedule func(rng *rand.Rand) []dyads.Pair, spread float64) func(ctx context.Context, dir string, seed, i uint64) ([]playedInterval, error) {
	write := func(rng *rand.Rand, out *datasets.Builder) (pairs []dyads.Pair, err error) {
		for key, value := range map[string]string{"game": "simulation", "unit": "centipawns", "leaf": orders[1].column, "alternatives": "0"} {
			out.SetMeta(key, value)
		}
		pairs = schedule(rng)
		habits := map[int32][]float64{}
		var best [2]int // of each order; 0 is the move played
		return pairs, writeRows(out, choices, len(pairs)*choicesOfGame*choicesOfMove, func(row int, v *columns.Vec) bool {
			move, decision := row%choicesOfMove, row/choicesOfMove
			game, ply := decision/choicesOfGame, decision%choicesOfGame
			switch name := v.Column.Name; name {
			case "game_id":
				v.AppendInt64(int64(game))
				if move == 0 {
					best = drawBest(rng, habits, [2]int32{pairs[game].A, pairs[game].B}[ply%2], spread)
				}
			case "ply":
				v.AppendInt32(int32(ply))
			case "first_to_move":
				v.AppendBool(ply%2 == 0)
			case "played":
				v.AppendBool(move == 0)
			case "move":
				v.AppendString("m" + strconv.Itoa(move))
			case orders[0].column, orders[1].column:
				value := float32(-move)
				if move == best[slices.IndexFunc(orders, func(o order) bool { return o.column == name })] {
					value = 1
				}
				v.AppendFloat32(value * float32(1-2*(ply%2)))
			default:
				return false
			}
			return true
		})
	}
	return func(ctx context.Context, dir string, seed, i uint64) ([]playedInterval, error) {
		return playedAs(ctx, choices.ID(), write, dir, seed, i, func(in, games *datasets.Dir) ([]playedInterval, error) {
			return chosenIntervals(ctx, spread, in, games)
		})
	}
}

// drawBest draws which moves the orders have first.
func drawBest(rng *rand.Rand, habits map[int32][]float64, player int32, spread float64) (best [2]int) {
	if habits[player] == nil {
		habits[player] = []float64{spread * rng.NormFloat64(), spread * rng.NormFloat64()}
	}
	for k, o := range orders {
		if rng.Float64() >= logistic(o.odds+habits[player][k]) {
			best[k] = 1 + rng.IntN(choicesOfMove-1)
		}
	}
	return best
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// normalMean is the mean of f of a normal number of mean 0, by the trapezium rule.
func normalMean(sd float64, f func(x float64) float64) (mean float64) {
	const step = 0.01
	for z := -8.0; z <= 8; z += step {
		mean += step * math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) * f(sd*z)
	}
	return mean
}

// chosenIntervals returns the intervals of report moves: of the first moves of either order, by game and as
// players make games depend, and of their difference.
func chosenIntervals(ctx context.Context, spread float64, in, games *datasets.Dir) (all []playedInterval, err error) {
	var truth [2]float64
	for k, o := range orders {
		truth[k] = normalMean(spread, func(x float64) float64 { return logistic(o.odds + x) })
	}
	for _, way := range ways {
		out := files{}
		p := moves.Params{Values: []string{orders[0].column, orders[1].column}, Sources: []string{"choices"}, Workers: 1, Clusters: sheet.Clusters{Way: way, Names: []int{1}}}
		if err := moves.Make(ctx, p, []*datasets.Dir{in, games}, page.Alone(out)); err != nil {
			return nil, err
		}
		k := 0
		err := eachRow(out["moves.csv"], func(text func(string) string, number func(string) float64) {
			if text("kind") != "all" || text("top") != "1" {
				return
			}
			all = append(all, playedInterval{text("contest") + ", " + way, number("share"), number("low"), number("high"), truth[k]})
			if k == 1 {
				all = append(all, playedInterval{"difference, " + way, number("difference"), number("difference_low"), number("difference_high"), truth[1] - truth[0]})
			}
			k++
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}
