package losses

import (
	"math"
	"testing"
)

// TestSum: many rows at once are the rows one by one, however large the scores.
func TestSum(t *testing.T) {
	var z []float64
	var y, ones []float32
	for i := range 3000 {
		z = append(z, math.Sinh(float64(i%601-300)/40))
		y = append(y, float32(i%3)/2)
		ones = append(ones, 1)
	}
	for _, l := range []Loss{Logistic{}, Squares{}} {
		d, want := make([]float64, len(z)), make([]float64, len(z))
		f, _ := l.Sum(z, y, nil, 0, d)
		g, _ := sumOf(l, z, y, ones, 0, want)
		if math.Abs(f-g) > 1e-12*g {
			t.Errorf("%T: %v, row by row %v", l, f, g)
		}
		for i := range d {
			if math.Abs(d[i]-want[i]) > 1e-15 {
				t.Fatalf("%T at %v: %v, want %v", l, z[i], d[i], want[i])
			}
		}
	}
}
