package weiqi

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kifu/games"
)

// featuresOf returns the names of the features of the stone on a point after a stone on the cell last.
func featuresOf(p Position, at Point, last int) (names []string) {
	Rules{}.EachMoveFeature(p, []games.Move{Move(at)}, last, func(_, feature int) { names = append(names, featureNames[feature]) })
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
	if got := featuresOf(p, PointAt(4, 5), -1); !slices.Contains(got, "begins a ladder that works") && !slices.Contains(got, "atari from which the chain escapes") {
		t.Errorf("an atari has %v", got)
	}
	works := slices.Contains(featuresOf(p, PointAt(4, 5), -1), "begins a ladder that works") || slices.Contains(featuresOf(p, PointAt(5, 4), -1), "begins a ladder that works")
	broken := playOut(t, 9, append(ladder, [2]int{3, 5}, [2]int{7, 2}, pass, [2]int{7, 6}, pass, [2]int{6, 3}, pass, [2]int{6, 5}, pass, pass)...)
	if !works {
		t.Error("no ladder works on an empty board")
	}
	for _, at := range []Point{PointAt(4, 5), PointAt(5, 4)} {
		if got := featuresOf(broken, at, -1); slices.Contains(got, "begins a ladder that works") {
			t.Errorf("with stones in its way a ladder works: %v", got)
		}
	}
}

// chainsAt returns the liberties of the chains of a side next to a point, by their first stones.
func chainsAt(p Position, at Point, side games.Side) map[Point]int {
	all := map[Point]int{}
	for _, next := range []Point{at - 1, at + 1, at - stride, at + stride} {
		if stones := p.Stones(side); next >= 0 && next < stride*MaxSize && stones.Has(next) {
			chain, liberties := p.Chain(side, next)
			all[chain.First()] = liberties.Count()
		}
	}
	return all
}

// least returns the least liberties of chains that have at least so many, 99 where there is none.
func least(chains map[Point]int, from int) int {
	n := 99
	for _, liberties := range chains {
		if liberties >= from {
			n = min(n, liberties)
		}
	}
	return n
}

// leaves returns how many liberties the chain of the last stone has after one of them is taken, 99 if it is none of chains.
func leaves(p Position, chains map[Point]int, last int) int {
	if last >= 0 {
		if chain, _ := p.Chain(p.side^1, PointAt(last%9, last/9)); chains[chain.First()] > 0 {
			return chains[chain.First()] - 1
		}
	}
	return 99
}

// touched returns those of the chains that are next to the last stone.
func touched(p Position, chains map[Point]int, last int) map[Point]int {
	all := map[Point]int{}
	if last >= 0 {
		for chain := range chainsAt(p, PointAt(last%9, last/9), p.side) {
			if n, ok := chains[chain]; ok {
				all[chain] = n
			}
		}
	}
	return all
}

// TestKoThreat: White may not retake at once, and gives atari elsewhere; after two passes the same stone is no threat.
func TestKoThreat(t *testing.T) {
	const threat = "gives atari or takes stones while a ko stands"
	pass := [2]int{-1, 0}
	ko := [][2]int{{1, 0}, {2, 0}, {0, 1}, {3, 1}, {1, 2}, {2, 2}, {8, 0}, {1, 1}, {2, 1}}
	p := playOut(t, 9, ko...)
	if got := featuresOf(p, PointAt(7, 0), -1); !slices.Contains(got, threat) {
		t.Errorf("an atari while a ko stands has %v", got)
	}
	if got := featuresOf(p, PointAt(6, 6), -1); slices.Contains(got, threat) {
		t.Errorf("a stone far away has %v", got)
	}
	later := playOut(t, 9, append(ko, pass, pass)...)
	if got := featuresOf(later, PointAt(7, 0), -1); slices.Contains(got, threat) || !slices.Contains(got, "atari from which the chain escapes") && !slices.Contains(got, "begins a ladder that works") {
		t.Errorf("an atari without a ko has %v", got)
	}
}

// TestCountedFeatures: captures and self-atari are what playing the move shows, in random games.
func TestCountedFeatures(t *testing.T) {
	rng := rand.New(rand.NewPCG(2006, 3))
	seen := map[string]int{}
	for range 4 {
		p, last := New(9, 0, 0), -1
		for range 90 {
			moves := p.AppendMoves(nil)
			stones := func(q *Position) int { s := q.Stones(p.side ^ 1); return s.Count() }
			for _, m := range moves {
				if m == Pass {
					continue
				}
				names := featuresOf(p, To(m), last)
				next := p.Play(m)
				taken := stones(&p) - stones(&next)
				_, liberties := next.Chain(p.side, To(m))
				n := liberties.Count()
				own, others := chainsAt(p, To(m), p.side), chainsAt(p, To(m), p.side^1)
				for name, want := range map[string]bool{
					"makes a chain of two liberties": n == 2, "makes a chain of four liberties": n == 4,
					"leaves a chain two liberties": least(others, 2) == 3, "leaves a chain three liberties": least(others, 2) == 4,
					"joins chains": len(own) > 1, "touches two chains of the other side": len(others) > 1,
					"extends a chain of two liberties": least(own, 0) == 2, "extends a chain of three liberties": least(own, 0) == 3,
					"on line 2": min(To(m).Row(), To(m).Column(), 8-To(m).Row(), 8-To(m).Column()) == 1, "leaves the chain played last two liberties": leaves(p, others, last) == 2,
					"extends a touched chain of two liberties": least(touched(p, own, last), 0) == 2,
					"takes one stone":                          taken == 1, "takes two or three stones": taken == 2 || taken == 3, "takes four stones or more": taken > 3,
					"self-atari": taken == 0 && liberties.Count() == 1, "takes the chain played last": leaves(p, others, last) == 0, "opens a ko": next.ko != noPoint,
				} {
					if slices.Contains(names, name) != want {
						t.Fatalf("%q is %v, taken %d, liberties %d", name, !want, taken, liberties.Count())
					}
				}
				for _, name := range names {
					seen[name]++
				}
			}
			m := moves[rng.IntN(len(moves))]
			if p, last = p.Play(m), -1; m != Pass {
				last = To(m).Row()*9 + To(m).Column()
			}
		}
	}
	for _, name := range featureNames[:threatens] {
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
