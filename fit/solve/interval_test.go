package solve

import (
	"math"
	"math/rand/v2"
	"testing"

	"kifu/internal/dyads"
)

// TestFieller: the interval holds the true ratio as often as it says, also where the
// denominator is known so badly that ± 1.96 delta-method errors hold it too often; and
// it is theirs where the denominator is known well.
func TestFieller(t *testing.T) {
	const n = 40000
	rng := rand.New(rand.NewPCG(1954, 1))
	for _, c := range []struct{ ratio, b, vab float64 }{{0, 4, 0}, {2, 7, 0.3}, {-3, 7, -0.5}, {10, 1000, 0}} {
		covered, delta := 0, 0
		for range n {
			e := rng.NormFloat64()
			a, b := c.ratio*c.b+c.vab*e+math.Sqrt(1-c.vab*c.vab)*rng.NormFloat64(), c.b+e
			low, high := fieller(a, b, 1, c.vab, 1, dyads.Normal95)
			if math.IsNaN(low) || low <= c.ratio && c.ratio <= high {
				covered++
			}
			r := a / b
			if se := math.Sqrt(1-2*r*c.vab+r*r) / math.Abs(b); math.Abs(r-c.ratio) <= dyads.Normal95*se {
				delta++
			}
			if c.b > 100 && math.Abs(high-low-2*dyads.Normal95*math.Sqrt(1+r*r)/b) > 1e-4*(high-low) {
				t.Fatalf("%v/%v: %v to %v", a, b, low, high)
			}
		}
		// Four standard errors of the share.
		if off := math.Abs(float64(covered)/n - 0.95); off > 0.0044 {
			t.Errorf("%+v: covered %.4f", c, float64(covered)/n)
		}
		if c.ratio == 0 && float64(delta)/n < 0.96 {
			t.Errorf("%+v: the delta method covers %.4f, so that nobody needs Fieller", c, float64(delta)/n)
		}
	}
	// At the ends a - w·b is 1.96 of its own errors.
	low, high := fieller(1, 3, 1, 0, 1, dyads.Normal95)
	for _, w := range []float64{low, high} {
		if left, right := (1-3*w)*(1-3*w), dyads.Normal95*dyads.Normal95*(1+w*w); math.Abs(left-right) > 1e-12 {
			t.Errorf("end %v: %v, %v", w, left, right)
		}
	}
	if low, high := fieller(1, 1, 1, 0, 1, dyads.Normal95); !math.IsNaN(low) || !math.IsNaN(high) {
		t.Errorf("%v to %v: the denominator may be 0", low, high)
	}
}
