package decide

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestWithin95Covers: the interval of a share of moves predicted holds the truth in 95 of 100 samples, where the moves of
// a cluster (a game, or a player) depend on each other and clusters differ in size, or are alike; ± 1.96 errors of 12 do
// in 90. The figures are in docs/validation.md.
func TestWithin95Covers(t *testing.T) {
	const runs = 1000
	for _, c := range []struct {
		clusters, least, most int
		low                   float64
	}{{6, 5, 34, 0.92}, {12, 5, 34, 0.93}, {20, 5, 34, 0.93}, {60, 5, 34, 0.94}, {300, 5, 34, 0.94}, {12, 40, 40, 0.94}, {20, 40, 40, 0.94}} {
		rng := rand.New(rand.NewPCG(5, uint64(c.clusters)))
		hits, normal := 0, 0
		for range runs {
			var x []float64
			var of []int64
			for k := range c.clusters {
				share := rng.Float64() // ½ in the mean, whatever the size
				for range c.least + rng.IntN(c.most-c.least+1) {
					hit := 0.0
					if rng.Float64() < share {
						hit = 1
					}
					x, of = append(x, hit), append(of, int64(k))
				}
			}
			cluster := func(i int) int64 { return of[i] }
			mean, se := MeanByCluster(x, cluster)
			if math.Abs(mean-0.5) <= *Within95(x, cluster) {
				hits++
			}
			if math.Abs(mean-0.5) <= 1.96**se {
				normal++
			}
		}
		share := float64(hits) / runs
		t.Logf("| %d of %d to %d | %.1f ± %.1f %% | ± 1.96 errors: %.1f %%", c.clusters, c.least, c.most, 100*share, 100*math.Sqrt(share*(1-share)/runs), 100*float64(normal)/runs)
		if share < c.low-0.01 || share > 0.97 {
			t.Errorf("%d clusters: %.3f are held, want %.3f to 0.97", c.clusters, share, c.low-0.01)
		}
	}
}

// TestWithin95ByHand: five clusters of one value each are a sample whose interval is in every book: 1 to 5 have the
// mean 3, a standard deviation of √2.5, and t of four degrees is 2.776445.
func TestWithin95ByHand(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5}
	got := Within95(x, func(i int) int64 { return int64(i) })
	if want := 2.7764451051977987 * math.Sqrt(2.5/5); got == nil || math.Abs(*got-want) > 1e-9 {
		t.Errorf("%v, want %v", got, want)
	}
	if Within95(x, func(int) int64 { return 1 }) != nil || Within95(nil, nil) != nil {
		t.Error("an interval of less than two clusters")
	}
}

// TestNoErrorOfAll: values that are all equal tell no error, however many clusters they are of.
func TestNoErrorOfAll(t *testing.T) {
	for share, known := range map[float64]bool{0: false, 1: false, 0.5: true} {
		x := make([]float64, 20)
		for i := range x {
			if float64(i) < share*float64(len(x)) {
				x[i] = 1
			}
		}
		mean, se := MeanByCluster(x, func(i int) int64 { return int64(i % 10) })
		if mean != share || (se != nil) != known {
			t.Errorf("a share of %v: mean %v, error %v", share, mean, se)
		}
	}
}
