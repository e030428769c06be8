package parts

import (
	"testing"
)

// TestScore: a score has one decimal, of few games with an interval as narrow as draws allow, and of none nothing.
func TestScore(t *testing.T) {
	for want, of := range map[string]Tally{
		"100.0 (21 to 100)": {All: 1, First: 1}, "50.0 (22 to 78)": {All: 11, First: 4, Draws: 2, Second: 4}, "50.0 (42 to 58)": {All: 40, First: 5, Draws: 30, Second: 5}, "25.1": {All: 1000, First: 251, Second: 749}, "–": {All: 3},
	} {
		if got := of.Score(); got != want {
			t.Errorf("%v: %q, want %q", of, got, want)
		}
	}
}
