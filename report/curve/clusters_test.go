package curve

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/query"
	"kifu/report/reporttest"
	"kifu/report/shape"
	"kifu/report/sheet"
)

// TestPlayers: the error of a bin is the wider of those by game and by player, as summed by
// another hand, with draws counted in either way; so it is in the views of wider bins.
func TestPlayers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	const games = 300
	dir, names := reporttest.NamedGames(t, games, 25)
	var labels []reporttest.Label
	for g := range names {
		result := []string{"first", "second", "draw"}[rng.IntN(3)]
		for ply := range 4 {
			labels = append(labels, reporttest.Label{Game: int64(g), Ply: int32(ply), Value: float32(50 * (rng.IntN(5) - 2)), Result: result})
		}
	}
	d := reporttest.WriteLabels(t, t.TempDir(), labels, nil)
	for _, draws := range []string{shape.DrawsExclude, shape.DrawsHalf} {
		p := Params{Bin: 50, MinCount: 1, Draws: draws, Sources: []string{"labels"}, Clusters: sheet.Clusters{Names: []int{1}}}
		db := reporttest.OpenDB(t)
		c, err := Run(context.Background(), db, p, []*datasets.Dir{d, dir})
		if err != nil {
			t.Fatal(err)
		}
		wider := 0
		check := func(bins []shape.Bin, width float64) {
			for _, b := range bins {
				won, size := make([]float64, games), make([]float64, games)
				for _, l := range labels {
					if math.Floor(float64(l.Value)/width+0.5)*width != b.V || l.Result == "draw" && draws == shape.DrawsExclude {
						continue
					}
					won[l.Game] += map[string]float64{"first": 1, "draw": 0.5}[l.Result]
					size[l.Game]++
				}
				if want := reporttest.WidestError(names, won, size); math.Abs(b.SE-want) > 1e-7 {
					t.Errorf("%s, bin %v of %v: error %v, want %v", draws, b.V, width, b.SE, want)
				}
				alone := make([][2]string, games)
				if b.SE > 1.0001*reporttest.WidestError(alone, won, size) {
					wider++
				}
			}
		}
		check(c.Curves[0].Bins, 50)
		others, err := c.others(context.Background(), db, []string{draws})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range others {
			if err := o.take(); err != nil {
				t.Fatal(err)
			}
			check(o.Curves[0].Bins, o.Bin)
		}
		if wider == 0 || !strings.Contains(strings.Join(c.notes(), " "), "25 players") {
			t.Errorf("%s: %d bins have a wider error by player; %v", draws, wider, c.notes())
		}
	}
}

// TestCoverage: where players are stronger than the values say, intervals hold the chance to win,
// which is known (the short form of bench/simulation/splits, curves).
func TestCoverage(t *testing.T) {
	const games, sets, scale = 600, 3, 160
	condition := []query.Named{{Name: "ahead", SQL: "abs(quiescence_value) > 60"}}
	hits, bins := 0.0, 0.0
	for set := range sets {
		rng := rand.New(rand.NewPCG(4, uint64(set)))
		dir, names := reporttest.NamedGames(t, games, 30)
		strength := map[string]float64{}
		var labels []reporttest.Label
		for g, who := range names {
			for _, name := range who {
				if _, met := strength[name]; !met {
					strength[name] = 0.7 * rng.NormFloat64()
				}
			}
			sign, result := -1, "second"
			if rng.Float64() < 1/(1+math.Exp(strength[who[1]]-strength[who[0]])) {
				sign, result = 1, "first"
			}
			// A step of 40 tells as much of the winner as the value says.
			v := 0
			for ply := range 12 {
				step := -1
				if rng.Float64() < 1/(1+math.Exp(-40.0/scale*float64(sign))) {
					step = 1
				}
				if v += 40 * step; ply > 3 {
					labels = append(labels, reporttest.Label{Game: int64(g), Ply: int32(ply), Value: float32(v), Result: result})
				}
			}
		}
		d := reporttest.WriteLabels(t, t.TempDir(), labels, nil)
		p := Params{Bin: 40, MinCount: 60, Draws: shape.DrawsExclude, When: condition, Sources: []string{"labels"}, Clusters: sheet.Clusters{Names: []int{1}}}
		c, err := Run(context.Background(), reporttest.OpenDB(t), p, []*datasets.Dir{d, dir})
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range c.Curves {
			for _, b := range k.Bins {
				bins++
				if truth := 1 / (1 + math.Exp(-b.V/scale)); b.Low <= truth && truth <= b.High {
					hits++
				}
			}
		}
	}
	if share := hits / bins; share < 0.9 || share > 0.99 {
		t.Errorf("%.1f %% of %.0f bins hold the truth, want 95 %%", 100*share, bins)
	}
}

// TestBootstrapOfPlayers: the bootstrap's ends are as much farther from the share as errors by player are
// larger than by game, and where they are not, the same.
func TestBootstrapOfPlayers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	const games = 400
	dir, names := reporttest.NamedGames(t, games, 12)
	strength := map[string]float64{}
	var labels []reporttest.Label
	for g, who := range names {
		for _, name := range who {
			if _, met := strength[name]; !met {
				strength[name] = 2 * rng.NormFloat64()
			}
		}
		result := "second"
		if strength[who[0]]-strength[who[1]]+rng.NormFloat64() > 0 {
			result = "first"
		}
		for ply := range 4 {
			labels = append(labels, reporttest.Label{Game: int64(g), Ply: int32(ply), Value: float32(50 * (rng.IntN(5) - 2)), Result: result})
		}
	}
	d := reporttest.WriteLabels(t, t.TempDir(), labels, nil)
	bins := func(in []*datasets.Dir, clusters sheet.Clusters) []shape.Bin {
		p := Params{Bin: 50, MinCount: 1, Interval: IntervalBootstrap, Seed: 1, Draws: shape.DrawsExclude, Sources: []string{"labels"}, Clusters: clusters}
		c, err := Run(context.Background(), reporttest.OpenDB(t), p, in)
		if err != nil {
			t.Fatal(err)
		}
		return c.Curves[0].Bins
	}
	alone, players := bins([]*datasets.Dir{d}, sheet.Clusters{}), bins([]*datasets.Dir{d, dir}, sheet.Clusters{Names: []int{1}})
	wider := 0
	for i, a := range alone {
		b := players[i]
		by := math.Max(1, b.SE/a.SE)
		low, high := math.Max(0, a.P-by*(a.P-a.Low)), math.Min(1, a.P+by*(a.High-a.P))
		if math.Abs(b.Low-low) > 1e-6 || math.Abs(b.High-high) > 1e-6 {
			t.Errorf("bin %v: %.4f to %.4f by player, want %.4f to %.4f (errors %v, %v)", a.V, b.Low, b.High, low, high, b.SE, a.SE)
		}
		if by > 1.2 {
			wider++
		}
	}
	if wider == 0 {
		t.Error("players widen no error of a bin")
	}
}
