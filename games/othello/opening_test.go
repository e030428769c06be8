package othello_test

import (
	"strings"
	"testing"

	"kifu/games"
	"kifu/games/othello"
)

// namedLines are lines with the name that players give to the position at their end, some of them
// written from each of the four first moves, which are one.
var namedLines = map[string]string{
	"":         "",
	"f5":       "",
	"f5 d6":    "Perpendicular Opening",
	"e6 f4":    "Perpendicular Opening",
	"d3 c5":    "Perpendicular Opening",
	"c4 e3":    "Perpendicular Opening",
	"f5 f6":    "Diagonal Opening",
	"f5 f4":    "Parallel Opening",
	"f5 d6 c5": "",

	"f5 d6 c3 d3 c4":                "Tiger",
	"c4 e3 f6 e6 f5":                "Tiger",
	"f5 d6 c3 d3 c4 f4 f6 f3":       "Comp'Oth",
	"f5 d6 c5 f4 e3 c6 d3 f6 e6 d7": "Rose",
	"e6 f4 e3 d6 c5 f3 c4 f6 f5 g4": "Rose",
}

func TestOpeningName(t *testing.T) {
	var rules games.ListedOpenings[othello.Position] = othello.Rules{}
	for line, want := range namedLines {
		p := othello.Start()
		for _, move := range strings.Fields(line) {
			m, err := othello.Rules{}.ParseMove(p, []byte(move))
			if err != nil {
				t.Fatalf("%s: %s: %v", line, move, err)
			}
			p = p.Play(m)
		}
		if got := rules.OpeningName(p); got != want || rules.OpeningCode(p) != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
