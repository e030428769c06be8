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

// covariances are those of some numbers, by game and by player.
type covariances struct {
	games, players *mat.SymDense // players nil: too few
	sizes, shares  dyads.Sizes   // of the games, and of the players
	way            string
}

// meats returns the sums of the squares of rows, which games have, and of those of games that share a player,
// each sum of a player divided by one less his share of the sizes: what he alone moves the whole by.
func meats(rows [][]float64, sizes []float64, who []dyads.Pair, way string) covariances {
	n, total := len(rows[0]), 0.0
	c := covariances{games: mat.NewSymDense(n, nil), way: way}
	for g, row := range rows {
		c.games.SymRankOne(c.games, 1, mat.NewVecDense(n, row))
		c.sizes.Add(sizes[g])
		total += sizes[g]
	}
	c.games.ScaleSym(1/math.Max(1e-9, c.sizes.Shrinks()), c.games)
	clusters := dyads.Of(who)
	if way == dyads.ByGame || !clusters.Usable() {
		return c
	}
	c.players = mat.NewSymDense(n, nil)
	clusters.Each(rows, sizes, func(sum []float64, size, factor float64, players int) {
		rest := 1 - math.Min(dyads.MostShare, size/total)
		c.players.SymRankOne(c.players, factor/(rest*rest), mat.NewVecDense(n, sum))
		for range players {
			c.shares.Add(size / total)
		}
	})
	return c
}

// between returns the covariances b·c·b.
func (c covariances) between(b *mat.SymDense) covariances {
	c.games, c.players = between(b, c.games), between(b, c.players)
	return c
}

// along returns the spread of the numbers' sum with these weights, by game or player.
func (c covariances) along(weights []float64) dyads.Spread {
	if c.games == nil {
		return dyads.Spread{Variance: math.NaN()}
	}
	w := mat.NewVecDense(len(weights), weights)
	byGame := dyads.Spread{Variance: mat.Inner(w, c.games, w), Degrees: c.sizes.Degrees()}
	if c.players == nil {
		return byGame
	}
	v := mat.Inner(w, c.players, w)
	return dyads.Wider(byGame, dyads.Spread{Variance: v, Degrees: c.shares.OfPlayers(v / byGame.Variance)}, c.way)
}

// ratios returns the sums of the columns of y by that of n, one row per game, with their spreads (linearised).
func ratios(y [][]float64, n []float64, who []dyads.Pair, way string) (means []float64, spreads []dyads.Spread) {
	columns, sum := len(y[0]), 0.0
	means = make([]float64, columns)
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
	c := meats(rows, n, who, way)
	for i := range means {
		one := make([]float64, columns)
		one[i] = 1 / sum
		spreads = append(spreads, c.along(one))
	}
	return means, spreads
}
