package wdl

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"
)

var replications = flag.Int("replications", 0, "data sets of the test of coverage, 0: a few")

// dependent are games whose positions depend on each other, in value and, by one number drawn for the
// whole game, in result; that of each position has the chances of the planted model.
func dependent(games, n int, seed uint64) [][]cell {
	r := rand.New(rand.NewPCG(seed, 2))
	all := make([][]cell, games)
	for g := range all {
		u, x := r.Float64(), 150*r.NormFloat64()
		for i := range n {
			c := cell{m: int64(80 - 70*i/n), x: math.Round(x)}
			x = 0.9*x + 150*math.Sqrt(1-0.9*0.9)*r.NormFloat64()
			win, draw, _ := planted.Probabilities(float64(c.m), c.x)
			switch {
			case u < win:
				c.wins = 1
			case u < win+draw:
				c.draws = 1
			default:
				c.losses = 1
			}
			all[g] = append(all[g], c)
		}
	}
	return all
}

// TestCoverage: what the report prints with an error or an interval, of games whose positions depend on each
// other, is held by ± 1.96 errors, or the interval, in about 95 of 100 data sets. The table of docs/judging.md is
//
//	go test ./report/wdl -run TestCoverage -v -replications 400
func TestCoverage(t *testing.T) {
	runs := max(24, *replications)
	p := Params{By: "move", Target: 50, Least: 10, Most: 80}
	hits, of := map[string]float64{}, map[string]float64{}
	count := func(name string, off, se float64) {
		of[name]++
		if math.Abs(off) <= 1.96*se {
			hits[name]++
		}
	}
	for i := range runs {
		games := dependent(600, 20, uint64(1+i))
		f, err := fit(games, p)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []float64{20, 50, 70} {
			a, b := f.At(m)
			wantA, wantB := planted.At(m)
			aSE, bSE := f.errorsAt(m)
			count("a and b of the cubics", a-wantA, aSE)
			count("a and b of the cubics", b-wantB, bSE)
		}
		for _, k := range f.Locals {
			wantA, wantB := planted.At(float64(k.m))
			count("a and b at one move", k.a-wantA, k.aSE)
			count("a and b at one move", k.b-wantB, k.bSE)
		}
		r := &report{Games: games, Fit: fitted{Model: planted}}
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
		truth, err := judge(games[:400], dependent(6000, 20, uint64(1_000_000+i)), p)
		if err != nil {
			t.Fatal(err)
		}
		for k, rival := range rivals[1:] {
			count("differences of log-loss on 200 games", rival.Difference-truth[k+1].Difference, math.Hypot(rival.DiSE, truth[k+1].DiSE))
		}
		count("log-loss on 200 games", rivals[0].LogLoss-truth[0].LogLoss, math.Hypot(rivals[0].SE, truth[0].SE))
	}
	for _, name := range []string{"a and b of the cubics", "a and b at one move", "shares of results by value", "log-loss on 200 games", "differences of log-loss on 200 games"} {
		share := hits[name] / of[name]
		// Numbers of one data set depend on each other: the error is that of as many data sets.
		se := math.Sqrt(0.95 * 0.05 / float64(runs))
		t.Logf("| %s | %.1f ± %.1f %% |", name, 100*share, 100*se)
		if math.Abs(share-0.95) > 0.02+4*se {
			t.Errorf("%s: %.1f ± %.1f %% are held, want 95 %%", name, 100*share, 100*se)
		}
	}
}
