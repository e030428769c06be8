package logit

import (
	"errors"
	"math"
	"testing"
)

// TestClimb: the top of a hill is found, it is where the function was called last, and an error ends the climb.
func TestClimb(t *testing.T) {
	top, last := []float64{3, -2, 0.5}, []float64(nil)
	hill := func(x, slopes []float64) (value float64, err error) {
		last = append(last[:0], x...)
		for i := range x {
			d := x[i] - top[i]
			value -= math.Pow(d, 4) + float64(i+1)*d*d
			slopes[i] = -4*math.Pow(d, 3) - 2*float64(i+1)*d
		}
		return value, nil
	}
	x, err := Climb(3, 5, 100, 1e-6, hill)
	if err != nil {
		t.Fatal(err)
	}
	for i := range x {
		if math.Abs(x[i]-top[i]) > 1e-5 || x[i] != last[i] {
			t.Errorf("unknown %d: %v, last at %v, want %v", i, x[i], last[i], top[i])
		}
	}
	stop := errors.New("stop")
	if _, err := Climb(3, 5, 100, 1e-6, func(x, slopes []float64) (float64, error) {
		v, _ := hill(x, slopes)
		return v, stop
	}); err != stop {
		t.Errorf("got %v, want the error of the function", err)
	}
}
