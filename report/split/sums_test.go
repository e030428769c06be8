package split

import (
	"math/rand/v2"
	"testing"
)

// TestSubsets: the sum over any rows of a word is that of its rows one by one, also where the last word is not full.
func TestSubsets(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	var s subsets
	for _, n := range []int{200, 70} { // the second time the memory is used again
		s.rows = s.rows[:0]
		for range n {
			s.rows = append(s.rows, int32(rng.IntN(2*unit)-unit))
		}
		s.make()
		for range 100 {
			w, word, want := rng.IntN((n+63)/64), rng.Uint64(), int64(0)
			for i := range 64 {
				if word>>i&1 != 0 && 64*w+i < n {
					want += int64(s.rows[64*w+i])
				}
			}
			if got := s.sum(w, word); got != want {
				t.Fatalf("word %d, %064b: %d, want %d", w, word, got, want)
			}
		}
	}
}
