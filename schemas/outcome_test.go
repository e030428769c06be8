package schemas

import "testing"

// TestOutcomeOf: what is no result of a finished game, and null, is unfinished.
func TestOutcomeOf(t *testing.T) {
	for text, want := range map[string]Outcome{"first": FirstWon, "second": SecondWon, "draw": Drawn, "": Unfinished, "void": Unfinished} {
		if got := OutcomeOf([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
