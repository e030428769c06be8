package command

import "testing"

// TestRate: what takes seconds has a rate that is not rounded to 0.
func TestRate(t *testing.T) {
	for x, want := range map[float64]string{0.56: "0.6", 9.94: "9.9", 26.4: "26", 11146: "11,146"} {
		if got := rate(x); got != want {
			t.Errorf("%v: %q, want %q", x, got, want)
		}
	}
}
