package walk

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestStep: the steps move as often as they should, and say by Bayes' rule who wins with the
// odds that they were given.
func TestStep(t *testing.T) {
	const n, odds = 200000, 0.4
	rng := rand.New(rand.NewPCG(1, 2))
	var up, moved, upWon float64
	for range n {
		won := rng.IntN(2) == 0
		switch Step(rng, won, odds) {
		case 1:
			up++
			moved++
			if won {
				upWon++
			}
		case -1:
			moved++
		}
	}
	if share := moved / n; math.Abs(share-Moving) > 4*math.Sqrt(Moving*(1-Moving)/n) {
		t.Errorf("%.4f of the steps move", share)
	}
	want := 1 / (1 + math.Exp(-odds))
	if share := upWon / up; math.Abs(share-want) > 4*math.Sqrt(want*(1-want)/up) {
		t.Errorf("%.4f of the steps up are the winner's, want %.4f", share, want)
	}
}

// TestSource: the same numbers for the same data set, others for its neighbours.
func TestSource(t *testing.T) {
	a, b, c := Source(1, 2).Uint64(), Source(1, 2).Uint64(), Source(1, 3).Uint64()
	if a != b || a == c {
		t.Error(a, b, c)
	}
}
