package search

import (
	"slices"

	"kifu/games"
)

// Best appends to dst every legal move of p with the value v(p, d), which Depth defines,
// and returns that value for the first player. The order of the moves is unspecified, but
// the same for the same position and depth. d is from 1 to MaxDepth, and p has a legal
// move.
//
// A move to a position whose hash repeats reports has the value 0 instead, whatever follows
// it: the draw that a repetition threatens. A nil repeats reports none.
func (s *Searcher[P]) Best(p P, d int, repeats func(hash uint64) bool, dst []games.Move) (best []games.Move, value int32) {
	if d < 1 || d > MaxDepth {
		panic("search: depth out of range")
	}
	s.nodes, s.stack = 0, s.stack[:0]
	s.order.reset()
	s.recalls = true
	defer func() { s.recalls = false }()
	for i := 1; i < d; i++ { // for the order of moves
		s.alphaBeta(p, -infinite, infinite, i, 0, quietLeaves)
	}
	s.nodes++
	s.stack = p.AppendMoves(s.stack[:0])
	if d == 1 {
		return s.bestByStatic(p, repeats, dst)
	}
	moves := s.stack
	s.sort(p, moves, s.order.recall(p.Hash()), 0)
	none, high := len(dst), int32(-infinite)
	for _, m := range moves {
		next, v := p.Play(m), int32(0)
		if repeats == nil || !repeats(next.Hash()) {
			v = s.reply(next, high, d-1)
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

// reply returns the value of the move to next for the side that made it, exact if it is at
// least high. A search with the narrowest window comes first: most moves are below.
func (s *Searcher[P]) reply(next P, high int32, depth int) int32 {
	if high > -infinite {
		if v := -s.alphaBeta(next, -high, 1-high, depth, 1, quietLeaves); v < high {
			return v
		}
	}
	return -s.alphaBeta(next, -infinite, 1-high, depth, 1, quietLeaves)
}

// successor is a move with the position after it, and with that position's static value for
// the side that moved.
type successor[P any] struct {
	move   games.Move
	value  int32
	repeat bool // the position counts as a draw instead
	next   P
}

// bestByStatic implements Best at depth 1 for the moves on the stack. The moves to the
// positions with the best static values come first: standing pat needs these values in any
// case. A move whose static value is below the best so far is not among the best if the
// other side may stand pat.
func (s *Searcher[P]) bestByStatic(p P, repeats func(hash uint64) bool, dst []games.Move) (best []games.Move, value int32) {
	sign := p.ToMove().Sign()
	s.successors, s.ranks = slices.Grow(s.successors[:0], len(s.stack))[:len(s.stack)], s.ranks[:0]
	for i, m := range s.stack {
		n := &s.successors[i]
		n.move, n.next = m, p.Play(m)
		hash := n.next.Hash()
		n.value, n.repeat = s.value(n.next, s.values.at(hash), hash)*sign, repeats != nil && repeats(hash)
		s.ranks = append(s.ranks, -int64(n.value)<<16|int64(i))
	}
	slices.Sort(s.ranks)
	none, high := len(dst), int32(-infinite)
	for _, rank := range s.ranks {
		n, v := &s.successors[rank&0xffff], int32(0)
		switch {
		case n.repeat:
		case n.value < high && s.forcer != nil && !s.forcer.Forced(n.next):
			continue
		default:
			v = s.reply(n.next, high, 0)
		}
		if v > high {
			dst, high = dst[:none], v
		}
		if v == high {
			dst = append(dst, n.move)
		}
	}
	return dst, high * sign
}
