package reporttest

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"kifu/datasets"
	"kifu/schemas"
)

// NamedGames makes a dataset of the games 0 to n-1 between players drawn from so many. It
// returns the names, too, an empty one where there is none.
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
	return WriteTable(t, schemas.Games, rows, datasets.Counts{})
}

// WidestError returns the standard error of a ratio Σ total/Σ size over games with these
// names, by the sums of games and by those of all pairs of games that share a player, each
// sum of a player divided by one less his share of the size: the wider of the two.
func WidestError(names [][2]string, total, size []float64) float64 {
	var t, n float64
	for g := range names {
		t, n = t+total[g], n+size[g]
	}
	games, byGame, byPlayer := 0.0, 0.0, 0.0
	sums, sizes := map[[2]string]float64{}, map[[2]string]float64{}
	for g, who := range names {
		if size[g] == 0 {
			continue
		}
		u := total[g] - t/n*size[g]
		games++
		byGame += u * u
		if who[1] == "" {
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
	for key, s := range sums {
		s /= 1 - sizes[key]/n
		if key[1] == "" {
			byPlayer += s * s
		} else {
			byPlayer -= s * s
		}
	}
	return math.Sqrt(max(byGame*games/(games-1), byPlayer)) / n
}
