package population

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kifu/games"
	"kifu/internal/clogit"
)

// listed returns the moves 0 to n-1.
func listed(n int) (moves []games.Move) {
	for i := range n {
		moves = append(moves, games.Move(i))
	}
	return moves
}

// TestSampled: the move played stays, others keep their order, and few moves are all kept.
func TestSampled(t *testing.T) {
	kept := 0
	for seed := range uint64(200) {
		chosen := int(seed) % 250
		moves, at := sampled(listed(250), chosen, seed)
		if moves[at] != games.Move(chosen) || !slices.IsSorted(moves) {
			t.Fatalf("move %d is number %d of %v", chosen, at, moves)
		}
		kept += len(moves) - 1
	}
	if mean := float64(kept) / 200; math.Abs(mean-249*mostOf/250.) > 3*math.Sqrt(250*0.24/200) {
		t.Errorf("%.1f other moves are kept: want about %d", mean, mostOf)
	}
	if moves, at := sampled(listed(mostOf), 7, 1); len(moves) != mostOf || at != 7 {
		t.Errorf("of %d moves %d are kept, the one played is number %d", mostOf, len(moves), at)
	}
}

// TestSampledWeight: a planted weight comes out of samples of moves, too.
func TestSampledWeight(t *testing.T) {
	const weight, decisions, legal = 1.5, 4000, 250
	rng := rand.New(rand.NewPCG(1978, 6))
	d := clogit.New[float32](1)
	for n := range decisions {
		var x, odds [legal]float64
		sum := 0.0
		for i := range x {
			x[i] = rng.NormFloat64()
			odds[i] = math.Exp(weight * x[i])
			sum += odds[i]
		}
		chosen, at := 0, rng.Float64()*sum
		for at -= odds[0]; at > 0 && chosen < legal-1; at -= odds[chosen] {
			chosen++
		}
		moves, i := sampled(listed(legal), chosen, uint64(n))
		for _, m := range moves {
			d.Add(0, x[m])
			d.EndRow()
		}
		d.End(int64(n), i)
	}
	fit, err := d.Fit(0, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := fit.Beta[0]; math.Abs(got-weight) > 3*fit.SE[0] {
		t.Errorf("weight %.3f ± %.3f, want %.3f", got, fit.SE[0], weight)
	}
}
