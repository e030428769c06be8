package weiqi

import (
	"fmt"
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

// turnPoint returns the image of p on a board of size lines.
func turnPoint(p Point, size, turn int) Point {
	x, y := p.Column(), p.Row()
	for range turn % 4 {
		x, y = size-1-y, x
	}
	if turn >= 4 {
		x = size - 1 - x
	}
	return PointAt(x, y)
}

// TestPatternsTurn: a move has the same patterns on the board turned, mirrored, and with
// colours changed, and another point or another stone within a size changes them.
func TestPatternsTurn(t *testing.T) {
	for seed := range uint64(6) {
		const size = 13
		for turn := range 8 {
			for _, swap := range []bool{false, true} {
				p, q := New(size, Chinese, 0), New(size, Chinese, 0)
				if swap {
					q = q.Play(Pass)
				}
				r := rand.New(rand.NewPCG(seed, 9))
				for range 70 {
					moves := p.AppendMoves(nil)
					m := moves[r.IntN(len(moves)-1)]
					keys := patternsOf(p, []games.Move{m})
					turned := Move(turnPoint(To(m), size, turn))
					if again := patternsOf(q, []games.Move{turned}); !slices.Equal(keys, again) {
						t.Fatalf("seed %d, turn %d: %v and %v", seed, turn, keys, again)
					}
					p, q = p.Play(m), q.Play(turned)
				}
			}
		}
	}
}

// TestPatternsReach: a stone changes the patterns of the sizes that reach it, and no
// others.
func TestPatternsReach(t *testing.T) {
	p := New(19, Chinese, 0)
	centre := PointAt(9, 9)
	keys := patternsOf(p, []games.Move{Move(centre)})
	points := make([]int, len(patternDistances))
	for at := range Point(stride * 19) {
		if at.Column() == 19 || at == centre {
			continue
		}
		q := New(19, Chinese, 0)
		q.put(Black, at)
		again := patternsOf(q, []games.Move{Move(centre)})
		dx, dy := at.Column()-9, at.Row()-9
		dx, dy = max(dx, -dx), max(dy, -dy)
		for size, d := range patternDistances {
			within := dx+dy+max(dx, dy) <= d
			if within {
				points[size]++
			}
			// A neighbour also changes the liberties, which all sizes have.
			if changed := keys[size] != again[size]; changed != within && dx+dy > 1 {
				t.Errorf("a stone at %d,%d: size %d changed: %v", dx, dy, size, changed)
			}
		}
	}
	for size, n := range points {
		name := fmt.Sprintf("%d points", n+1)
		if n+1 == 9 {
			name = "3×3"
		}
		if patternNames[size] != name {
			t.Errorf("size %d is called %s, and has %s", size, patternNames[size], name)
		}
	}
}

// TestPatternsAtari: liberties are part of the smallest size.
func TestPatternsAtari(t *testing.T) {
	p := New(9, Chinese, 0)
	p.put(White, PointAt(4, 4))
	capture := patternsOf(p, []games.Move{Move(PointAt(3, 4))})[0]
	for _, at := range []Point{PointAt(5, 4), PointAt(4, 3), PointAt(4, 5)} {
		p.put(Black, at)
	}
	if again := patternsOf(p, []games.Move{Move(PointAt(3, 4))})[0]; again == capture {
		t.Error("to take a stone is the same pattern as to stand beside it")
	}
	// A chain of two with two liberties or five, of which the far ones are out of sight.
	chain := func(far ...Point) uint64 {
		p := New(9, Chinese, 0)
		p.put(White, PointAt(4, 4))
		p.put(White, PointAt(5, 4))
		p.put(Black, PointAt(4, 3))
		for _, at := range far {
			p.put(Black, at)
		}
		return patternsOf(p, []games.Move{Move(PointAt(3, 4))})[0]
	}
	if chain() == chain(PointAt(5, 3), PointAt(5, 5), PointAt(6, 4)) {
		t.Error("to give atari is the same pattern as to stand beside a chain of many liberties")
	}
	if chain() != chain(PointAt(5, 3)) {
		t.Error("a stone out of sight that leaves four liberties changes 3×3")
	}
}
