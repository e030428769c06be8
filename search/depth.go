package search

import "kifu/games"

// Depth returns the value of p by a search of fixed depth d with quiescence at its
// leaves. It is defined by
//
//	v(p, 0) = q(p, 0)
//	v(p, d) = outcome(p)                     if p has no legal move
//	v(p, d) = max over legal m of -v(p·m, d-1)
//
// for the side to move, where q is Quiescence's. The value does not depend on the
// order in which moves are tried. The variation is one of those with that value, the same
// for the same position and depth. d is from 0 to MaxDepth.
func (s *Searcher[P]) Depth(p P, d int) Result[P] {
	var last Result[P]
	s.Deepen(p, d, func(_ int, r Result[P]) { last = r })
	return last
}

// Deepen performs Depth for every depth from 1 to d (for d = 0, depth 0) by one iterative
// deepening: each result equals the one of Depth, with the Nodes of all depths so far. Its
// PV is valid until visit returns, the last one until the next search.
func (s *Searcher[P]) Deepen(p P, d int, visit func(depth int, r Result[P])) {
	s.DeepenWhile(p, d, func(depth int, r Result[P]) bool {
		visit(depth, r)
		return true
	})
}

// DeepenWhile is Deepen that ends after the first depth for which visit returns false.
func (s *Searcher[P]) DeepenWhile(p P, d int, visit func(depth int, r Result[P]) (deeper bool)) {
	if d < 0 || d > MaxDepth {
		panic("search: depth out of range")
	}
	ended := p.Outcome() != games.Undecided
	s.nodes, s.stack = 0, s.stack[:0]
	s.order.reset()
	for i := min(d, 1); i <= d; i++ {
		var v int32
		if ended {
			s.nodes, v = 1, s.decided(p, 0)
		} else {
			v = s.alphaBeta(p, -infinite, infinite, i, 0, quietLeaves)
		}
		if !visit(i, s.result(p, v)) {
			return
		}
	}
}

// leaves selects the values at the end of a search of fixed depth.
type leaves bool

const (
	staticLeaves leaves = false // the values of Minimax
	quietLeaves  leaves = true  // by Quiescence
)

// alphaBeta computes v(p, depth), which Depth defines, with quiet leaves, and with static
// ones u(p, depth), which Minimax defines, by fail-soft alpha-beta, ply plies from the
// root.
func (s *Searcher[P]) alphaBeta(p P, alpha, beta int32, depth, ply int, end leaves) int32 {
	if depth == 0 && end == quietLeaves {
		return s.quiesce(p, alpha, beta, ply, 0)
	}
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
	s.sort(p, moves, s.order.recall(hash), ply)
	best, bestMove := int32(-infinite), games.Move(0)
	for _, m := range moves {
		v := -s.alphaBeta(p.Play(m), -beta, -alpha, depth-1, ply+1, end)
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

// order holds what a search of one root has learnt about which move to try first. It
// changes the speed and never the value.
type order struct {
	search uint32 // number of the search; entries of another one are void
	best   [1 << orderBits]struct {
		hash   uint64
		move   games.Move
		search uint32
	}
	killers [plies][2]games.Move
}

const orderBits = 12

func (o *order) reset() {
	o.search++
	clear(o.killers[:])
}

func (o *order) remember(hash uint64, m games.Move) {
	e := &o.best[hash>>(64-orderBits)]
	e.hash, e.move, e.search = hash, m, o.search
}

func (o *order) recall(hash uint64) games.Move {
	if e := &o.best[hash>>(64-orderBits)]; e.hash == hash && e.search == o.search {
		return e.move
	}
	return 0
}

// cut records a move that refuted the position at ply: a killer of its siblings.
func (o *order) cut(m games.Move, ply int) {
	if k := &o.killers[ply]; k[0] != m {
		k[1], k[0] = k[0], m
	}
}

// sort puts hint first, the best move of the last iteration or 0, then the tactics in their
// own order, then the killers; the rest keep their order.
func (s *Searcher[P]) sort(p P, moves []games.Move, hint games.Move, ply int) {
	done := 0
	front := func(m games.Move) {
		for i := done; i < len(moves); i++ {
			if moves[i] == m {
				copy(moves[done+1:i+1], moves[done:i])
				moves[done] = m
				done++
				return
			}
		}
	}
	if hint != 0 {
		front(hint)
	}
	end := len(s.stack)
	tactics, forced := p.AppendTactics(s.stack)
	if !forced {
		for _, m := range tactics[end:] {
			front(m)
		}
	}
	s.stack = tactics[:end]
	for _, m := range s.order.killers[ply] {
		if m != 0 {
			front(m)
		}
	}
}
