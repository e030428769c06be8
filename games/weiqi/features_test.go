package weiqi

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kifu/games"
)

// featuresOf returns the names of the features of the stone on a point.
func featuresOf(p Position, at Point) (names []string) {
	Rules{}.EachMoveFeature(p, []games.Move{Move(at)}, -1, func(_, feature int) { names = append(names, featureNames[feature]) })
	return names
}

// playOut puts stones by turns from an empty board of 9 lines; a negative column is a pass.
func playOut(t *testing.T, size int, at ...[2]int) Position {
	t.Helper()
	p := New(size, 0, 0)
	for _, x := range at {
		m := Pass
		if x[0] >= 0 {
			m = Move(PointAt(x[0], x[1]))
		}
		if !slices.Contains(p.AppendMoves(nil), m) {
			t.Fatalf("%v is not legal", x)
		}
		p = p.Play(m)
	}
	return p
}

// TestLadderFeatures: White's stone in the middle has two liberties left: a ladder runs to the edge,
// and does not work when a stone of its own stands in its way.
func TestLadderFeatures(t *testing.T) {
	pass := [2]int{-1, 0}
	ladder := [][2]int{{4, 3}, {4, 4}, {3, 4}, pass}
	p := playOut(t, 9, append(ladder, [2]int{3, 5}, pass)...)
	// Black to move; liberties of the white stone: (5,4) and (4,5).
	if got := featuresOf(p, PointAt(4, 5)); !slices.Contains(got, "begins a ladder that works") && !slices.Contains(got, "atari from which the chain escapes") {
		t.Errorf("an atari has %v", got)
	}
	works := slices.Contains(featuresOf(p, PointAt(4, 5)), "begins a ladder that works") || slices.Contains(featuresOf(p, PointAt(5, 4)), "begins a ladder that works")
	broken := playOut(t, 9, append(ladder, [2]int{3, 5}, [2]int{7, 2}, pass, [2]int{7, 6}, pass, [2]int{6, 3}, pass, [2]int{6, 5}, pass, pass)...)
	if !works {
		t.Error("no ladder works on an empty board")
	}
	for _, at := range []Point{PointAt(4, 5), PointAt(5, 4)} {
		if got := featuresOf(broken, at); slices.Contains(got, "begins a ladder that works") {
			t.Errorf("with stones in its way a ladder works: %v", got)
		}
	}
}

// TestCountedFeatures: captures and self-atari are what playing the move shows, in random games.
func TestCountedFeatures(t *testing.T) {
	rng := rand.New(rand.NewPCG(2006, 3))
	seen := map[string]int{}
	for range 4 {
		p := New(9, 0, 0)
		for range 90 {
			moves := p.AppendMoves(nil)
			stones := func(q *Position) int { s := q.Stones(p.side ^ 1); return s.Count() }
			for _, m := range moves {
				if m == Pass {
					continue
				}
				names := featuresOf(p, To(m))
				next := p.Play(m)
				taken := stones(&p) - stones(&next)
				_, liberties := next.Chain(p.side, To(m))
				for name, want := range map[string]bool{
					"takes one stone": taken == 1, "takes two or three stones": taken == 2 || taken == 3, "takes four stones or more": taken > 3,
					"self-atari": taken == 0 && liberties.Count() == 1,
				} {
					if slices.Contains(names, name) != want {
						t.Fatalf("%q is %v, taken %d, liberties %d", name, !want, taken, liberties.Count())
					}
				}
				for _, name := range names {
					seen[name]++
				}
			}
			p = p.Play(moves[rng.IntN(len(moves))])
		}
	}
	for _, name := range featureNames[:passes] {
		if seen[name] == 0 {
			t.Errorf("no move has %q", name)
		}
	}
	p := New(9, 0, 0)
	if got := 0; true {
		Rules{}.EachMoveFeature(p.Play(Pass), []games.Move{Pass}, -1, func(_, feature int) { got += 1 << feature })
		if got != 1<<passes|1<<passesToo {
			t.Errorf("a pass after a pass has %b", got)
		}
	}
}
