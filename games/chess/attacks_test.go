package chess

import "testing"

// TestSliders compares, for every square and all men on its lines, what is computed with what
// walking along the lines gives.
func TestSliders(t *testing.T) {
	for s := Square(0); s < 64; s++ {
		for _, c := range []struct {
			lines      Bitboard
			directions []step
			attacks    func(Square, Bitboard) Bitboard
		}{
			{bishopRays[s], diagonals[:], BishopAttacks},
			{rookRays[s], straights[:], RookAttacks},
		} {
			for occ := Bitboard(0); ; {
				// Men elsewhere, and the slider itself, must not matter.
				if got, want := c.attacks(s, occ|^c.lines), slide(s, occ, c.directions); got != want {
					t.Fatalf("slider on %s with %#x occupied attacks %#x, want %#x", s, occ, got, want)
				}
				if occ = (occ - c.lines) & c.lines; occ == 0 {
					break
				}
			}
		}
	}
}

// TestBetween checks the two tables of lines on examples and by symmetry.
func TestBetween(t *testing.T) {
	square := func(text string) Square { s, _ := parseSquare([]byte(text)); return s }
	for _, c := range []struct{ a, b, between, line string }{
		{"a1", "d4", "b2 c3", "a1 b2 c3 d4 e5 f6 g7 h8"},
		{"e8", "e6", "e7", "e1 e2 e3 e4 e5 e6 e7 e8"},
		{"h1", "g2", "", "h1 g2 f3 e4 d5 c6 b7 a8"},
		{"a1", "b3", "", ""},
	} {
		set := func(text string) (b Bitboard) {
			for i := 0; i+1 < len(text); i += 3 {
				b |= square(text[i : i+2]).Bit()
			}
			return b
		}
		a, b := square(c.a), square(c.b)
		if Between(a, b) != set(c.between) || Between(b, a) != set(c.between) || Line(a, b) != set(c.line) || Line(b, a) != set(c.line) {
			t.Errorf("%s-%s: between %#x, line %#x", c.a, c.b, Between(a, b), Line(a, b))
		}
	}
}
