package explore

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

// TestPlies: the positions of a book stay within its limit, but for the first moves of any
// number of games.
func TestPlies(t *testing.T) {
	for games, want := range map[int64]int{0: 60, 1: 60, 1_000_000: 60, 2_000_000: 30, 5_000_000: 12, 100_000_000: 12} {
		if got := pliesOf(games); got != want {
			t.Errorf("%d games: %d plies, want %d", games, got, want)
		}
	}
}

// random is a book of games of a few random moves, with the boards of each game.
func random(t *testing.T, g board.Game, plies, number int) (*book, [][]board.Board) {
	t.Helper()
	b, names := &book{plies: plies}, map[string]int32{}
	r := rand.New(rand.NewPCG(17, 17))
	all := make([][]board.Board, number)
	for id := range all {
		at, err := g.Start("", "")
		if err != nil {
			t.Fatal(err)
		}
		one := bookGame{id: int64(id), result: int8(id % 3)}
		for range plies {
			moves := at.Moves()
			m := moves[r.IntN(len(moves))]
			all[id] = append(all[id], at)
			one.hashes = append(one.hashes, at.Hash())
			one.codes = append(one.codes, codeOf(t, at, m))
			at = m.Play()
		}
		all[id] = append(all[id], at)
		one.hashes, one.codes = append(one.hashes, at.Hash()), append(one.codes, 0)
		b.add(one, names)
	}
	b.starts = append(b.starts, int32(len(b.hashes)))
	return b, all
}

func codeOf(t *testing.T, b board.Board, m board.Move) uint16 {
	for code := range 1 << 16 {
		if n, err := b.FindCode(uint16(code)); err == nil && string(n.AppendCoordinates(nil)) == string(m.AppendCoordinates(nil)) {
			return uint16(code)
		}
	}
	t.Fatal("a move without a code")
	return 0
}

// TestFindAlike: the games that had a position, in any orientation, are those that had its
// canonical number, and the moves played in it make up their sum.
func TestFindAlike(t *testing.T) {
	for _, g := range []board.Game{board.Of(othello.Rules{}), board.Of(weiqi.Rules{})} {
		plies := 3
		if g.Name() == "go" {
			plies = 1 // the first stones of a large board are seldom images of each other
		}
		b, all := random(t, g, plies+1, 60)
		several := false
		for _, of := range all {
			at := of[plies]
			var want int64
			for _, other := range all {
				for _, p := range other {
					if board.Canonical(p) == board.Canonical(at) {
						want++
						break
					}
				}
			}
			same := board.Alike(g, at)
			hashes := map[uint64]bool{}
			for _, s := range same {
				hashes[s.Hash()] = true
			}
			data := &openingsPage{Node: b.find(hashes, nil), Line: make([]step, 1)}
			if data.Node.All != want {
				t.Fatalf("%s: %d games had %s, want %d", g.Name(), data.Node.All, at.AppendText(nil), want)
			}
			several = several || want > 1
			before := len(data.Node.Next)
			data.branches(&call{here: here{View: "openings", Values: url.Values{}}}, Game{Boards: g}, same)
			var sum int64
			for _, n := range data.Node.Next {
				if sum += n.All; n.Move == "" {
					t.Fatalf("%s: a move is not found on %s", g.Name(), at.AppendText(nil))
				}
				m, err := at.Find(n.Move)
				if err != nil {
					t.Fatal(err)
				}
				if again := board.MoveAs(m, at, at); again != string(m.AppendCoordinates(nil)) {
					t.Errorf("%s: %s and %s are two moves of %s", g.Name(), n.Move, again, at.AppendText(nil))
				}
			}
			if sum != want || len(data.Node.Next) > before {
				t.Fatalf("%s: %d games went on from %s, want %d", g.Name(), sum, at.AppendText(nil), want)
			}
		}
		if !several {
			t.Errorf("%s: no position came in two games", g.Name())
		}
	}
}

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
			s := setupOf(g, at.Layout(), at, false)
			v := url.Values{"set": {s.Cells}, "turn": {sides[s.Turn]}}
			for _, hand := range s.Hands {
				for _, h := range hand {
					held = held || h.Number > 0
					v.Set(handName(h.Text), string(rune('0'+h.Number)))
				}
			}
			text, err := placedAt(here{Values: v}, g, at)
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
