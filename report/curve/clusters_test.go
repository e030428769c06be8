package curve

import (
	"context"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/kit/reporttest"
	"kifu/kit/slow"
	"kifu/query"
	"kifu/report/shape"
	"kifu/report/sheet"
	"kifu/schemas"
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
				if want, _ := reporttest.WidestError(names, won, size); math.Abs(b.SE-want) > 1e-7 {
					t.Errorf("%s, bin %v of %v: error %v, want %v", draws, b.V, width, b.SE, want)
				}
				alone := make([][2]string, games)
				if byGame, _ := reporttest.WidestError(alone, won, size); b.SE > 1.0001*byGame {
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
			if err := o.fill(); err != nil {
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
// which is known (the short form of bench/simulation/splits, curves). Where players who always move
// first meet players who never do, what they are better by does not cancel, and errors by game
// hold it too seldom.
func TestCoverage(t *testing.T) {
	slow.Test(t, "dozens of reports")
	for _, c := range []struct {
		name        string
		games, sets int
		spread      float64 // of strength
		sides       bool    // half of the players always move first
		least       float64 // share of the intervals
	}{
		{"either side", 600, 3, 0.7, false, 0.9},
		{"one side", 900, 5, 2, true, 0.85},
	} {
		t.Run(c.name, func(t *testing.T) {
			hits, bins := 0.0, 0.0
			for set := range c.sets {
				rng := rand.New(rand.NewPCG(4, uint64(set)))
				dir, names := reporttest.NamedGames(t, c.games, 30)
				if c.sides {
					dir, names = sidedGames(t, rng, c.games, 30)
				}
				d := reporttest.WriteLabels(t, t.TempDir(), walks(rng, names, c.spread), nil)
				p := Params{Bin: 40, MinCount: 60, Draws: shape.DrawsExclude, Sources: []string{"labels"}, Clusters: sheet.Clusters{Names: []int{1}},
					When: []query.Named{{Name: "ahead", SQL: "abs(quiescence_value) > 60"}}}
				r, err := Run(context.Background(), reporttest.OpenDB(t), p, []*datasets.Dir{d, dir})
				if err != nil {
					t.Fatal(err)
				}
				for _, k := range r.Curves {
					for _, b := range k.Bins {
						bins++
						if truth := 1 / (1 + math.Exp(-b.V/walkScale)); b.Low <= truth && truth <= b.High {
							hits++
						}
					}
				}
			}
			if share := hits / bins; share < c.least || share > 0.99 {
				t.Errorf("%.1f %% of %.0f bins hold the truth, want 95 %%", 100*share, bins)
			}
		})
	}
}

// sidedGames makes a dataset of games between so many players who always move first and as many who
// never do.
func sidedGames(t *testing.T, rng *rand.Rand, games, players int) (dir *datasets.Dir, names [][2]string) {
	var rows []map[string]string
	for g := range games {
		who := [2]string{"a" + strconv.Itoa(rng.IntN(players)), "b" + strconv.Itoa(rng.IntN(players))}
		names = append(names, who)
		rows = append(rows, map[string]string{"game_id": strconv.Itoa(g), "first_player": who[0], "second_player": who[1]})
	}
	return reporttest.WriteTable(t, schemas.Games, rows, manifest.Counts{}), names
}

const walkScale = 160 // centipawns

// walks are labels of games between players whose strengths, in log-odds, are drawn with that spread.
// Values tell of the winner alone, a step of 40 as much as the value says.
func walks(rng *rand.Rand, names [][2]string, spread float64) (labels []reporttest.Label) {
	strength := map[string]float64{}
	for g, who := range names {
		for _, name := range who {
			if _, met := strength[name]; !met {
				strength[name] = spread * rng.NormFloat64()
			}
		}
		sign, result := -1, "second"
		if rng.Float64() < 1/(1+math.Exp(strength[who[1]]-strength[who[0]])) {
			sign, result = 1, "first"
		}
		v := 0
		for ply := range 12 {
			step := -1
			if rng.Float64() < 1/(1+math.Exp(-40.0/walkScale*float64(sign))) {
				step = 1
			}
			if v += 40 * step; ply > 3 {
				labels = append(labels, reporttest.Label{Game: int64(g), Ply: int32(ply), Value: float32(v), Result: result})
			}
		}
	}
	return labels
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
	bins := func(in []*datasets.Dir, clusters sheet.Clusters) (bins []shape.Bin, reach []float64) {
		p := Params{Bin: 50, MinCount: 1, Interval: IntervalBootstrap, Seed: 1, Draws: shape.DrawsExclude, Sources: []string{"labels"}, Clusters: clusters}
		c, err := Run(context.Background(), reporttest.OpenDB(t), p, in)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := c.Rows().All()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			f := sheet.Fields{Columns: c.Rows().Columns, Row: row}
			reach = append(reach, f.Number("t")*f.Number("se"))
		}
		return c.Curves[0].Bins, reach
	}
	alone, byGame := bins([]*datasets.Dir{d}, sheet.Clusters{})
	players, byPlayer := bins([]*datasets.Dir{d, dir}, sheet.Clusters{Names: []int{1}})
	wider := 0
	for i, a := range alone {
		b := players[i]
		by := math.Max(1, byPlayer[i]/byGame[i])
		low, high := math.Max(0, a.P-by*(a.P-a.Low)), math.Min(1, a.P+by*(a.High-a.P))
		if math.Abs(b.Low-low) > 1e-3 || math.Abs(b.High-high) > 1e-3 {
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
