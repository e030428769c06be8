package search

import (
	"slices"
	"testing"

	"kifu/games"
)

// plainMinimax returns the definition of Minimax, written down again for its own tests: the
// value for the side to move.
func plainMinimax(t tree, d, ply int) int32 {
	if t.Outcome() != games.Undecided {
		return outcome(t, ply)
	}
	if d == 0 {
		return (noise{}).Value(t) * t.side.Sign()
	}
	best := int32(-infinite)
	for _, m := range t.AppendMoves(nil) {
		best = max(best, -plainMinimax(t.Play(m), d-1, ply+1))
	}
	return best
}

// Alpha-beta has the value and the best moves of minimax, and both end in a dominant
// position, which has that value.
func TestAlphaBetaIsMinimax(t *testing.T) {
	s := New[tree](noise{})
	fewer, ties := 0, 0
	for seed := range uint64(2000) {
		p := tree{seed: mix(seed + 5e6), side: games.Side(seed & 1), depth: uint8(seed % 3)}
		want := make([]int32, 6)
		for d := range want {
			want[d] = plainMinimax(p, d, 0) * p.side.Sign()
			plain := s.Minimax(p, d)
			checkLeaf(t, p, plain)
			if plain.Value != want[d] {
				t.Fatalf("%v to depth %d: minimax %d, want %d", p, d, plain.Value, want[d])
			}
			nodes := plain.Nodes
			r := s.AlphaBeta(p, d)
			checkLeaf(t, p, r)
			if r.Value != want[d] {
				t.Fatalf("%v to depth %d: alpha-beta %d, minimax %d", p, d, r.Value, want[d])
			}
			if r.Nodes < nodes {
				fewer++
			}
			if d > 0 && p.Outcome() == games.Undecided {
				ties += len(checkBest(t, s, p, d, want[d])) - 1
			}
		}
	}
	if fewer < 2000 || ties < 1000 {
		t.Errorf("the trees test little: %d searches pruned, %d ties", fewer, ties)
	}
}

// checkBest compares BestMoves with the minimax value of every move.
func checkBest(t *testing.T, s *Searcher[tree], p tree, d int, value int32) []games.Move {
	t.Helper()
	var want []games.Move
	for _, m := range p.AppendMoves(nil) {
		if -plainMinimax(p.Play(m), d-1, 1)*p.side.Sign() == value {
			want = append(want, m)
		}
	}
	got, v := s.BestMoves(p, d, nil)
	if !slices.Equal(got, want) || v != value {
		t.Fatalf("%v to depth %d: best %v worth %d, want %v worth %d", p, d, got, v, want, value)
	}
	return got
}

// The variation of Minimax is the first among equals.
func TestMinimaxVariation(t *testing.T) {
	s := New[tree](noise{})
	for seed := range uint64(1000) {
		p := tree{seed: mix(seed + 7e6)}
		r := s.Minimax(p, 4)
		at := p
		for i, m := range r.PV {
			v := plainMinimax(at, 4-i, i)
			for _, other := range at.AppendMoves(nil) {
				if -plainMinimax(at.Play(other), 3-i, i+1) == v {
					if other != m {
						t.Fatalf("seed %d, ply %d: move %d, but %d before it is worth as much", seed, i, m, other)
					}
					break
				}
			}
			at = at.Play(m)
		}
	}
}

func TestLookAheadDepth(t *testing.T) {
	s := New[tree](noise{})
	for _, d := range []int{-1, MaxDepth + 1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("depth %d is taken", d)
				}
			}()
			s.AlphaBeta(tree{}, d)
		}()
	}
}
