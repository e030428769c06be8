package weiqi

import (
	"slices"
	"strings"
	"testing"
)

func read(t testing.TB, text string) Position {
	t.Helper()
	p, err := Rules{}.ParsePosition(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return p
}

func text(p Position) string { return string(Rules{}.AppendPosition(nil, p)) }

// play plays moves in GTP's or SGF's notation.
func play(t testing.TB, p Position, moves string) Position {
	t.Helper()
	for _, text := range strings.Fields(moves) {
		m, err := Rules{}.ParseMove(p, []byte(text))
		if err != nil {
			t.Fatalf("%s: %s: %v", Rules{}.AppendPosition(nil, p), text, err)
		}
		p = p.Play(m)
	}
	return p
}

func TestParseMove(t *testing.T) {
	// A ko at C3, and a white eye in the corner.
	ko := read(t, "3O1/1XO1O/XO.O1/1XO2/5 b C3 0 0:1 0 -")
	nineteen := New(19, Unnamed, 0)
	for _, c := range []struct {
		p    Position
		text string
		want string // coordinates, or the reason
	}{
		{nineteen, "pd", "Q16"}, {nineteen, "PD", "Q16"}, {nineteen, "Q16", "Q16"}, {nineteen, "q16", "Q16"},
		{nineteen, "aa", "A19"}, {nineteen, "ss", "T1"}, {nineteen, "J10", "J10"}, {nineteen, "jj", "K10"},
		{nineteen, "", "pass"}, {nineteen, "tt", "pass"}, {nineteen, "Pass", "pass"}, {nineteen, "--", "pass"},
		{nineteen, "I5", "unreadable move"}, {nineteen, "p", "unreadable move"}, {nineteen, "Q", "unreadable move"},
		{nineteen, "Q1x", "unreadable move"}, {nineteen, "pdd", "unreadable move"}, {nineteen, "4d", "unreadable move"},
		{nineteen, "Q20", "move off the board"}, {nineteen, "Q0", "move off the board"}, {nineteen, "ta", "move off the board"},
		{ko, "fa", "move off the board"}, {ko, "B3", "move on an occupied point"}, {ko, "C3", "ko retaken at once"},
		{ko, "ea", "suicide"}, {ko, "ae", "A1"}, {ko, "tt", "pass"},
		{read(t, "2/2 b - 2 0:0 0 tromp-taylor"), "aa", "move after the end of the game"},
		{read(t, "2/2 b - 2 0:0 0 chinese"), "aa", "A2"},
	} {
		m, err := Rules{}.ParseMove(c.p, []byte(c.text))
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = string(Rules{}.AppendCoordinates(nil, c.p, m))
		}
		if got != c.want {
			t.Errorf("%q in %s: %s, want %s", c.text, text(c.p), got, c.want)
		}
	}
}

func TestParsePosition(t *testing.T) {
	for _, c := range [][2]string{
		{"2/2 b", "2/2 b - 0 0:0 0 -"},
		{"3/1X1/..O w - 1 2:3 -7.25 new-zealand", "3/1X1/2O w - 1 2:3 -7.25 new-zealand"},
		{"12X1/14/14/14/14/14/14/14/14/14/14/14/14/14 b", "12X1/14/14/14/14/14/14/14/14/14/14/14/14/14 b - 0 0:0 0 -"},
	} {
		if got := text(read(t, c[0])); got != c[1] {
			t.Errorf("%q is written as %q, want %q", c[0], got, c[1])
		}
	}
	for _, text := range []string{
		"", "2/2", "2/2 x", "3/2 b", "2/2/ b", "1/1 b", "2/X b", "2/XXX b", "2/0X1 b", "2/2 b A3", "X1/2 b A2", "2/2 b - 3", "2/2 b - 0 1",
		"2/2 b - 0 0:0 1.234", "2/2 b - 0 0:0 400", "2/2 b - 0 0:0 .", "2/2 b - 0 0:0 0 fast", "2/2 b - 0 0:0 0 - -", "2/2 b A1 1",
		strings.Repeat("20/", 19) + "20 b", "OX/X1/ b",
	} {
		if p, err := (Rules{}).ParsePosition(text); err != unreadableText {
			t.Errorf("%q: read as %v, %v", text, p, err)
		}
	}
	if _, err := (Rules{}).ParsePosition("OX1/X2/3 b"); err != noLiberties {
		t.Errorf("a stone without a liberty: %v", err)
	}
}

func TestVariants(t *testing.T) {
	for _, c := range [][3]string{ // variant, position, canonical or reason
		{"", "", "19x19"}, {"19", "", "19x19"}, {"9x9", "", "9x9"}, {"japanese", "", "19x19 japanese"},
		{"13x13 Chinese komi 7.50", "", "13x13 chinese komi 7.5"}, {"komi -3.75", "", "19x19 komi -3.75"},
		{"19x19 japanese komi 0.5 handicap 4", "", "19x19 japanese handicap 4 komi 0.5"},
		{"9x9 handicap 1", "", "9x9"}, {"9x9 handicap 10", "", string(noHandicap)}, {"8x8 handicap 5", "", string(noHandicap)},
		{"20x20", "", string(unknownSize)}, {"1x1", "", string(unknownSize)}, {"9x10", "", "variant 9x10 is not played here"},
		{"9x9 atari-go", "", "variant 9x9 atari-go is not played here"}, {"9x9 komi", "", "variant 9x9 komi is not played here"},
		{"9x9 komi six", "", "variant 9x9 komi six is not played here"},
		{"", "3/3/3 b", "3x3"}, {"3x3 chinese komi 2", "3/3/3 w", "3x3 chinese komi 2"},
		{"3x3 chinese komi 2 handicap 2", "3/3/3 w - 0 0:0 1 aga", "3x3 aga komi 1"}, {"9x9 handicap 2", strings.Repeat("9/", 8) + "9 w", "9x9"},
		{"", "3/1X1/2X w", "3x3 handicap 2"}, {"3x3", "3/1X1/2X b", "3x3"}, {"3x3", "3/1X1/2X w A3", "3x3"}, {"3x3", "3/1X1/2X w - 1", "3x3"}, {"3x3", "3/1X1/3 w", "3x3"}, {"3x3", "O2/1X1/2X w", "3x3"},
		{"19x19 handicap 4", strings.Repeat("19/", 18) + "17XX w", "19x19 handicap 2"},
		{"3x3", "3/3/3 w - 0 0:0 1 aga", "3x3 aga komi 1"}, {"4x4", "3/3/3 w", string(otherSize)},
	} {
		p, canonical, err := Rules{}.Start(c[0], c[1])
		got := canonical
		if err != nil {
			got = err.Error()
		}
		if got != c[2] {
			t.Errorf("variant %q at %q is %q, want %q", c[0], c[1], got, c[2])
		}
		if err != nil {
			continue
		}
		if again, name, err := (Rules{}).Start(canonical, c[1]); err != nil || again != p || name != canonical {
			t.Errorf("variant %q starts at %s, its name %q at %s, %v", c[0], text(p), canonical, text(again), err)
		}
	}
}

func TestFixedHandicap(t *testing.T) {
	for _, c := range [][2]string{
		{"19 handicap 2", "D4 Q16"}, {"19 handicap 3", "D4 Q16 D16"}, {"13 handicap 5", "D4 K10 D10 K4 G7"},
		{"9 handicap 6", "C3 G7 C7 G3 C5 G5"}, {"19 handicap 9", "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"}, {"8 handicap 4", "C3 F6 C6 F3"},
	} {
		got, _, err := Rules{}.Start(c[0], "")
		if err != nil {
			t.Fatal(err)
		}
		want := New(got.Size(), Unnamed, 0)
		for _, at := range strings.Fields(c[1]) {
			want = play(t, want, at+" pass")
		}
		if got.stones != want.stones || got.side != White {
			t.Errorf("%s: %s, want stones on %s", c[0], text(got), c[1])
		}
	}
}

// FuzzPosition: a text that is read is written so that it is read as the same position,
// and packs and unpacks to it.
func FuzzPosition(f *testing.F) {
	for _, text := range []string{"5/1XO2/XO.O1/OXO2/.O3 b C3 0 0:1 0 -", "2/2 w - 2 1:1 -0.5 tromp-taylor", "3/1X1/..O w", "OX1/X2/3 b"} {
		f.Add(text, "aa")
	}
	f.Fuzz(func(t *testing.T, text, move string) {
		p, err := Rules{}.ParsePosition(text)
		if err != nil {
			return
		}
		written := string(Rules{}.AppendPosition(nil, p))
		if again, err := (Rules{}).ParsePosition(written); err != nil || again != p {
			t.Fatalf("%q: written as %q, which is read as %v, %v", text, written, again, err)
		}
		if again, err := (Rules{}).UnpackBoard(Rules{}.AppendBoard(nil, p)); err != nil || again != p {
			t.Fatalf("%q: unpacked as %v, %v", text, again, err)
		}
		m, err := Rules{}.ParseMove(p, []byte(move))
		if err != nil {
			return
		}
		next := p.Play(m)
		if err := next.check(); err != nil {
			t.Fatalf("%q: after %q: %v", text, move, err)
		}
		if slices.Contains(p.AppendMoves(nil), m) {
			return
		}
		t.Fatalf("%q: %q is read as %d, which is not legal", text, move, m)
	})
}
