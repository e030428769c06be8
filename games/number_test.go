package games

import "testing"

// TestMoveNumber: numbers count pairs of moves in chess, whoever begins, and moves elsewhere.
func TestMoveNumber(t *testing.T) {
	for _, c := range []struct {
		pairs bool
		ply   int
		mover Side
		want  string
	}{
		{true, 0, First, "1."}, {true, 1, Second, "1..."}, {true, 22, First, "12."}, {true, 23, Second, "12..."},
		{true, 0, Second, "1..."}, {true, 1, First, "2."}, {true, 2, Second, "2..."},
		{false, 0, First, "1"}, {false, 23, Second, "24"},
	} {
		l := Layout{Pairs: c.pairs}
		if got := l.MoveNumber(c.ply, c.mover); got != c.want {
			t.Errorf("pairs %v, ply %d of side %d: %s, want %s", c.pairs, c.ply, c.mover, got, c.want)
		}
	}
}
