package skill

import (
	"math"
	"slices"
	"testing"
)

// TestAccuracy: the accuracies that lichess holds its own code to (lila, AccuracyPercentTest), within its tolerances.
func TestAccuracy(t *testing.T) {
	repeat := func(n int, values ...float64) []float64 { return slices.Repeat(values, n) }
	for _, c := range []struct {
		name        string
		values      []float64
		second      bool // the second player moves first
		white, near float64
		black, by   float64
	}{
		{"good moves", []float64{15, 15}, false, 100, 1, 100, 1},
		{"the first blunders", []float64{-900, -900}, false, 10, 5, 100, 1},
		{"the second blunders", []float64{15, 900}, false, 100, 1, 10, 5},
		{"both blunder", []float64{-900, 0}, false, 10, 5, 10, 5},
		{"a late blunder", append(repeat(20, 15), -900), false, 50, 5, 100, 1},
		{"a late blunder of the second", append(repeat(21, 15), 900), false, 100, 1, 50, 5},
		{"average moves", repeat(5, -50, 15), false, 76, 8, 76, 8},
		{"many average moves", repeat(50, -50, 15), false, 76, 8, 76, 8},
		{"mediocre moves", repeat(50, -135, 15), false, 54, 8, 54, 8},
		{"terrible moves", repeat(50, -435, 15), false, 20, 8, 20, 8},
		{"the second first, and blunders", []float64{900, 900}, true, 100, 1, 10, 5},
		{"the second first, then a blunder", []float64{15, -900}, true, 10, 5, 100, 1},
	} {
		got, _ := Accuracy(StartValue, c.values, !c.second)
		if !(math.Abs(got[0]-c.white) <= c.near) || !(math.Abs(got[1]-c.black) <= c.by) {
			t.Errorf("%s: %.1f, want %v ± %v and %v ± %v", c.name, got, c.white, c.near, c.black, c.by)
		}
	}
	if got, loss := Accuracy(StartValue, []float64{15}, true); !math.IsNaN(got[0]) || !math.IsNaN(loss[1]) {
		t.Errorf("one move has an accuracy: %v, %v", got, loss)
	}
	if _, loss := Accuracy(StartValue, repeat(3, -50, 15), true); loss != [2]float64{65, 65} {
		t.Errorf("mean losses %v, want 65", loss)
	}
}
