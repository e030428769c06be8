package chart

import (
	"math"
	"testing"
)

// TestIntervalsBeyondTheEdge: of an interval outside the limits an arrow is left at their edge, and nothing is drawn beyond.
func TestIntervalsBeyondTheEdge(t *testing.T) {
	f := &Forest{XMin: 0, XMax: 10, Lines: []Line{{Marks: []Mark{
		{At: 30, Low: 20, High: 40}, {At: -5, Low: -9, High: -1}, {At: 5, Low: -3, High: 12}, {At: 5, Low: 4, High: 6}, {At: 11, Low: math.NaN()},
	}}}}
	type end struct {
		low, high       float64
		cutLow, cutHigh bool
		outside         bool
	}
	want := []end{{10, 10, false, true, true}, {0, 0, true, false, true}, {0, 10, true, true, false}, {4, 6, false, false, false}}
	got := f.limited(Look{}).Lines[0].Marks
	for i, w := range want {
		m := got[i]
		if (end{m.Low, m.High, m.CutLow, m.CutHigh, m.Outside}) != w {
			t.Errorf("mark %d is %+v, want %+v", i, m, w)
		}
	}
	if !got[4].Outside || !math.IsNaN(got[4].Low) {
		t.Errorf("a mark without an interval: %+v", got[4])
	}
	if f.Lines[0].Marks[0].Low != 20 {
		t.Error("the picture itself was changed")
	}
}
