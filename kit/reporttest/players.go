package reporttest

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/internal/lists"
	"kifu/schemas"
)

// NamedGames makes a dataset of the games 0 to n-1 between players drawn from so many. It
// returns the names, too, an empty one without one.
func NamedGames(t *testing.T, n, players int) (dir *datasets.Dir, names [][2]string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(n), uint64(players)))
	order := make([]int, n)
	for i := range n {
		one := [2]string{"p" + strconv.Itoa(rng.IntN(players)), "p" + strconv.Itoa(rng.IntN(players))}
		if i%17 == 3 {
			one[1] = ""
		}
		names, order[i] = append(names, one), i
	}
	return writeNames(t, names, order), names
}

// writeNames makes a dataset of the games with these players' names, in that order.
func writeNames(t *testing.T, names [][2]string, order []int) *datasets.Dir {
	t.Helper()
	var rows []map[string]string
	for _, i := range order {
		rows = append(rows, map[string]string{"game_id": strconv.Itoa(i), "first_player": names[i][0], "second_player": names[i][1]})
	}
	return WriteTable(t, schemas.Games, rows, manifest.Counts{})
}

// WidestError returns the standard error of a ratio Σ total/Σ size over games with these
// names, and half the width of its interval: by the sums of games and by the sums of all pairs of games that share a player, each
// sum of a player divided by one less this player's share of the size, the wider of the two.
func WidestError(names [][2]string, total, size []float64) (se, reach float64) {
	var t, n float64
	for g := range names {
		t, n = t+total[g], n+size[g]
	}
	byGame, byPlayer := 0.0, 0.0
	kept, weights, weights2 := 0.0, 0.0, 0.0 // of a residual as large as its game, on average; of the games' squares
	squares := lists.Sum(size, func(x float64) float64 { return x * x / n / n })
	sums, sizes := map[[2]string]float64{}, map[[2]string]float64{}
	for g, who := range names {
		if size[g] == 0 {
			continue
		}
		u := total[g] - t/n*size[g]
		w := size[g] * size[g]
		kept += w * (1 - 2*size[g]/n + squares)
		weights, weights2 = weights+w, weights2+w*w
		byGame += u * u
		if who[0] == "" || who[1] == "" {
			continue
		}
		for _, key := range [][2]string{{who[0]}, {who[1]}, {min(who[0], who[1]), max(who[0], who[1])}} {
			if who[0] == who[1] && key != [2]string{who[0]} {
				continue
			}
			sums[key], sizes[key] = sums[key]+u, sizes[key]+size[g]
		}
		if who[0] == who[1] { // counted twice above
			sums[[2]string{who[0]}] -= u
			sizes[[2]string{who[0]}] -= size[g]
		}
	}
	byGame /= kept / weights
	var shares []float64
	for key, s := range sums {
		s /= 1 - sizes[key]/n
		if key[1] == "" {
			byPlayer += s * s
			shares = append(shares, sizes[key]/n)
		} else {
			byPlayer -= s * s
		}
	}
	width := func(variance, degrees float64) float64 {
		return distuv.StudentsT{Sigma: 1, Nu: degrees}.Quantile(0.975) * math.Sqrt(max(0, variance)) / n
	}
	games, players := width(byGame, max(1, weights*weights/weights2*kept/weights)), width(byPlayer, degrees(shares, byPlayer/byGame))
	if byPlayer > 0 && players > games {
		return math.Sqrt(byPlayer) / n, players
	}
	return math.Sqrt(byGame) / n, games
}

// degrees are the degrees of freedom of a variance by players with these shares of all, so many times the variance by game.
func degrees(shares []float64, effect float64) float64 {
	squares := lists.Sum(shares, func(h float64) float64 { return h * h })
	sum, sum2 := 0.0, 0.0
	for _, h := range shares {
		v := h + max(0, effect-1)/squares*h*h
		sum, sum2 = sum+v, sum2+v*v
	}
	return max(1, sum*sum/sum2-1)
}
