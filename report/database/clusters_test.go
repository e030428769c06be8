package database

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"kifu/datasets/manifest"
	"kifu/internal/dyads"
	"kifu/kit/reporttest"
	"kifu/report/sheet"
	"kifu/schemas"
)

// TestPlayers: where players return, with one side or both, the intervals of the score and of the advantage
// given the ratings are as wide as the sums over all pairs of games that share a player make them.
func TestPlayers(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 8))
	const games, players = 600, 40
	var names [][2]string
	var rows []map[string]string
	points, size, says := make([]float64, games), make([]float64, games), make([]float64, games)
	differences := make([]float64, games)
	for g := range games {
		// Half of them always move first, and are stronger than their ratings by turns.
		a, b := rng.IntN(players/2), players/2+rng.IntN(players/2)
		first, second := 1500+10*(a%7), 1500+10*(b%5)
		differences[g] = float64(first - second)
		result := "second"
		if p := 1 / (1 + math.Exp(-2*math.Sin(float64(a)))); rng.Float64() < p {
			result, points[g] = "first", 1
		}
		size[g] = 1
		names = append(names, [2]string{"p" + strconv.Itoa(a), "p" + strconv.Itoa(b)})
		rows = append(rows, map[string]string{"game_id": strconv.Itoa(g), "first_player": names[g][0], "second_player": names[g][1], "result": result,
			"first_elo": strconv.Itoa(first), "second_elo": strconv.Itoa(second), "ply_count": "40"})
	}
	dir := reporttest.WriteTable(t, schemas.Games, rows, manifest.Counts{})
	judge := func(c sheet.Clusters) (all, given fact, d *report) {
		d, err := ask(t, Params{Sources: []string{"games"}, Clusters: c}, dir)
		if err != nil {
			t.Fatal(err)
		}
		return d.Sections["games"][0], d.Sections["first-move advantage"][1], d
	}
	all, given, d := judge(sheet.Clusters{})
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-4*math.Abs(want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	// Of the score Wilson's interval, at as many coins as vary like it.
	se, reach := reporttest.WidestError(names, points, size)
	p, quantile := all.Score, reach/se
	n := p * (1 - p) / (se * se) * games / (games - 1)
	middle, half := (p+quantile*quantile/(2*n))/(1+quantile*quantile/n), quantile*math.Sqrt(p*(1-p)/n+quantile*quantile/(4*n*n))/(1+quantile*quantile/n)
	near("low", all.Low, middle-half)
	near("high", all.High, middle+half)
	// Of the advantage, that of the points beyond those expected; a game says what its expectation varies by.
	beyond, rate := make([]float64, games), math.Ln10/400
	for g, x := range differences {
		e := 1 / (1 + math.Exp(-rate*(x+given.Value)))
		says[g] = e * (1 - e)
		beyond[g] = points[g] - e
	}
	_, reach = reporttest.WidestError(names, beyond, says)
	near("advantage", given.High-given.Value, reach/rate)
	if !strings.Contains(d.Errors, "40 players") {
		t.Error(d.Errors)
	}
	byGame, givenByGame, d := judge(sheet.Clusters{Way: dyads.ByGame})
	if !(byGame.High-byGame.Low < 0.6*(all.High-all.Low)) || !(givenByGame.High-givenByGame.Low < 0.6*(given.High-given.Low)) || !strings.Contains(d.Errors, "--dependence games") {
		t.Errorf("by game %v and %v, with players %v and %v; %s", byGame, givenByGame, all, given, d.Errors)
	}
	// Names of one person; too few persons are no clusters.
	var same []dyads.Alias
	for k := range players {
		same = append(same, dyads.Alias{Name: "p" + strconv.Itoa(k), SameAs: "p" + strconv.Itoa(k%2)})
	}
	if few, _, d := judge(sheet.Clusters{Aliases: same}); few.Low != byGame.Low || !strings.Contains(d.Errors, "too few players to speak for others") {
		t.Errorf("%v, by game %v; %s", few, byGame, d.Errors)
	}
}
