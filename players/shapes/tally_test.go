package shapes

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestTally: keys are counted as a map counts them, whenever those that wait are, and kept once.
func TestTally(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	want := map[uint64]uint32{}
	var all [2]tally
	for i := range 5 * mostPending {
		key := r.Uint64N(1 + r.Uint64N(90_000))
		want[key]++
		all[i%2].add(key)
	}
	for i := range all {
		if len(all[i].pending) >= mostPending {
			t.Errorf("%d keys wait", len(all[i].pending))
		}
		all[i].count()
	}
	all[0].merge(&all[1])
	if len(all[0].keys) != len(want) || !slices.IsSorted(all[0].keys) {
		t.Fatalf("%d keys, want %d", len(all[0].keys), len(want))
	}
	for i, key := range all[0].keys {
		if all[0].counts[i] != want[key] {
			t.Fatalf("%d came %d times, not %d", key, want[key], all[0].counts[i])
		}
	}
}
