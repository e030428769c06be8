package search

import "kifu/games"

// Best appends to dst every legal move of p that is worth v(p, d), which Depth defines,
// and returns that value for the first player. The moves are in no order that means
// anything, the same for the same position and depth. d is from 1 to MaxDepth, and p
// has a legal move.
//
// A move to a position whose hash repeats reports is worth 0 instead, whatever lies
// behind it: the draw that a repetition threatens. nil: there are none.
func (s *Searcher[P]) Best(p P, d int, repeats func(hash uint64) bool, dst []games.Move) (best []games.Move, value int32) {
	if d < 1 || d > MaxDepth {
		panic("search: depth out of range")
	}
	s.nodes, s.stack = 0, s.stack[:0]
	s.order.reset()
	for i := 1; i < d; i++ { // for the order of moves
		s.alphaBeta(p, -infinite, infinite, i, 0, quietLeaves)
	}
	s.nodes++
	s.stack = p.AppendMoves(s.stack[:0])
	moves := s.stack
	s.sort(p, moves, p.Hash(), 0)
	none := len(dst)
	high := int32(-infinite)
	for _, m := range moves {
		next, v := p.Play(m), int32(0)
		if repeats == nil || !repeats(next.Hash()) {
			v = -s.alphaBeta(next, -infinite, 1-high, d-1, 1, quietLeaves)
		}
		if v > high {
			dst, high = dst[:none], v
		}
		if v == high {
			dst = append(dst, m)
		}
	}
	return dst, high * p.ToMove().Sign()
}
