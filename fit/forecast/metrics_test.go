package forecast

import (
	"math"
	"testing"

	"kifu/fit/losses"
)

// TestTallyMerge: tallies of parts put together are the tally of all rows.
func TestTallyMerge(t *testing.T) {
	for _, f := range []Forecaster{{Method: losses.Value}, {Method: losses.MLM}} {
		var all, a, b tally
		for i := range 1000 {
			z, y, w := math.Sin(float64(i)), float64(i%3)/2, 1+float64(i%5)
			part := &a
			if i >= 300 {
				part = &b
			}
			part.add(f, z, y, w)
			all.add(f, z, y, w)
		}
		a.merge(b)
		a.merge(tally{})
		for _, pair := range [][2]float64{{a.mean, all.mean}, {a.about, all.about}, {a.residual, all.residual}, {a.logLoss, all.logLoss}, {a.squares, all.squares}, {a.right, all.right}, {a.decided, all.decided}, {a.weight, all.weight}, {float64(a.n), float64(all.n)}} {
			if math.Abs(pair[0]-pair[1]) > 1e-12*math.Abs(pair[1]) {
				t.Errorf("%s: %+v, want %+v", f.Method, a, all)
				break
			}
		}
	}
}

// TestAccuracyOfZero: a value of 0 names no winner and counts half; a draw is not decided.
func TestAccuracyOfZero(t *testing.T) {
	var m tally
	for _, p := range [][3]float64{{1, 1, 1}, {-1, 1, 1}, {0, 1, 1}, {0, 0, 3}, {2, 0.5, 5}} {
		m.decide(p[0], p[1], p[2])
	}
	if m.right != 3 || m.decided != 6 {
		t.Errorf("%g of %g decided positions named, want 3 of 6", m.right, m.decided)
	}
}
