package chess_test

import (
	"strings"
	"testing"

	"kifu/games"
	"kifu/games/chess"
)

// openings are lines with the name and the code that encyclopaedias give to the position at their end.
var openings = []struct{ line, code, name string }{
	{"", "", ""},
	{"e4 e5 Nf3 Nc6 Bb5", "C60", "Ruy Lopez"},
	{"Nf3 Nc6 e4 e5 Bb5", "C60", "Ruy Lopez"},
	{"e4 Nc6 Nf3 e5 Bb5", "C60", "Ruy Lopez"},
	{"e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", "B90", "Sicilian Defense: Najdorf Variation"},
	{"d4 d5 c4 e6", "D30", "Queen's Gambit Declined"},
	{"c4 e6 d4 d5", "D30", "Queen's Gambit Declined"},
	{"c4 Nf6 Nc3 e6 Nf3 d5 d4", "D37", "Queen's Gambit Declined: Three Knights Variation"},
	{"e4 e6 d4 d5 e5", "C02", "French Defense: Advance Variation"},
	{"d4 e6 e4 d5 e5", "C02", "French Defense: Advance Variation"},
	{"e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 h5 h4 Rh6 a3", "", ""},
}

// TestOpenings: names and codes of well-known lines and of others that transpose to them.
func TestOpenings(t *testing.T) {
	var rules games.ListedOpenings[chess.Position] = chess.Rules{}
	for _, o := range openings {
		p := chess.Start()
		for _, move := range strings.Fields(o.line) {
			m, err := chess.Rules{}.ParseMove(p, []byte(move))
			if err != nil {
				t.Fatalf("%s: %s: %v", o.line, move, err)
			}
			p = p.Play(m)
		}
		if name, code := rules.OpeningName(p), rules.OpeningCode(p); name != o.name || code != o.code {
			t.Errorf("%s: %q %q, want %q %q", o.line, code, name, o.code, o.name)
		}
	}
}
