package wdl

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"kifu/internal/dyads"
	"kifu/query"
	"kifu/report/sheet"
)

// game holds the counts of one game's positions, and its players.
type game struct {
	cells []cell
	who   dyads.Pair // unknown where it is not known, or where errors are by game
}

var unknown = dyads.Pair{A: -1, B: -1}

// whoPlayed returns the players of the games, numbered by name.
func whoPlayed(ctx context.Context, db *query.DB, players sheet.Players) (map[int64]dyads.Pair, error) {
	if !players.On() {
		return nil, nil
	}
	_, rows, _, err := sheet.Run(ctx, db, "players.sql", `WITH {{template "players" .}} SELECT game_id, one, other FROM named_games ORDER BY game_id`, players)
	if err != nil {
		return nil, err
	}
	numbers, who := map[string]int32{}, map[int64]dyads.Pair{}
	number := func(name string) int32 {
		n, known := numbers[name]
		if !known {
			n = int32(len(numbers))
			numbers[name] = n
		}
		return n
	}
	for _, f := range rows {
		who[f.Whole("game_id")] = dyads.Pair{A: number(f.Text("one")), B: number(f.Text("other"))}
	}
	return who, nil
}

// meats returns the sums of the squares of rows, which games have, and of those of games that share a player,
// each sum of a player divided by one less his share of the sizes: what he alone moves the whole by. The second
// is nil where there are too few players.
func meats(rows [][]float64, sizes []float64, who []dyads.Pair) (byGame, byPlayer *mat.SymDense) {
	n, total := len(rows[0]), 0.0
	byGame = mat.NewSymDense(n, nil)
	for g, row := range rows {
		byGame.SymRankOne(byGame, 1, mat.NewVecDense(n, row))
		total += sizes[g]
	}
	byGame.ScaleSym(float64(len(rows))/math.Max(1, float64(len(rows)-1)), byGame)
	clusters := dyads.Of(who)
	if !clusters.Usable() {
		return byGame, nil
	}
	byPlayer = mat.NewSymDense(n, nil)
	add := func(sum []float64, size, sign float64) {
		rest := 1 - math.Min(0.99, size/total)
		byPlayer.SymRankOne(byPlayer, sign/(rest*rest), mat.NewVecDense(n, sum))
	}
	sums, of := make([][]float64, len(clusters.Sums)), make([]float64, len(clusters.Sums))
	for g, row := range rows {
		if own := clusters.Own[g]; own != 0 {
			add(row, sizes[g], float64(own))
		}
		for _, k := range clusters.Of[g] {
			if k < 0 {
				continue
			}
			if sums[k] == nil {
				sums[k] = make([]float64, n)
			}
			for i, x := range row {
				sums[k][i] += x
			}
			of[k] += sizes[g]
		}
	}
	for k, sum := range sums {
		if sum != nil {
			add(sum, of[k], clusters.Sums[k])
		}
	}
	return byGame, byPlayer
}

// widest returns the variance to be taken of that by game and that by player, NaN where there is none.
func widest(games, players float64, way string) float64 {
	switch {
	case way == dyads.ByGame:
		return games
	case players > games || way == dyads.ByPlayer && players > 0:
		return players
	}
	return games
}

// ratios returns the sums of the columns of y by that of n, one row per game, with their standard errors (linearised).
func ratios(y [][]float64, n []float64, who []dyads.Pair, way string) (means, errors []float64) {
	columns, sum := len(y[0]), 0.0
	means, errors = make([]float64, columns), make([]float64, columns)
	for g, row := range y {
		for i, x := range row {
			means[i] += x
		}
		sum += n[g]
	}
	rows := make([][]float64, len(y))
	for i := range means {
		means[i] /= sum
	}
	for g, row := range y {
		rows[g] = make([]float64, columns)
		for i, x := range row {
			rows[g][i] = x - means[i]*n[g]
		}
	}
	byGame, byPlayer := meats(rows, n, who)
	for i := range errors {
		players := math.NaN()
		if byPlayer != nil {
			players = byPlayer.At(i, i)
		}
		errors[i] = math.Sqrt(widest(byGame.At(i, i), players, way)) / sum
	}
	return means, errors
}
