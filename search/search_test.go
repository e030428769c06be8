package search

import (
	"fmt"
	"slices"
	"testing"

	"kifu/games"
)

// tree is a node of a random game tree: everything about it follows from its seed.
// Values are few, so that equal ones are common and ties are tested.
type tree struct {
	seed  uint64
	depth uint8
	side  games.Side
}

func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

func (t tree) AppendMoves(dst []games.Move) []games.Move {
	if t.Outcome() != games.Undecided {
		return dst
	}
	for i := range 1 + mix(t.seed)%5 {
		dst = append(dst, games.Move(i+1))
	}
	return dst
}

// AppendTactics: one node in four is forced; elsewhere some of the moves are tactics,
// in another order than the moves.
func (t tree) AppendTactics(dst []games.Move) ([]games.Move, bool) {
	first := len(dst)
	forced := mix(t.seed+1)%4 == 0
	if t.Outcome() != games.Undecided {
		return dst, true
	}
	if t.depth > 9 && !forced {
		return dst, false
	}
	all := t.AppendMoves(dst)
	if forced {
		return all, true
	}
	for _, m := range all[first:] {
		if mix(t.seed^uint64(m)<<7)%3 == 0 {
			dst = append(dst, m)
		}
	}
	slices.Reverse(dst[first:])
	return dst, false
}

func (t tree) Play(m games.Move) tree {
	return tree{mix(t.seed*31 + uint64(m)), t.depth + 1, t.side.Other()}
}
func (t tree) ToMove() games.Side { return t.side }
func (t tree) Hash() uint64       { return mix(t.seed) }
func (t tree) Outcome() games.Outcome {
	if t.depth == 0 || mix(t.seed+2)%12 > 0 {
		return games.Undecided
	}
	return games.FirstWins + games.Outcome(mix(t.seed+3)%3)
}

type noise struct{}

func (noise) Value(t tree) int32 { return (int32(mix(t.seed+4)%9) - 4) * Grain }

// forcer is noise that knows what is forced.
type forcer struct{ noise }

func (forcer) Forced(t tree) bool {
	_, forced := t.AppendTactics(nil)
	return forced
}

// narrowed is forcer that follows only odd moves from two plies on.
type narrowed struct{ forcer }

func (narrowed) NarrowPlies() int { return 2 }

func (narrowed) AppendNarrow(t tree, dst []games.Move) ([]games.Move, bool) {
	first := len(dst)
	moves, forced := t.AppendTactics(dst)
	if forced {
		return moves, true
	}
	return append(dst, slices.DeleteFunc(moves[first:], func(m games.Move) bool { return m%2 == 0 })...), false
}

// The definitions of Quiescence and Depth, written down without pruning. The value is for
// the side to move; the variation is the first among equals. From wide plies on the moves are
// those of narrowed.
func plainQuiescence(t tree, ply, k, wide int) (int32, []games.Move) {
	static := (noise{}).Value(t) * t.side.Sign()
	moves, forced := t.AppendTactics(nil)
	if k >= wide {
		moves, forced = narrowed{}.AppendNarrow(t, nil)
	}
	switch {
	case forced && len(moves) == 0:
		return outcome(t, ply), nil
	case k == QuiescencePlies:
		return static, nil
	}
	best, pv := static, []games.Move(nil)
	if forced {
		best = -infinite
	}
	for _, m := range moves {
		v, line := plainQuiescence(t.Play(m), ply+1, k+1, wide)
		if -v > best {
			best, pv = -v, append([]games.Move{m}, line...)
		}
	}
	return best, pv
}

func plainDepth(t tree, d, ply int) int32 {
	if d == 0 {
		v, _ := plainQuiescence(t, ply, 0, QuiescencePlies)
		return v
	}
	moves := t.AppendMoves(nil)
	if len(moves) == 0 {
		return outcome(t, ply)
	}
	best := int32(-infinite)
	for _, m := range moves {
		best = max(best, -plainDepth(t.Play(m), d-1, ply+1))
	}
	return best
}

func outcome(t tree, ply int) int32 {
	switch t.Outcome() {
	case games.WinFor(t.side):
		return Win - int32(ply)*Grain
	case games.WinFor(t.side.Other()):
		return int32(ply)*Grain - Win
	}
	return 0
}

// checkLeaf: the value is the leaf's, and the leaf is the end of the variation.
func checkLeaf(t *testing.T, p tree, r Result[tree]) {
	t.Helper()
	leaf := p
	for _, m := range r.PV {
		if !slices.Contains(leaf.AppendMoves(nil), m) {
			t.Fatalf("%v: illegal move %d in %v", p, m, r.PV)
		}
		leaf = leaf.Play(m)
	}
	want := (noise{}).Value(leaf)
	if r.Decided {
		want = outcome(leaf, len(r.PV)) * leaf.side.Sign()
	}
	if leaf != r.Leaf || want != r.Value {
		t.Fatalf("%v: value %d, but %d at the end of %v (leaf %v, want %v)", p, r.Value, want, r.PV, r.Leaf, leaf)
	}
}

func TestQuiescenceIsMinimax(t *testing.T) {
	s := New[tree](noise{})
	deep, decided, pruned := 0, 0, 0
	for seed := range uint64(15000) {
		p := tree{seed: mix(seed), side: games.Side(seed & 1)}
		want, pv := plainQuiescence(p, 0, 0, QuiescencePlies)
		r := s.Quiescence(p)
		if r.Value != want*p.side.Sign() || !slices.Equal(r.PV, pv) {
			t.Fatalf("%v: %d by %v, minimax %d by %v", p, r.Value, r.PV, want*p.side.Sign(), pv)
		}
		checkLeaf(t, p, r)
		if len(pv) > 3 {
			deep++
		}
		if r.Decided {
			decided++
		}
		if r.Nodes < countQuiescence(p, 0) {
			pruned++
		}
	}
	if deep < 300 || decided < 500 || pruned < 500 {
		t.Errorf("the trees test little: %d deep, %d decided, %d pruned", deep, decided, pruned)
	}
}

// A Forcer changes nothing but the speed.
func TestForcer(t *testing.T) {
	plain, quick := New[tree](noise{}), New[tree](forcer{})
	for seed := range uint64(5000) {
		p := tree{seed: mix(seed), side: games.Side(seed & 1)}
		a, b := plain.Quiescence(p), quick.Quiescence(p)
		if a.Value != b.Value || a.Nodes != b.Nodes || a.Leaf != b.Leaf || !slices.Equal(a.PV, b.PV) {
			t.Fatalf("%v: %d by %v in %d nodes; without a Forcer %d by %v in %d", p, b.Value, b.PV, b.Nodes, a.Value, a.PV, a.Nodes)
		}
	}
}

// A Narrower follows its own moves from its depth on.
func TestNarrower(t *testing.T) {
	s, all := New[tree](narrowed{}), New[tree](forcer{})
	fewer := 0
	for seed := range uint64(5000) {
		p := tree{seed: mix(seed), side: games.Side(seed & 1)}
		want, pv := plainQuiescence(p, 0, 0, 2)
		r := s.Quiescence(p)
		if r.Value != want*p.side.Sign() || !slices.Equal(r.PV, pv) {
			t.Fatalf("%v: %d by %v, minimax %d by %v", p, r.Value, r.PV, want*p.side.Sign(), pv)
		}
		if r.Nodes < all.Quiescence(p).Nodes {
			fewer++
		}
	}
	if fewer < 500 {
		t.Errorf("%d searches had fewer nodes", fewer)
	}
}

func countQuiescence(t tree, k int) int64 {
	n := int64(1)
	moves, _ := t.AppendTactics(nil)
	for _, m := range moves {
		n += countQuiescence(t.Play(m), k+1)
	}
	return n
}

func TestDepthIsMinimax(t *testing.T) {
	s := New[tree](noise{})
	for seed := range uint64(800) {
		p := tree{seed: mix(seed + 1e6), side: games.Side(seed & 1)}
		for d := range 5 {
			r := s.Depth(p, d)
			if want := plainDepth(p, d, 0) * p.side.Sign(); r.Value != want {
				t.Fatalf("%v to depth %d: %d by %v, minimax %d", p, d, r.Value, r.PV, want)
			}
			checkLeaf(t, p, r)
		}
	}
}

// Every step of the deepening equals the search of that depth.
func TestDeepen(t *testing.T) {
	a, b := New[tree](noise{}), New[tree](noise{})
	for seed := range uint64(400) {
		p := tree{seed: mix(seed + 1e6), side: games.Side(seed & 1), depth: uint8(seed % 2)}
		want := 1
		a.Deepen(p, 4, func(d int, r Result[tree]) {
			one := b.Depth(p, d)
			if d != want || r.Value != one.Value || r.Leaf != one.Leaf || r.Nodes != one.Nodes || !slices.Equal(r.PV, one.PV) {
				t.Fatalf("%v to depth %d: %+v, alone %+v", p, d, r, one)
			}
			want++
		})
		if want != 5 {
			t.Fatalf("%v: %d depths", p, want-1)
		}
	}
}

// chain is forced for ever: what bounds quiescence is its number of plies.
type chain struct{ n int }

func (c chain) AppendMoves(dst []games.Move) []games.Move { return append(dst, 1) }
func (c chain) AppendTactics(dst []games.Move) ([]games.Move, bool) {
	return append(dst, 1), true
}
func (c chain) Play(games.Move) chain  { return chain{c.n + 1} }
func (c chain) ToMove() games.Side     { return games.Side(c.n & 1) }
func (c chain) Hash() uint64           { return uint64(c.n) }
func (c chain) Outcome() games.Outcome { return games.Undecided }
func (c chain) String() string         { return fmt.Sprint(c.n) }

type plyNumber struct{}

func (plyNumber) Value(c chain) int32 { return int32(c.n) }

func TestQuiescenceEnds(t *testing.T) {
	s := New[chain](plyNumber{})
	if r := s.Quiescence(chain{}); r.Value != QuiescencePlies || r.Leaf.n != QuiescencePlies {
		t.Errorf("value %d at %v", r.Value, r.Leaf)
	}
	if r := s.Depth(chain{}, MaxDepth); r.Value != MaxDepth+QuiescencePlies {
		t.Errorf("value %d to the greatest depth", r.Value)
	}
}

// The value of an ended root is its outcome, seen from the first player.
func TestEndedRoot(t *testing.T) {
	s := New[tree](noise{})
	for seed := range uint64(1000) {
		p := tree{seed: mix(seed), depth: 1, side: games.Side(seed & 1)}
		want, ended := map[games.Outcome]int32{games.FirstWins: Win, games.SecondWins: -Win, games.Drawn: 0}[p.Outcome()]
		if !ended {
			continue
		}
		for _, r := range []Result[tree]{s.Quiescence(p), s.Depth(p, 3)} {
			if r.Value != want || !r.Decided || r.Leaf != p || len(r.PV) != 0 || r.Nodes != 1 {
				t.Fatalf("%v: %+v", p.Outcome(), r)
			}
		}
	}
}

// Earlier searches change nothing, not even the number of nodes.
func TestDeterministic(t *testing.T) {
	used := New[tree](noise{})
	for seed := range uint64(300) {
		p := tree{seed: mix(seed), side: games.Side(seed & 1)}
		a, b := used.Depth(p, 4), New[tree](noise{}).Depth(p, 4)
		if a.Nodes != b.Nodes || a.Value != b.Value || !slices.Equal(a.PV, b.PV) {
			t.Fatalf("%v: %d nodes, %d when searched first", p, a.Nodes, b.Nodes)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	s := New[tree](noise{})
	p := tree{seed: 12345}
	s.Depth(p, 5)
	if n := testing.AllocsPerRun(10, func() { s.Depth(p, 5); s.Quiescence(p) }); n > 0 {
		t.Errorf("%v allocations a search", n)
	}
}

// bush is a position from which three tactics always lead to others like it.
type bush struct{ n int32 }

func (b bush) AppendMoves(dst []games.Move) []games.Move { return append(dst, 1, 2, 3) }
func (b bush) AppendTactics(dst []games.Move) ([]games.Move, bool) {
	return append(dst, 1, 2, 3), true
}
func (b bush) Play(m games.Move) bush { return bush{b.n + 1} }
func (b bush) ToMove() games.Side     { return games.Side(b.n & 1) }
func (b bush) Outcome() games.Outcome { return games.Undecided }
func (b bush) Hash() uint64           { return uint64(b.n) }

type bushValue struct{}

func (bushValue) Value(b bush) int32 { return b.n }

// Tactics without end in depth or breadth are given up, at the same point each time.
func TestQuiescenceGivesUp(t *testing.T) {
	s := New[bush](bushValue{})
	first := s.Quiescence(bush{})
	if first.Nodes < QuiescenceNodes || first.Nodes > QuiescenceNodes+3*QuiescencePlies {
		t.Errorf("%d nodes", first.Nodes)
	}
	if again := s.Quiescence(bush{}); again.Nodes != first.Nodes || again.Value != first.Value {
		t.Errorf("%d nodes, then %d", first.Nodes, again.Nodes)
	}
}
