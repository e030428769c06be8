package wdl

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"kifu/internal/dyads"
	"kifu/kit/slow"
	"kifu/report/sheet"
)

var replications = flag.Int("replications", 0, "data sets of the test of coverage, 0: a few")

// dependent are games whose positions depend on each other, in value and, by one number drawn for the whole
// game, in result; that of each position has the chances of the planted model. Of so many players, 0 of none,
// half of either number is theirs, so that games of one depend on each other, too.
func dependent(games, n, players int, seed uint64) []game {
	r := rand.New(rand.NewPCG(seed, 2))
	type player struct{ strength, style float64 }
	of := make([]player, players)
	for i := range of {
		of[i] = player{r.NormFloat64(), r.NormFloat64()}
	}
	all := make([]game, games)
	for g := range all {
		all[g].who = unknown
		u, x := r.Float64(), 150*r.NormFloat64()
		if players > 0 {
			a := r.IntN(players)
			b := (a + 1 + r.IntN(players-1)) % players
			all[g].who = dyads.Pair{A: int32(a), B: int32(b)}
			u = distuv.UnitNormal.CDF((of[b].strength-of[a].strength)/2 + math.Sqrt(0.5)*r.NormFloat64())
			x = 150 * ((of[a].style-of[b].style)/2 + math.Sqrt(0.5)*r.NormFloat64())
		}
		mean := x / 2 // of the values of this game
		for i := range n {
			c := cell{m: int64(80 - 70*i/n), x: math.Round(x)}
			x = mean + 0.9*(x-mean) + 130*math.Sqrt(1-0.9*0.9)*r.NormFloat64()
			win, draw, _ := planted.Probabilities(float64(c.m), c.x)
			switch {
			case u < win:
				c.wins = 1
			case u < win+draw:
				c.draws = 1
			default:
				c.losses = 1
			}
			all[g].cells = append(all[g].cells, c)
		}
	}
	return all
}

// TestCoverage: what the report prints with an error or an interval, of games whose positions depend on each
// other, is held by ± 1.96 errors, or the interval, in about 95 of 100 data sets. The table of docs/judging.md is
//
//	go test ./report/wdl -run TestCoverage -v -replications 400
func TestCoverage(t *testing.T) {
	slow.Test(t, "hundreds of fits")
	for _, c := range []struct {
		name    string
		players int
		way     string
	}{{"nobody returns", 0, dyads.Both}, {"100 players", 100, dyads.Both}, {"100 players, by game", 100, dyads.ByGame}} {
		if c.way == dyads.ByGame && *replications == 0 {
			continue // is known to hold less often
		}
		t.Run(c.name, func(t *testing.T) { cover(t, c.players, c.way) })
	}
}

func cover(t *testing.T, players int, way string) {
	runs := max(24, *replications)
	p := Params{By: "move", Target: 50, Least: 10, Most: 80, Clusters: sheet.Clusters{Way: way}}
	hits, of := map[string]float64{}, map[string]float64{}
	count := func(name string, off, reach float64) {
		of[name]++
		if math.Abs(off) <= reach {
			hits[name]++
		}
	}
	for i := range runs {
		games := dependent(600, 20, players, uint64(1+i))
		f, err := fit(games, p)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []float64{20, 50, 70} {
			a, b := f.At(m)
			wantA, wantB := planted.At(m)
			ofA, ofB := f.spreadsAt(m)
			count("a and b of the cubics", a-wantA, ofA.Reach())
			count("a and b of the cubics", b-wantB, ofB.Reach())
		}
		for _, k := range f.Locals {
			wantA, wantB := planted.At(float64(k.m))
			count("a and b at one move", k.a-wantA, k.ofA.Reach())
			count("a and b at one move", k.b-wantB, k.ofB.Reach())
		}
		r := &report{Games: games, Fit: fitted{Model: planted, covariances: covariances{way: way}}}
		for _, b := range r.bins(25) { // the model's shares are the true ones
			for k := range b.share {
				of["shares of results by value"]++
				if b.low[k] <= b.model[k] && b.model[k] <= b.high[k] {
					hits["shares of results by value"]++
				}
			}
		}
		rivals, err := judge(games[:400], games[400:], p)
		if err != nil {
			t.Fatal(err)
		}
		truth, err := judge(games[:400], dependent(6000, 20, 0, uint64(1_000_000+i)), p)
		if err != nil {
			t.Fatal(err)
		}
		for k, rival := range rivals[1:] {
			count("differences of log-loss on 200 games", rival.Difference-truth[k+1].Difference, math.Hypot(rival.OfDifference.Reach(), truth[k+1].OfDifference.Reach()))
		}
		count("log-loss on 200 games", rivals[0].LogLoss-truth[0].LogLoss, math.Hypot(rivals[0].Spread.Reach(), truth[0].Spread.Reach()))
	}
	for _, name := range []string{"a and b of the cubics", "a and b at one move", "shares of results by value", "log-loss on 200 games", "differences of log-loss on 200 games"} {
		share := hits[name] / of[name]
		// Numbers of one data set depend on each other: the error is that of as many data sets.
		se := math.Sqrt(0.95 * 0.05 / float64(runs))
		t.Logf("| %s | %.1f ± %.1f %% |", name, 100*share, 100*se)
		if way != dyads.ByGame && math.Abs(share-0.95) > 0.02+4*se {
			t.Errorf("%s: %.1f ± %.1f %% are held, want 95 %%", name, 100*share, 100*se)
		}
	}
}
