package decide

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestMeanByClusterCovers: ± 1.96 errors of a share of moves predicted hold the truth in about 95 of 100 samples, where
// the moves of a cluster (a game, or a player) depend on each other and clusters differ in size; with 12 clusters in
// 92, as docs/learn.md says.
func TestMeanByClusterCovers(t *testing.T) {
	const runs = 4000
	for _, c := range []struct {
		clusters  int
		low, high float64
	}{{12, 0.90, 0.945}, {20, 0.915, 0.95}, {60, 0.93, 0.96}, {300, 0.935, 0.965}} {
		rng := rand.New(rand.NewPCG(5, uint64(c.clusters)))
		hits := 0
		for range runs {
			var x []float64
			var of []int64
			for k := range c.clusters {
				share := rng.Float64() // ½ in the mean, whatever the size
				for range 5 + rng.IntN(30) {
					hit := 0.0
					if rng.Float64() < share {
						hit = 1
					}
					x, of = append(x, hit), append(of, int64(k))
				}
			}
			mean, se := MeanByCluster(x, func(i int) int64 { return of[i] })
			if math.Abs(mean-0.5) <= 1.96**se {
				hits++
			}
		}
		share := float64(hits) / runs
		t.Logf("| %d | %.1f ± %.1f %% |", c.clusters, 100*share, 100*math.Sqrt(share*(1-share)/runs))
		if share < c.low || share > c.high {
			t.Errorf("%d clusters: %.3f are held, want %.3f to %.3f", c.clusters, share, c.low, c.high)
		}
	}
}
