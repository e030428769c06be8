package trees

import (
	"math"
	"testing"
)

// TestMonotone: of a cut whose upper side is lower, the other direction finds nothing.
func TestMonotone(t *testing.T) {
	b := &Sample{Ridge: 1}
	cells, sizes := []Sum{{-5, 10}, {-5, 10}, {5, 10}}, []int{40, 40, 40}
	if at, gain := b.bestCut(cells, sizes, 1, 10); at != 1 || math.Abs(gain-(100.0/21+25.0/11)) > 1e-12 {
		t.Errorf("cut at %d with gain %v", at, gain)
	}
	if at, _ := b.bestCut(cells, sizes, -1, 10); at >= 0 {
		t.Errorf("cut at %d in the wrong direction", at)
	}
}
