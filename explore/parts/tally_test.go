package parts

import (
	"testing"
)

// TestScore: a score has one decimal, of few games with Wilson's interval, and of none nothing.
func TestScore(t *testing.T) {
	for want, of := range map[string]Tally{
		"100.0 (21 to 100)": {All: 1, First: 1}, "50.0 (24 to 76)": {All: 11, First: 4, Draws: 2, Second: 4}, "25.1": {All: 1000, First: 251, Second: 749}, "–": {All: 3},
	} {
		if got := of.Score(); got != want {
			t.Errorf("%v: %q, want %q", of, got, want)
		}
	}
}
