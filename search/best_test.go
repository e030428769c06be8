package search

import (
	"slices"
	"testing"

	"kifu/games"
)

// TestBest compares the moves of Best with the values of all moves, found without pruning;
// with positions that count as drawn and without.
func TestBest(t *testing.T) {
	searchers := [2]*Searcher[tree]{New[tree](noise{}), New[tree](forcer{})}
	ties := 0
	for seed := range uint64(3000) {
		p := tree{seed: mix(seed), side: games.Side(seed % 2)}
		d := 1 + int(seed%3)
		s := searchers[seed/3%2]
		for _, repeats := range []func(uint64) bool{nil, func(hash uint64) bool { return hash%3 == 0 }} {
			var want []games.Move
			high := int32(-infinite)
			for _, m := range p.AppendMoves(nil) {
				next, v := p.Play(m), int32(0)
				if repeats == nil || !repeats(next.Hash()) {
					v = -plainDepth(next, d-1, 1)
				}
				if v > high {
					want, high = nil, v
				}
				if v == high {
					want = append(want, m)
				}
			}
			got, value := s.Best(p, d, repeats, nil)
			slices.Sort(got)
			if !slices.Equal(got, want) || value != high*p.side.Sign() {
				t.Fatalf("seed %d, depth %d: %v worth %d; want %v worth %d", seed, d, got, value, want, high*p.side.Sign())
			}
			if len(want) > 1 {
				ties++
			}
		}
	}
	if ties < 500 {
		t.Errorf("only %d ties: the test says little", ties)
	}
}
