package search

import "kifu/games"

// Static returns the static value of p, or the value of its outcome when p has ended. Its
// leaf is p itself.
func (s *Searcher[P]) Static(p P) Result[P] {
	s.nodes = 1
	if p.Outcome() != games.Undecided {
		return s.result(p, s.decided(p, 0))
	}
	s.end(0, false)
	hash := p.Hash()
	e := s.values.at(hash)
	v := s.value(p, e, hash)
	e.facts |= going
	return s.result(p, v*p.ToMove().Sign())
}

// Quiescence returns the value of p by quiescence search. It is defined by
//
//	q(p, k) = outcome(p)                          if p is forced and has no move
//	q(p, k) = static(p)                           if k = QuiescencePlies, or a limiter's own number
//	q(p, k) = max over m of -q(p·m, k+1)          if p is forced
//	q(p, k) = max(static(p), max over m of -q(p·m, k+1))   otherwise
//
// for the side to move, where m runs over p.AppendTactics (a Narrower's AppendNarrow from its
// NarrowPlies on), forced is its second result (in
// chess: a check, where the moves are all the evasions), and k starts at 0. outcome is ±Win
// less Grain for every ply from the root, or 0 for a draw. A game's end that is not forced
// (stalemate in chess) is not seen by tactics and keeps its static value, except at the
// root: the value of a p that has ended is its outcome.
//
// The principal variation is the first among equals: standing pat before moves, moves in
// the order of AppendTactics. This is the variation of the definition, pruned or not.
//
// After QuiescenceNodes nodes every position gets its static value, as at k =
// QuiescencePlies: fights in Go, where captures and rescues provoke each other, have no end
// in sight. Positions of chess do not come near it.
func (s *Searcher[P]) Quiescence(p P) Result[P] {
	s.nodes, s.stack = 0, s.stack[:0]
	e := s.values.at(p.Hash())
	if !e.has(p.Hash(), going) && p.Outcome() != games.Undecided {
		s.nodes++
		return s.result(p, s.decided(p, 0))
	}
	return s.result(p, s.quiesce(p, -infinite, infinite, 0, 0))
}

// quiesce computes q(p, k) by fail-soft alpha-beta, ply plies from the root: exact between
// alpha and beta, a bound outside.
func (s *Searcher[P]) quiesce(p P, alpha, beta int32, ply, k int) int32 {
	if k == 0 {
		s.until = s.nodes + QuiescenceNodes
	}
	s.nodes++
	last := k == s.limit || s.nodes > s.until
	if s.reach = k; last {
		s.reach = s.limit
	}
	hash, sign := p.Hash(), p.ToMove().Sign()
	e := s.values.at(hash)
	if e.has(hash, known|quiet) && e.value*sign >= beta {
		s.end(ply, false)
		return e.value * sign // the value of standing pat below
	}
	if v, ok := s.recall(e, hash, alpha, beta, k); ok {
		s.end(ply, false)
		return v
	}
	if s.forcer != nil && beta < infinite && !s.forcer.Forced(p) {
		v := s.value(p, e, hash) * sign
		if e.facts |= quiet; v >= beta {
			s.end(ply, false)
			return v
		}
	}
	first := len(s.stack)
	moves, forced := s.tactics(p, k)
	if forced && len(moves) == first {
		return s.decided(p, ply)
	}
	s.end(ply, false)
	best := int32(-infinite)
	if !forced || last {
		best = s.value(p, e, hash) * sign
		if !forced {
			e.facts |= quiet
		}
		if best >= beta || len(moves) == first || last {
			return best
		}
	}
	s.stack = moves
	floor, reach := alpha, k
	alpha = max(alpha, best)
	for i := first; i < len(moves); i++ {
		v := -s.quiesce(p.Play(moves[i]), -beta, -alpha, ply+1, k+1)
		reach = max(reach, s.reach)
		if v <= best {
			continue
		}
		best = v
		if v > alpha {
			alpha = v
			s.adopt(ply, moves[i])
			if v >= beta {
				break
			}
		}
	}
	s.stack, s.reach = s.stack[:first], reach
	if s.recalls && reach < s.wide {
		e.enclose(hash, best, floor, beta, reach-k)
	}
	return best
}

// tactics appends the moves that are followed from p, k plies from the beginning, to the stack.
func (s *Searcher[P]) tactics(p P, k int) (moves []games.Move, forced bool) {
	if s.narrower != nil && k >= s.wide {
		return s.narrower.AppendNarrow(p, s.stack)
	}
	return p.AppendTactics(s.stack)
}
