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

// TestDraw: what a share draws is what held_out of kifu query does in SQL.
func TestDraw(t *testing.T) {
	for _, c := range []struct {
		number int64
		share  float64
		seed   uint64
		want   bool
	}{{7, 0.62626, 1, false}, {7, 0.62627, 1, true}, {123456789012, 0.46788, 1, true}, {7, 0.61755, 1 << 63, false}, {7, 0.61756, 1 << 63, true}} {
		if got := Share(c.seed, c.number) < c.share; got != c.want {
			t.Errorf("number %d, share %v, seed %d: %v", c.number, c.share, c.seed, got)
		}
	}
}

// TestStream: neighbouring seeds, purposes and numbers give different numbers, equal ones
// the same, which matches and evolutions on disk rest on.
func TestStream(t *testing.T) {
	seen := map[uint64][3]int{}
	for seed := range 4 {
		for purpose := range 4 {
			for number := range 4 {
				x := Stream(uint64(seed), purpose, number).Uint64()
				if y := Stream(uint64(seed), purpose, number).Uint64(); x != y {
					t.Errorf("seed %d, purpose %d, number %d: %d, then %d", seed, purpose, number, x, y)
				}
				if other, twice := seen[x]; twice {
					t.Errorf("%d of %v is also of %v", x, other, [3]int{seed, purpose, number})
				}
				seen[x] = [3]int{seed, purpose, number}
			}
		}
	}
	if got := Stream(1, 2, 3).Uint64(); got != 4544983946999283812 {
		t.Errorf("the first number of seed 1, purpose 2, number 3 is %d", got)
	}
}
