package split

import (
	"math"
	"testing"

	"kifu/report/curve"
	"kifu/report/split/conditions"
	"kifu/report/split/search"
)

// interval is an estimate with its interval.
func interval(value, low, high float64) search.Interval {
	return search.Interval{Value: value, Low: low, High: high}
}

// TestSentence: a shift is told in the mean, or, where the mean may be nothing, at the value where it is surest.
func TestSentence(t *testing.T) {
	r := &report{Result: &search.Result{Columns: []string{"phase"}, Bin: 25}, Curves: &curve.Report{Sides: [2]string{"White", "Black"}}}
	k := &search.Split{At: 300, Gap: interval(40, 20, 60), Mean: interval(1, -5, 7), ShiftP: 0.01, Given: search.None}
	k.Atoms = []conditions.Atom{{Column: 0, Op: conditions.AtMost, At: 4, Given: -1, Name: "phase <= 4"}}
	if got, want := r.sentence(k), "At a value of 300, where phase is at most 4, positions are worth 40 more to White than their value implies."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	k.Mean = interval(-12, -20, -4)
	if got, want := r.sentence(k), "Where phase is at most 4, positions are worth 12 more to Black than their value implies."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	k.Mean = interval(math.NaN(), math.NaN(), math.NaN())
	if got, want := r.sentence(k), "Where phase is at most 4, positions are worth 40 more to White than their value implies."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	k.Given, k.Gap, k.Mean, k.At = interval(-14, -23, -5), search.None, search.None, math.NaN()
	if got, want := r.sentence(k), "Where phase is at most 4, positions are worth 14 more to Black than their value and the earlier splits imply."; got != want || k.Gap.Text(0) != "–" || k.Mean.Text(0) != "–" {
		t.Errorf("%q, want %q, gap %s and %s", got, want, k.Gap.Text(0), k.Mean.Text(0))
	}
}
