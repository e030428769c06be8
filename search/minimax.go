package search

import (
	"slices"

	"kifu/games"
)

// Strategy is a static evaluation and the number of plies to search before applying it: how
// a player finds its moves (Carmel and Markovitch, "Learning Models of Opponent's Strategy
// in Game Playing", 1993, definition 1). Its searches are Minimax and AlphaBeta, without
// quiescence or extensions.
type Strategy[P games.Position[P]] struct {
	Static Static[P]
	Depth  int // plies, from 1 to MaxDepth
}

// Minimax returns the value of p by plain minimax of fixed, uniform depth d. It is defined
// by
//
//	u(p, d) = outcome(p)                     if p has ended
//	u(p, 0) = static(p)
//	u(p, d) = max over legal m of -u(p·m, d-1)
//
// for the side to move; outcome is as in Quiescence, ±Win less Grain for every ply from the
// root, or 0. The variation is the first among equals in the order of the moves, and its
// leaf the dominant position of p, whose static value is u(p, d). Every position is
// visited: AlphaBeta gives the same value faster. d is from 0 to MaxDepth.
func (s *Searcher[P]) Minimax(p P, d int) Result[P] {
	s.begin(d)
	return s.result(p, s.minimax(p, d, 0))
}

// begin prepares a search of depth d.
func (s *Searcher[P]) begin(d int) {
	if d < 0 || d > MaxDepth {
		panic("search: depth out of range")
	}
	s.nodes, s.stack = 0, s.stack[:0]
	s.order.reset()
}

// minimax computes u(p, depth), ply plies from the root.
func (s *Searcher[P]) minimax(p P, depth, ply int) int32 {
	if depth == 0 {
		return s.horizon(p, ply)
	}
	s.nodes++
	first := len(s.stack)
	s.stack = p.AppendMoves(s.stack)
	moves := s.stack[first:]
	if len(moves) == 0 {
		return s.decided(p, ply)
	}
	best := int32(-infinite)
	for _, m := range moves {
		if v := -s.minimax(p.Play(m), depth-1, ply+1); v > best {
			best = v
			s.adopt(ply, m)
		}
	}
	s.stack = s.stack[:first]
	return best
}

// horizon computes u(p, 0).
func (s *Searcher[P]) horizon(p P, ply int) int32 {
	s.nodes++
	if p.Outcome() != games.Undecided {
		return s.decided(p, ply)
	}
	s.end(ply, false)
	hash := p.Hash()
	return s.value(p, s.values.at(hash), hash) * p.ToMove().Sign()
}

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
