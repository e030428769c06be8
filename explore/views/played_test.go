package views

import (
	"math/rand/v2"
	"net/url"
	"slices"
	"testing"

	"kifu/explore/parts"
	"kifu/explore/played"
	"kifu/games/board"
	"kifu/games/othello"
	"kifu/games/weiqi"
	"kifu/query/find"
)

// random is games of a few random moves: the boards of each, with the move that was played on it.
func random(t *testing.T, g board.Game, plies, number int) [][]replayed {
	t.Helper()
	r := rand.New(rand.NewPCG(17, 17))
	all := make([][]replayed, number)
	for id := range all {
		at, err := g.Start("", "")
		if err != nil {
			t.Fatal(err)
		}
		for range plies {
			moves := at.Moves()
			m := moves[r.IntN(len(moves))]
			all[id] = append(all[id], replayed{at, string(m.AppendCoordinates(nil))})
			at = m.Play()
		}
		all[id] = append(all[id], replayed{at, ""})
	}
	return all
}

type replayed struct {
	board.Board
	move string
}

// TestFindAlike: the games that had a position, in any orientation, are those that had its
// canonical number, and the moves played in it make up their sum.
func TestFindAlike(t *testing.T) {
	for _, g := range []board.Game{board.Of(othello.Rules{}), board.Of(weiqi.Rules{})} {
		plies := 3
		if g.Name() == "go" {
			plies = 1 // the first stones of a large board are seldom images of each other
		}
		all := random(t, g, plies+1, 60)
		several := false
		for _, of := range all {
			at := of[plies].Board
			var want int64
			for _, other := range all {
				for _, p := range other {
					if board.Canonical(p.Board) == board.Canonical(at) {
						want++
						break
					}
				}
			}
			same := board.Alike(g, at)
			hashes := played.HashesOf(same)
			var count played.Counter
			here := map[string]int{} // games by the move that they played on this very board
			for id, other := range all {
				k := slices.IndexFunc(other, func(p replayed) bool { return slices.Contains(hashes, p.Hash()) })
				if k < 0 {
					continue
				}
				if err := count.Take(find.Hit{Game: int64(id), Hash: other[k].Hash(), Written: find.Written{Move: other[k].move}}); err != nil {
					t.Fatal(err)
				}
				if other[k].Hash() == at.Hash() {
					here[other[k].move]++
				}
			}
			data := &openingsPage{Node: *count.Counted(), Line: make([]parts.Step, 1)}
			if data.Node.All != want {
				t.Fatalf("%s: %d games had %s, want %d", g.Name(), data.Node.All, at.AppendText(nil), want)
			}
			several = several || want > 1
			before := len(data.Node.Next)
			data.branches(&call{here: parts.Here{View: "openings", Values: url.Values{}}}, same)
			var sum int64
			images := map[string]string{} // moves of the page by the one that stands for their images
			for _, n := range data.Node.Next {
				if sum += n.All; n.Move == "" {
					t.Fatalf("%s: a move is not found on %s", g.Name(), at.AppendText(nil))
				}
				m, err := at.Find(n.Move)
				if err != nil {
					t.Fatal(err)
				}
				image := board.MoveAs(m, at, at)
				if again := images[image]; again != "" {
					t.Errorf("%s: %s and %s are two moves of %s", g.Name(), n.Move, again, at.AppendText(nil))
				}
				images[image] = string(m.AppendCoordinates(nil))
			}
			for move, games := range here {
				m, err := at.Find(move)
				if err != nil {
					t.Fatal(err)
				}
				if shown := images[board.MoveAs(m, at, at)]; here[shown] < games {
					t.Errorf("%s: %s is shown for %s, which more games played on %s", g.Name(), shown, move, at.AppendText(nil))
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
