package views

import "testing"

// TestMostDrawn: a graph in discs or points is not cut where one in pawns is, at ten.
func TestMostDrawn(t *testing.T) {
	for per, want := range map[float64]float64{100: 1000, 1: 60} {
		if got := mostDrawn(per); got != want {
			t.Errorf("%v a unit: %v, want %v", per, got, want)
		}
	}
}
