package sheet

import "testing"

func TestTitle(t *testing.T) {
	for want, c := range map[string]struct {
		game  string
		names []string
	}{
		"Games of checkers: games":              {"checkers", []string{"games game=checkers"}},
		"Games of chess: fit mlm, fit ls":       {"chess", []string{"fit method=mlm", "fit method=ls"}},
		"Games of go: fit ls 4":                 {"go", []string{"fit method=ls,depth=4,game=go"}},
		"Games of go: a, b":                     {"go", []string{"a game=go", "b game=go"}},
		"Games of go: a game=go, a":             {"go", []string{"a game=go", "a"}},
		"Games of go: labels, static value":     {"go", []string{"labels, static value"}},
		"Games: x=1, 1":                         {"", []string{"x=1", "1"}},
		"Games of go: a, b, c, and 2 more":      {"go", []string{"a", "b", "c", "d", "e"}},
		"Games of go: labels, two words, blind": {"go", []string{"labels", "two words", "blind"}},
	} {
		if got := Title("Games", c.game, c.names); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestOneLine(t *testing.T) {
	if got, want := OneLine("king_safety>= -30\n AND x!=2"), "king_safety ≥ −30 AND x ≠ 2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
