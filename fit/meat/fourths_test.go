package meat

import (
	"math"
	"math/rand/v2"
	"testing"

	"kifu/fit/rows"
)

// TestDegrees: of n normal clusters that are alike there are n degrees of freedom, in the mean; of clusters of two sizes
// as many as Satterthwaite's formula has; a cluster that is all there is has one.
func TestDegrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(1946, 1))
	for _, c := range []struct {
		many, few int
		size, off float64
	}{{20, 0, 0, 0.1}, {60, 0, 0, 0.1}, {40, 4, 3, 0.3}} {
		s2, s4 := float64(c.many), float64(c.many)
		s2, s4 = s2+float64(c.few)*c.size*c.size, s4+float64(c.few)*math.Pow(c.size, 4)
		want := s2 * s2 / s4
		sum, runs := 0.0, 4000
		for range runs {
			f := NewFourths([][]rows.Entry{{{At: 1, Share: 2}}})
			for i := range c.many + c.few {
				size := 1.0
				if i >= c.many {
					size = c.size
				}
				f.add([]float64{9, rng.NormFloat64()}, size)
			}
			sum += 1 / f.Degrees()[0]
		}
		if got := float64(runs) / sum; math.Abs(got/want-1) > c.off {
			t.Errorf("%+v: %.1f degrees, want %.1f", c, got, want)
		}
	}
	f := NewFourths([][]rows.Entry{{{At: 0, Share: 1}}, nil})
	f.add([]float64{3}, 1)
	if df := f.Degrees(); df[0] != 1 || !math.IsNaN(df[1]) {
		t.Errorf("%v: want 1, and none where nothing moves", df)
	}
}
