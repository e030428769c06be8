package parts

import (
	"math/rand/v2"
	"net/url"
	"testing"

	"kifu/games"
	"kifu/games/board"
	"kifu/games/chess"
	"kifu/games/draughts"
	"kifu/games/othello"
	"kifu/games/shogi"
	"kifu/games/weiqi"
)

// TestPlacedAt: what the form of a board sends gives the text of its position again, in every
// game, hands included.
func TestPlacedAt(t *testing.T) {
	for _, g := range []board.Game{board.Of(chess.Rules{}), board.Of(draughts.Checkers), board.Of(draughts.International), board.Of(othello.Rules{}), board.Of(weiqi.Rules{}), board.Of(shogi.Rules{})} {
		at, err := g.Start("", "")
		if err != nil {
			t.Fatal(err)
		}
		r, held := rand.New(rand.NewPCG(3, 3)), false
		for range 150 {
			moves := at.Moves()
			if len(moves) == 0 {
				break
			}
			at = moves[r.IntN(len(moves))].Play()
			s := SetupOf(g, at.Layout(), at, false)
			v := url.Values{"set": {s.Cells}, "turn": {[]string{"first", "second"}[s.Turn]}}
			for _, hand := range s.Hands {
				for _, h := range hand {
					held = held || h.Number > 0
					v.Set(handName(h.Text), string(rune('0'+h.Number)))
				}
			}
			text, err := PlacedAt(Here{Values: v}, g, at)
			if err != nil {
				t.Fatalf("%s: %s: %v", g.Name(), at.AppendText(nil), err)
			}
			back, err := g.Start("", text)
			if err != nil || cellsText(g, back) != s.Cells || back.ToMove() != at.ToMove() || string(back.AppendHand(nil, games.First)) != string(at.AppendHand(nil, games.First)) {
				t.Fatalf("%s: %s is set up as %s: %v", g.Name(), at.AppendText(nil), text, err)
			}
		}
		if held != (g.Name() == "shogi") {
			t.Errorf("%s: pieces in hand: %v", g.Name(), held)
		}
	}
}

// TestOdd: a pattern on a board of unusual width is written with a whole row.
func TestOdd(t *testing.T) {
	g := board.Of(weiqi.Rules{})
	for variant, want := range map[string]bool{"": false, "9x9": true, "13x13": true} {
		at, err := g.Start(variant, "")
		if err != nil {
			t.Fatal(err)
		}
		if s := SetupOf(g, at.Layout(), nil, false); s.Odd != want {
			t.Errorf("%q: %v, want %v", variant, s.Odd, want)
		}
	}
}
