package calibration

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/internal/dyads"
	"kifu/kit/reporttest"
	"kifu/report/sheet"
	"kifu/schemas"
)

// TestPlayers: errors of shares, of log-losses and of their differences are the wider of
// those by game and by player, as summed by another hand; differences are paired.
func TestPlayers(t *testing.T) {
	const games = 240
	dir, names := reporttest.NamedGames(t, games, 25)
	labels := unequalLabels(names)
	d := reporttest.WriteLabels(t, t.TempDir(), labels, nil)
	p := twoValues
	judge := func(c sheet.Clusters) *report {
		p.Clusters = c
		r, err := run(context.Background(), reporttest.OpenDB(t), p, []*datasets.Dir{d, dir})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := judge(sheet.Clusters{Names: []int{1}})
	won, loss, other, size := make([]float64, games), make([]float64, games), make([]float64, games), make([]float64, games)
	for _, l := range labels {
		y := 0.0
		if l.Result == "first" {
			y = 1
		}
		lossOf := func(v float32) float64 {
			if math.Abs(float64(v)) > schemas.Decided {
				t.Fatal("decided")
			}
			z := 0.01 * float64(v)
			return math.Log(1+math.Exp(z)) - y*z
		}
		won[l.Game] += y
		loss[l.Game] += lossOf(l.Value)
		other[l.Game] += lossOf(l.Safety) - lossOf(l.Value)
		size[l.Game]++
	}
	first, second := r.judgements(0, "all")[0], r.judgements(1, "all")[0]
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-7 {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	widest := func(total []float64) float64 { se, _ := reporttest.WidestError(names, total, size); return se }
	near("share", first.ShareSE, widest(won))
	near("log-loss", first.SE, widest(loss))
	near("difference", second.Difference, second.LogLoss-first.LogLoss)
	if _, reach := reporttest.WidestError(names, other, size); math.Abs((second.DifferenceHigh-second.DifferenceLow)/2/reach-1) > 1e-3 {
		t.Errorf("the difference's interval: %v to %v, want ± %v", second.DifferenceLow, second.DifferenceHigh, reach)
	}
	if !math.IsNaN(first.Difference) || !strings.Contains(r.Errors, "25 players, effectively 2") {
		t.Errorf("the first differs from itself by %v; %s", first.Difference, r.Errors)
	}
	byGame := judge(sheet.Clusters{Way: "games", Names: []int{1}})
	if a, b := byGame.judgements(0, "all")[0].SE, first.SE; !(a < 0.9*b) || !strings.Contains(byGame.Errors, "--dependence games") {
		t.Errorf("by game ± %v, the wider ± %v: the data tell nothing; %s", a, b, byGame.Errors)
	}
	same := judge(sheet.Clusters{Names: []int{1}, Aliases: []dyads.Alias{{Name: "p1", SameAs: "nick"}, {Name: "nick", SameAs: "p2"}}})
	if !strings.Contains(same.Errors, "24 players") {
		t.Error(same.Errors)
	}
	few, _ := reporttest.NamedGames(t, games, 3)
	dir = few
	if r := judge(sheet.Clusters{Names: []int{1}}); !strings.Contains(r.Errors, "They hold for games of p0, p1 and p2 alone") || math.Abs(r.judgements(0, "all")[0].ShareSE-byGame.judgements(0, "all")[0].ShareSE) > 1e-12 {
		t.Error(r.Errors)
	}
}

// TestCalibrationError: the distance from the forecasts and that by chance are those of the bins as
// summed by another hand from the labels.
func TestCalibrationError(t *testing.T) {
	const games, bins = 240, 10
	dir, names := reporttest.NamedGames(t, games, 25)
	labels := unequalLabels(names)
	d := reporttest.WriteLabels(t, t.TempDir(), labels, nil)
	p := twoValues
	p.Clusters = sheet.Clusters{Names: []int{1}}
	r, err := run(context.Background(), reporttest.OpenDB(t), p, []*datasets.Dir{d, dir})
	if err != nil {
		t.Fatal(err)
	}
	for i, value := range []func(l reporttest.Label) float32{
		func(l reporttest.Label) float32 { return l.Value }, func(l reporttest.Label) float32 { return l.Safety },
	} {
		var off [bins]float64 // games won, less those forecast
		var won, size [bins][games]float64
		for _, l := range labels {
			forecast := 1 / (1 + math.Exp(-0.01*float64(value(l))))
			b := int(bins * forecast)
			if l.Result == "first" {
				off[b]++
				won[b][l.Game]++
			}
			off[b] -= forecast
			size[b][l.Game]++
		}
		distance, chance := 0.0, 0.0
		for b := range off {
			n := 0.0
			for _, k := range size[b] {
				n += k
			}
			distance += math.Abs(off[b]) / float64(len(labels))
			if n > 0 { // the mean of |x| of a normal x is 0.79788456 standard deviations
				se, _ := reporttest.WidestError(names, won[b][:], size[b][:])
				chance += 0.7978845608028654 * se * n / float64(len(labels))
			}
		}
		if got := r.calibrationError(i); math.Abs(got-distance) > 1e-9 || distance < 0.01 {
			t.Errorf("value %d: calibration error %v, want %v", i, got, distance)
		}
		if got := r.calibrationNoise(i); math.Abs(got-chance) > 1e-7 || chance < 0.01 {
			t.Errorf("value %d: by chance %v, want %v", i, got, chance)
		}
	}
}

var twoValues = Params{Bins: 10, Draws: "exclude", Scale: 0.01, Values: []string{"quiescence_value", "king_safety"}, Sources: []string{"labels"}}

// unequalLabels are labels of games between players of unequal strength.
func unequalLabels(names [][2]string) (labels []reporttest.Label) {
	rng := rand.New(rand.NewPCG(1, 1))
	strength := map[string]float64{}
	for g, who := range names {
		for _, p := range who {
			if _, seen := strength[p]; !seen {
				strength[p] = 300 * rng.NormFloat64()
			}
		}
		lead := strength[who[0]] - strength[who[1]]
		result := map[bool]string{true: "first", false: "second"}[rng.Float64() < 1/(1+math.Exp(-0.01*lead))]
		for ply := range 3 {
			labels = append(labels, reporttest.Label{Game: int64(g), Ply: int32(ply), Value: float32(lead/2 + 100*rng.NormFloat64()), Safety: float32(lead/3 + 200*rng.NormFloat64()), Result: result})
		}
	}
	return labels
}

// TestOrderOfRows: no number depends on the order of the rows, in any bit.
func TestOrderOfRows(t *testing.T) {
	_, names := reporttest.NamedGames(t, 240, 25)
	p := twoValues
	p.Clusters = sheet.Clusters{Way: "players", Names: []int{1}}
	reporttest.SameInAnyOrder(t, names, unequalLabels(names), func(rows []reporttest.Label, games *datasets.Dir) any {
		d := reporttest.WriteLabels(t, t.TempDir(), rows, nil)
		r, err := run(context.Background(), reporttest.OpenDB(t), p, []*datasets.Dir{d, games})
		if err != nil {
			t.Fatal(err)
		}
		return r.Rows
	})
}
