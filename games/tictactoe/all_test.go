package tictactoe

import (
	"slices"
	"strings"
	"testing"

	"kifu/games"
	"kifu/kit/gametest"
)

// TestWholeGame plays all of tic-tac-toe: 255,168 games through 5,478 positions, 765 of
// which no turning or mirroring makes equal. Every position is compared with the obvious
// way to read its text.
func TestWholeGame(t *testing.T) {
	positions := map[Position]bool{}
	classes := map[string]bool{}
	ends := map[games.Outcome]int{}
	var walk func(p Position) int
	walk = func(p Position) int {
		if !positions[p] {
			positions[p] = true
			classes[leastImage(p)] = true
			checkText(t, p)
		}
		moves := p.AppendMoves(nil)
		if len(moves) == 0 {
			ends[p.Outcome()]++
			return 1
		}
		n := 0
		for _, m := range moves {
			n += walk(p.Play(m))
		}
		return n
	}
	if n := walk(Position{}); n != 255168 || len(positions) != 5478 || len(classes) != 765 {
		t.Errorf("%d games, %d positions, %d up to symmetry", n, len(positions), len(classes))
	}
	if ends[games.FirstWins] != 131184 || ends[games.SecondWins] != 77904 || ends[games.Drawn] != 46080 {
		t.Errorf("ends %v", ends)
	}
}

// checkText looks at p as letters: three alike in a line have won, an empty square can
// be taken.
func checkText(t *testing.T, p Position) {
	text := string(Rules{}.AppendPosition(nil, p))
	rows := strings.Split(text, "/")
	var lines []string
	for i := range 3 {
		lines = append(lines, rows[i], string([]byte{rows[0][i], rows[1][i], rows[2][i]}))
	}
	lines = append(lines, string([]byte{rows[0][0], rows[1][1], rows[2][2]}), string([]byte{rows[0][2], rows[1][1], rows[2][0]}))
	want := games.Undecided
	switch {
	case slices.Contains(lines, "xxx"):
		want = games.FirstWins
	case slices.Contains(lines, "ooo"):
		want = games.SecondWins
	case !strings.Contains(text, "-"):
		want = games.Drawn
	}
	empty := 0
	if want == games.Undecided {
		empty = strings.Count(text, "-")
	}
	if got := len(p.AppendMoves(nil)); p.Outcome() != want || got != empty {
		t.Fatalf("%s: %d moves and outcome %q, want %d and %q", text, got, p.Outcome(), empty, want)
	}
	if turn := games.Side(strings.Count(text, "x") - strings.Count(text, "o")); p.ToMove() != turn {
		t.Fatalf("%s: side %d is to move", text, p.ToMove())
	}
}

// leastImage returns the least of the texts of p's eight images.
func leastImage(p Position) string {
	images := gametest.Images(strings.ReplaceAll(string(Rules{}.AppendPosition(nil, p)), "/", ""), 3)
	return slices.Min(images[:])
}

func TestTexts(t *testing.T) {
	for _, text := range []string{"", "x--/-o-", "x--/-o-/--", "x--/-o-/--?", "x--/---/--x", "o--/---/---", "xxx/ooo/---"} {
		if p, err := (Rules{}).ParsePosition(text); err == nil {
			t.Errorf("%q is read as %+v", text, p)
		}
	}
	p, err := Rules{}.ParsePosition(" X--/-o-/--- ")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]error{
		"a3": games.IllegalMove, "b2": games.IllegalMove, "a1": nil, "C3": nil,
		"d1": games.UnreadableMove, "a4": games.UnreadableMove, "a": games.UnreadableMove, "a10": games.UnreadableMove, "": games.UnreadableMove,
	} {
		if _, err := (Rules{}).ParseMove(p, []byte(text)); err != want {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
	if _, _, err := (Rules{}).Start("4x4", ""); err != games.UnknownVariant("4x4") {
		t.Error(err)
	}
}

// Packed boards of marks on marks, of too many marks, and of bits too many are none.
func TestUnpackBoardRefuses(t *testing.T) {
	for _, bad := range [][]byte{{1, 2, 0}, {3, 0, 0}, {0, 2, 0}, {1, 0, 4}, {7, 0o70 << 1 & 0xff, 0}} {
		if p, err := (Rules{}).UnpackBoard(bad); err != unreadableBoard {
			t.Errorf("%x is unpacked as %+v, %v", bad, p, err)
		}
	}
}

// FuzzPosition: a position that is read is written so that it is read as the same one,
// and what is resolved is legal.
func FuzzPosition(f *testing.F) {
	f.Add("x--/-o-/---", []byte("c3"))
	f.Fuzz(func(t *testing.T, text string, move []byte) {
		p, err := Rules{}.ParsePosition(text)
		if err != nil {
			return
		}
		if again, err := (Rules{}).ParsePosition(string(Rules{}.AppendPosition(nil, p))); err != nil || again != p {
			t.Fatalf("%q: %+v is read back as %+v, %v", text, p, again, err)
		}
		m, err := Rules{}.ParseMove(p, move)
		if err == nil && !slices.Contains(p.AppendMoves(nil), m) {
			t.Fatalf("%q: %q is resolved to %v", text, move, m)
		}
	})
}
