package main

import (
	"math"
	"testing"

	"kifu/kit/slow"
)

// TestCoverage is the program in short: the intervals of 95 % hold the best value, an option
// that does nothing has none, and the values end near the best.
func TestCoverage(t *testing.T) {
	slow.Test(t, "tunes hundreds of times")
	const runs = 40
	for _, k := range Kinds {
		c := Run(k, runs, 1)
		if slack := 3 * math.Sqrt(0.05*0.95/runs); c.Covered < 0.95-slack {
			t.Error(c)
		}
		if idle := math.IsInf(k.Reach, 1); idle && c.Found > 0.1 || k.Start != 60 && !idle && c.Found < 0.2 {
			t.Errorf("intervals found: %v", c)
		}
		if k.Games >= 20000 && k.Power == 2 && c.End > 2 {
			t.Errorf("%.1f Elo from the best: %v", c.End, c)
		}
	}
}
