package board_test

import (
	"testing"

	"kifu/games/board"
	"kifu/games/chess"
	"kifu/games/othello"
	"kifu/games/weiqi"
)

// play plays moves from the start.
func play(t *testing.T, g board.Game, moves ...string) board.Board {
	t.Helper()
	b, err := g.Start("", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range moves {
		m, err := b.Find(text)
		if err != nil {
			t.Fatal(err)
		}
		b = m.Play()
	}
	return b
}

// TestCanonical: the eight forms of a position are one, and others are not; a move of one form
// is told on another so that the positions after it are one again.
func TestCanonical(t *testing.T) {
	o, w, c := board.Of(othello.Rules{}), board.Of(weiqi.Rules{}), board.Of(chess.Rules{})
	for name, forms := range map[string][2][]string{
		"Othello's first moves are one":  {{"f5"}, {"c4"}},
		"parallel openings":              {{"f5", "f4"}, {"d3", "e3"}},
		"an opening in the other corner": {{"f5", "d6", "c3"}, {"d3", "c5", "f6"}},
	} {
		a, b := play(t, o, forms[0]...), play(t, o, forms[1]...)
		if board.Canonical(a) != board.Canonical(b) {
			t.Errorf("%s: not one", name)
		}
		for _, m := range a.Moves() {
			n, err := b.Find(board.MoveAs(m, a, b))
			if err != nil || board.Canonical(n.Play()) != board.Canonical(m.Play()) {
				t.Errorf("%s: %s is %s there: %v", name, m.AppendText(nil), board.MoveAs(m, a, b), err)
			}
		}
	}
	if board.Canonical(play(t, o, "f5", "d6")) == board.Canonical(play(t, o, "f5", "f6")) {
		t.Error("perpendicular and diagonal openings are one")
	}
	if a, b := play(t, w, "Q16"), play(t, w, "D4"); board.Canonical(a) != board.Canonical(b) {
		t.Error("star points of two corners are not one")
	}
	e4, d4 := play(t, c, "e4"), play(t, c, "d4")
	if board.Canonical(e4) != e4.Hash() || board.Canonical(e4) == board.Canonical(d4) {
		t.Error("chess has no mirror images")
	}
	m, err := e4.Find("e5")
	if err != nil || board.MoveAs(m, e4, e4) != "e7e5" {
		t.Errorf("a move of chess: %v", err)
	}
}
