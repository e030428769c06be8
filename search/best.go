package search

import (
	"slices"

	"kifu/games"
)

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
	if d == 1 {
		s.sortByStatic(p, moves)
	} else {
		s.sort(p, moves, s.order.recall(p.Hash()), 0)
	}
	none := len(dst)
	high := int32(-infinite)
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

// reply is the value of the move to next for who made it, exact if it is high or more. A
// look through the narrowest window comes first: most moves are below.
func (s *Searcher[P]) reply(next P, high int32, depth int) int32 {
	if high > -infinite {
		if v := -s.alphaBeta(next, -high, 1-high, depth, 1, quietLeaves); v < high {
			return v
		}
	}
	return -s.alphaBeta(next, -infinite, 1-high, depth, 1, quietLeaves)
}

// sortByStatic puts the moves to the positions with the best static values first. Where
// the leaves are one ply away that costs nothing: standing pat asks for these values in any
// case, and finds them remembered.
func (s *Searcher[P]) sortByStatic(p P, moves []games.Move) {
	s.ranked = s.ranked[:0]
	for _, m := range moves {
		next := p.Play(m)
		hash := next.Hash()
		s.ranked = append(s.ranked, rankedMove{m, s.value(next, s.values.at(hash), hash) * p.ToMove().Sign()})
	}
	slices.SortStableFunc(s.ranked, func(a, b rankedMove) int { return int(b.value) - int(a.value) })
	for i, r := range s.ranked {
		moves[i] = r.move
	}
}

// rankedMove is a move with what it seems to be worth to its side.
type rankedMove struct {
	move  games.Move
	value int32
}
