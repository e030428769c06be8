package split

import (
	"kifu/report/split/conditions"
	"math"
	"testing"
)

// TestSentence: a shift is told in the mean, or, where the mean may be nothing, at the value where it is surest.
func TestSentence(t *testing.T) {
	r := &report{Columns: []string{"phase"}, Bin: 25}
	k := &split{At: 300, Gap: interval{40, 20, 60}, Mean: interval{1, -5, 7}, ShiftP: 0.01, Given: none}
	k.atoms = []conditions.Atom{{Column: 0, Op: conditions.AtMost, At: 4, Given: -1, Name: "phase <= 4"}}
	if got, want := r.sentence(k), "At a value of 300, where phase is at most 4, positions are worth 40 more to the first player than their value implies."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	k.Mean = interval{-12, -20, -4}
	if got, want := r.sentence(k), "Where phase is at most 4, positions are worth 12 more to the second player than their value implies."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	k.Mean = interval{math.NaN(), math.NaN(), math.NaN()}
	if got, want := r.sentence(k), "Where phase is at most 4, positions are worth 40 more to the first player than their value implies."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	k.Given, k.Gap, k.Mean = interval{-14, -23, -5}, interval{2, -24, 22}, interval{1, -3, 5}
	k.quiet()
	if got, want := r.sentence(k), "Where phase is at most 4, positions are worth 14 more to the second player than their value and the earlier splits imply."; got != want || k.Gap.text(0) != "–" || k.Mean.text(0) != "–" {
		t.Errorf("%q, want %q, gap %s and %s", got, want, k.Gap.text(0), k.Mean.text(0))
	}
}
