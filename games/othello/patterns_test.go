package othello

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kifu/games"
)

// patternsOf returns all keys of the moves.
func patternsOf(p Position, moves []games.Move) (keys []uint64) {
	Rules{}.EachPattern(p, moves, func(_ int, key uint64) bool {
		keys = append(keys, key)
		return true
	})
	return keys
}

// TestPatternsTurn: a move has the same patterns on the board rotated and reflected and for
// either side, and each size covers the squares it should.
func TestPatternsTurn(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 30 {
		p := Start()
		for p.Outcome() == games.Undecided {
			moves := p.AppendMoves(nil)
			keys := patternsOf(p, moves)
			for turn := range 8 {
				q := Position{turnBoard(p.own, turn), turnBoard(p.opp, turn), p.side ^ games.Side(turn&1)}
				for i, m := range moves {
					turned := m
					if m != Pass {
						turned = Move(turnBoard(To(m).Bit(), turn).First())
					}
					again := patternsOf(q, []games.Move{turned})
					if want := keys[i*len(patternNames):][:len(patternNames)]; !slices.Equal(want, again) {
						t.Fatalf("turn %d of %v: %v, want %v", turn, p, again, want)
					}
				}
			}
			p = p.Play(moves[r.IntN(len(moves))])
		}
	}
}

// TestPatternsTell: what is outside a size does not change it, what is inside does.
func TestPatternsTell(t *testing.T) {
	p := Start()
	d3 := Move(SquareAt(3, 2))
	keys := patternsOf(p, []games.Move{d3})
	for _, c := range []struct {
		column, row int
		from        int // the first size that sees a disc there
	}{{2, 2, 1}, {1, 2, 3}, {3, 7, 4}, {7, 7, 5}} {
		q := p
		q.opp |= SquareAt(c.column, c.row).Bit()
		again := patternsOf(q, []games.Move{d3})
		for size := range keys {
			if changed := keys[size] != again[size]; changed != (size >= c.from) {
				t.Errorf("a disc on %v: size %d changed: %v", SquareAt(c.column, c.row), size, changed)
			}
		}
	}
	// d3 turns d4; with d5 the other side's it turns two.
	q := Position{own: p.own&^SquareAt(3, 4).Bit() | SquareAt(3, 5).Bit(), opp: p.opp | SquareAt(3, 4).Bit()}
	again := patternsOf(q, []games.Move{d3})
	if keys[1] != again[1] || keys[2] == again[2] {
		t.Error("the discs turned are not in their size alone")
	}
}
