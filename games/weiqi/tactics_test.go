package weiqi

import (
	"strings"
	"testing"
)

func TestTactics(t *testing.T) {
	for _, c := range []struct{ about, position, want string }{
		{"nothing to do", "9/9/9/4X4/9/4O4/9/9/9 b", ""},
		{"the larger capture first", "7OX/9/9/9/9/9/OO7/XXO6/.O7 w", "A1 J8"},
		{"a ladder works", "9/9/9/4XX3/3XOO3/4X4/9/9/9 b", "G5"},
		{"a stone breaks it", "9/9/9/4XX3/3XOO3/4X4/6O2/9/9 b", ""},
		{"a single stone is not chased", "9/9/9/4XX3/3XO4/9/9/9/9 b", ""},
		{"running gets away", "9/9/9/4X4/3XOX3/3XOX3/9/9/9 w", "E3"},
		{"running does not, on the edge", "9/9/9/9/9/9/9/2XXXX3/2XOO.X2 w", ""},
		{"in a ladder running is in vain", "9/9/9/4XX3/3XOOX2/4X4/9/9/9 w", ""},
		{"but not with a friend before", "9/9/9/4XX3/3XOOX2/4X4/6O2/9/9 w", "F4"},
		{"capturing the way out", "9/9/9/9/9/9/3OO4/2OXXO3/3OX4 b", "C1"},
		{"a ko that may not be retaken", "5/1XO2/XO.O1/1XO2/5 b C3", ""},
		{"the end", "2/2 b - 2 0:0 0 tromp-taylor", ""},
	} {
		p := read(t, c.position)
		moves, forced := p.AppendTactics(nil)
		var got []string
		for _, m := range moves {
			got = append(got, string(Rules{}.AppendCoordinates(nil, p, m)))
		}
		if strings.Join(got, " ") != c.want || forced != (c.about == "the end") {
			t.Errorf("%s: %s: %q, forced %t, want %q", c.about, c.position, got, forced, c.want)
		}
	}
}

// However many chains hang, the list is bounded, and the most stones come first.
func TestTacticsAreBounded(t *testing.T) {
	// 36 white stones that Black can take, one of them with a second stone.
	rows := strings.Split(strings.Repeat(strings.Repeat(".X.", 6)+"./"+strings.Repeat("XO.", 6)+"./"+strings.Repeat(".X.", 6)+"./", 6)+"19", "/")
	rows[16], rows[17] = "XOO"+rows[16][3:], ".XX"+rows[17][3:]
	p := read(t, strings.Join(rows, "/")+" b")
	moves, _ := p.AppendTactics(nil)
	if first := string(Rules{}.AppendCoordinates(nil, p, moves[0])); len(moves) != maxTactics || first != "C4" {
		t.Errorf("%d moves, the first %s; want %d, C4", len(moves), first, maxTactics)
	}
}
