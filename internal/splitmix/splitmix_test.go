package splitmix

import (
	"math"
	"testing"
)

// TestMix: the first outputs of SplitMix64 from state 0, as java.util.SplittableRandom
// and the reference implementation of xoshiro's authors give them.
func TestMix(t *testing.T) {
	state := uint64(0)
	for i, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f} {
		state += Golden
		if got := Mix(state); got != want {
			t.Errorf("output %d: %#x, want %#x", i, got, want)
		}
	}
}

// TestShare: shares are uniform, and neighbouring seeds draw independently.
func TestShare(t *testing.T) {
	const n = 100_000
	both, one := 0, 0
	for i := range int64(n) {
		a, b := Share(1, i) < 0.3, Share(2, i) < 0.3
		if a {
			one++
		}
		if a && b {
			both++
		}
	}
	// Four standard errors.
	if math.Abs(float64(one)/n-0.3) > 0.006 || math.Abs(float64(both)/n-0.09) > 0.004 {
		t.Errorf("%d and %d of %d drawn", one, both, n)
	}
}
