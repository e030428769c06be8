package depth

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/kit/reporttest"
	"kifu/report/sheet"
)

// TestPlayers: the errors of sigma, and of its difference from that of another search of the
// same positions, are the wider of those by game and by player, as summed by another hand.
func TestPlayers(t *testing.T) {
	const games = 200
	dir, names := reporttest.NamedGames(t, games, 25)
	labels := wildLabels(names)
	d := reporttest.WriteLabels(t, t.TempDir(), labels, nil)
	got, err := run(context.Background(), reporttest.OpenDB(t), widest, []*datasets.Dir{d, dir})
	if err != nil {
		t.Fatal(err)
	}
	n, size := float64(len(labels)), make([]float64, games)
	for _, l := range labels {
		size[l.Game]++
	}
	// scores returns what each game adds to sigma, times n.
	scores := func(of regression, x func(l reporttest.Label) float64) []float64 {
		out, mean := make([]float64, games), 0.0
		square := func(l reporttest.Label) float64 {
			e := float64(l.Value) - of.A*x(l) - of.B
			return e * e
		}
		for _, l := range labels {
			mean += square(l) / n
		}
		for _, l := range labels {
			out[l.Game] += (square(l) - mean) / (2 * of.Sigma)
		}
		return out
	}
	var all []regression
	for _, l := range got.Lines {
		if l.Kind == "all" {
			all = append(all, l)
		}
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-5*want {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	first := scores(all[0], func(l reporttest.Label) float64 { return float64(l.Safety) })
	second := scores(all[1], func(l reporttest.Label) float64 { return float64(l.Ply) })
	se, _ := reporttest.WidestError(names, first, size)
	near("sigma", all[0].SigmaSE, se)
	for g := range second {
		second[g] -= first[g]
	}
	near("difference", all[1].Difference, all[1].Sigma-all[0].Sigma)
	if _, reach := reporttest.WidestError(names, second, size); math.Abs((all[1].DifferenceHigh-all[1].DifferenceLow)/2/reach-1) > 1e-3 {
		t.Errorf("the difference's interval: %v to %v, want ± %v", all[1].DifferenceLow, all[1].DifferenceHigh, reach)
	}
	byGame, _ := reporttest.WidestError(make([][2]string, games), first, size)
	if !math.IsNaN(all[0].Difference) || !(all[0].SigmaSE > 1.02*byGame) || !strings.Contains(got.Errors, "25 players") {
		t.Errorf("%+v, %s", all[0], got.Errors)
	}
}

var widest = Params{Shallow: []string{"king_safety", "ply"}, Sources: []string{"labels"}, Clusters: sheet.Clusters{Names: []int{1}}}

// wildLabels are labels of games whose errors depend on who plays.
func wildLabels(names [][2]string) (labels []reporttest.Label) {
	rng := rand.New(rand.NewPCG(5, 1))
	wild := map[string]float64{}
	for g, who := range names {
		for _, p := range who {
			if _, seen := wild[p]; !seen {
				wild[p] = 20 * rng.ExpFloat64()
			}
		}
		for ply := range 1 + rng.IntN(6) {
			x := 100 * rng.NormFloat64()
			labels = append(labels, reporttest.Label{Game: int64(g), Ply: int32(ply), Safety: float32(x), Value: float32(x + (20+wild[who[0]]+wild[who[1]])*rng.NormFloat64()), Result: "first"})
		}
	}
	return labels
}

// TestOrderOfRows: no number depends on the order of the rows, in any bit.
func TestOrderOfRows(t *testing.T) {
	_, names := reporttest.NamedGames(t, 200, 25)
	p := widest
	p.Way = "players"
	reporttest.SameInAnyOrder(t, names, wildLabels(names), func(rows []reporttest.Label, games *datasets.Dir) any {
		d := reporttest.WriteLabels(t, t.TempDir(), rows, nil)
		got, err := run(context.Background(), reporttest.OpenDB(t), p, []*datasets.Dir{d, games})
		if err != nil {
			t.Fatal(err)
		}
		return got.Lines
	})
}
