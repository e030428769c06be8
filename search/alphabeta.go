package search

import (
	"slices"

	"kifu/games"
)

// AlphaBeta returns the value that Minimax gives p at depth d, by alpha-beta with
// iterative deepening. The variation is one of those that are worth it, the same for the
// same position and depth; its leaf is a dominant position.
func (s *Searcher[P]) AlphaBeta(p P, d int) Result[P] {
	var last Result[P]
	s.DeepenAlphaBeta(p, d, func(_ int, r Result[P]) { last = r })
	return last
}

// DeepenAlphaBeta calls visit with the result of AlphaBeta for every depth from 0 to d,
// from one iterative deepening; Nodes are those of all depths so far. A PV is good until
// visit returns, but for the last.
func (s *Searcher[P]) DeepenAlphaBeta(p P, d int, visit func(depth int, r Result[P])) {
	s.begin(d)
	for i := range d + 1 {
		visit(i, s.result(p, s.lookAhead(p, -infinite, infinite, i, 0)))
	}
}

// BestMoves appends to dst every legal move of p that is worth u(p, d), which Minimax
// defines, in ascending order, and returns that value for the first player. d is from 1
// to MaxDepth, and p has a legal move.
func (s *Searcher[P]) BestMoves(p P, d int, dst []games.Move) (best []games.Move, value int32) {
	s.begin(d)
	for i := 1; i < d; i++ { // for the order of moves
		s.lookAhead(p, -infinite, infinite, i, 0)
	}
	s.nodes++
	s.stack = p.AppendMoves(s.stack[:0])
	moves := s.stack
	s.sort(p, moves, p.Hash(), 0)
	none, high := len(dst), int32(-infinite)
	for _, m := range moves {
		v := -s.lookAhead(p.Play(m), -infinite, 1-high, d-1, 1)
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

// lookAhead is u(p, depth) by fail-soft alpha-beta, ply plies from the root.
func (s *Searcher[P]) lookAhead(p P, alpha, beta int32, depth, ply int) int32 {
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
	s.end(ply, false)
	hash := p.Hash()
	s.sort(p, moves, hash, ply)
	best, bestMove := int32(-infinite), games.Move(0)
	for _, m := range moves {
		v := -s.lookAhead(p.Play(m), -beta, -alpha, depth-1, ply+1)
		if v <= best {
			continue
		}
		best, bestMove = v, m
		if v > alpha {
			alpha = v
			s.adopt(ply, m)
			if v >= beta {
				s.order.cut(m, ply)
				break
			}
		}
	}
	s.order.remember(hash, bestMove)
	s.stack = s.stack[:first]
	return best
}
