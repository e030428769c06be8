package search

import (
	"slices"

	"kifu/games"
)

// AlphaBeta returns the value that Minimax gives p at depth d, by alpha-beta with iterative
// deepening. The variation is one of those with that value, the same for the same position
// and depth; its leaf is a dominant position.
func (s *Searcher[P]) AlphaBeta(p P, d int) Result[P] {
	s.begin(d)
	v := int32(0)
	for i := range d + 1 {
		v = s.alphaBeta(p, -infinite, infinite, i, 0, staticLeaves)
	}
	return s.result(p, v)
}

// BestMoves appends to dst every legal move of p with the value u(p, d), which Minimax
// defines, in ascending order, and returns that value for the first player. d is from 1 to
// MaxDepth, and p has a legal move.
func (s *Searcher[P]) BestMoves(p P, d int, dst []games.Move) (best []games.Move, value int32) {
	s.begin(d)
	for i := 1; i < d; i++ { // for the order of moves
		s.alphaBeta(p, -infinite, infinite, i, 0, staticLeaves)
	}
	s.nodes++
	s.stack = p.AppendMoves(s.stack[:0])
	moves := s.stack
	s.sort(p, moves, s.order.recall(p.Hash()), 0)
	none, high := len(dst), int32(-infinite)
	for _, m := range moves {
		v := -s.alphaBeta(p.Play(m), -infinite, 1-high, d-1, 1, staticLeaves)
		if v > high {
			dst, high = dst[:none], v
		}
		if v == high {
			dst = append(dst, m)
		}
	}
	slices.Sort(dst[none:])
	return dst, high * p.ToMove().Sign()
}
