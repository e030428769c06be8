package mate

import "kifu/games"

// Shorten returns r, a mate found in p by the last Solve, with the fewest plies in which the
// side to move mates against the longest defence, and such a line. As in problems, useless
// drops between king and checker do not count: a check takes the piece without needing it, and
// the mate comes as soon as without the drop. The line ends with the check that has no other
// answers.
//
// The search tries one length after the other, with at most as many nodes in all as Solve had.
// If they do not suffice, r is unchanged and Shortest is false.
func (s *Solver[P]) Shorten(p P, r Result) Result {
	if r.Verdict != Mate {
		return r
	}
	if s.bounds == nil {
		s.bounds, s.open = map[uint64]bound{}, map[uint64]bool{}
	}
	clear(s.bounds)
	clear(s.open)
	s.left = s.limit
	for plies := 1; plies <= r.Plies; plies += 2 {
		found := s.mates(p, plies)
		if s.left <= 0 {
			break
		}
		if found {
			s.line = s.line[:0]
			s.longest(p, plies)
			r.Plies, r.Line, r.Shortest = plies, s.line, s.left > 0
			break
		}
	}
	r.Nodes += s.limit - max(s.left, 0)
	return r
}

// bound holds the known bounds of a position: it is mate within so many plies, and not within so
// many; plus one, 0 for nothing.
type bound struct{ within, not uint8 }

// known returns whether a position is mate within plies, if that is known.
func (b bound) known(plies int) (yes, ok bool) {
	yes = b.within > 0 && int(b.within) <= plies+1
	return yes, yes || b.not > 0 && int(b.not) >= plies+1
}

// settle keeps and returns whether the position with that hash is mate within plies.
func (s *Solver[P]) settle(hash uint64, plies int, yes bool) bool {
	if s.left <= 0 {
		return false // out of nodes: nothing has been found
	}
	b := s.bounds[hash]
	if yes {
		b.within = uint8(plies + 1)
	} else {
		b.not = uint8(plies + 1)
	}
	s.bounds[hash] = b
	return yes
}

// mates reports whether the side to move mates within so many plies, an odd number.
func (s *Solver[P]) mates(p P, plies int) bool {
	hash := p.Hash()
	if yes, ok := s.bounds[hash].known(plies); ok {
		return yes
	}
	if s.refuted(p) {
		return s.settle(hash, maxPly-1, false)
	}
	if s.left--; s.left <= 0 {
		return false
	}
	from := len(s.moves)
	s.moves = s.rules.AppendChecks(s.moves, p)
	found := false
	for i := from; i < len(s.moves) && !found && s.left > 0; i++ {
		found = s.mated(p.Play(s.moves[i]), plies-1)
	}
	s.moves = s.moves[:from]
	return s.settle(hash, plies, found)
}

// refuted reports whether the last search knows that p is no mate.
func (s *Solver[P]) refuted(p P) bool {
	var c edge
	c.board, c.hand = s.rules.Held(p, s.attacker)
	return s.look(&c) && c.dn == 0
}

// mated reports whether the side to move, which is in check, is mated within so many plies,
// an even number.
func (s *Solver[P]) mated(p P, plies int) bool {
	hash := p.Hash()
	if yes, ok := s.bounds[hash].known(plies); ok {
		return yes
	}
	if s.open[hash] {
		return false // a piece that was taken back led here
	}
	if s.refuted(p) {
		return s.settle(hash, maxPly-1, false)
	}
	if s.left--; s.left <= 0 {
		return false
	}
	from := len(s.moves)
	s.moves = p.AppendMoves(s.moves)
	s.open[hash] = true
	yes := s.answered(p, s.moves[from:], plies)
	delete(s.open, hash)
	s.moves = s.moves[:from]
	return s.settle(hash, plies, yes)
}

// answered reports whether all moves, the answers to the check in p, lose within plies.
func (s *Solver[P]) answered(p P, moves []games.Move, plies int) bool {
	drops := false
	for _, m := range moves {
		if s.rules.Block(m) != 0 {
			drops = true
		} else if plies == 0 || !s.mates(p.Play(m), plies-1) {
			return false
		}
	}
	if !drops {
		return true
	}
	length := s.without(p, moves, plies)
	useless := uint8(0) // the square of the last drop that was
	for _, m := range moves {
		block := s.rules.Block(m)
		if block == 0 || block == useless {
			continue
		}
		if s.useless(p, m, length) {
			useless = block
		} else if plies == 0 || !s.mates(p.Play(m), plies-1) {
			return false
		}
	}
	return true
}

// without returns the fewest plies, of at most so many, in which all moves but drops lose.
func (s *Solver[P]) without(p P, moves []games.Move, plies int) int {
	length := 0
	for _, m := range moves {
		if s.rules.Block(m) != 0 {
			continue
		}
		for next := p.Play(m); length < plies && (length == 0 || !s.mates(next, length-1)); {
			length += 2
		}
	}
	return length
}

// useless reports whether the drop m between king and checker in p is: a check that takes the
// piece mates within length without it.
func (s *Solver[P]) useless(p P, m games.Move, length int) bool {
	next := p.Play(m)
	from := len(s.moves)
	s.moves = s.rules.AppendChecks(s.moves, next)
	useless := false
	for i := from; i < len(s.moves) && !useless; i++ {
		q, ok := s.rules.GiveBack(next, m, s.moves[i])
		useless = ok && s.mated(q, length)
	}
	s.moves = s.moves[:from]
	return useless
}

// longest appends the line from p, which is mate in so many plies, against the longest defence.
func (s *Solver[P]) longest(p P, plies int) {
	from := len(s.moves)
	s.moves = s.rules.AppendChecks(s.moves, p)
	for i := from; i < len(s.moves) && s.left > 0; i++ {
		check := s.moves[i]
		next := p.Play(check)
		if !s.mated(next, plies-1) {
			continue
		}
		s.line = append(s.line, check)
		if m, left := s.defence(next, plies-1); m != 0 {
			s.line = append(s.line, m)
			s.longest(next.Play(m), left)
		}
		break
	}
	s.moves = s.moves[:from]
}

// defence returns the answer in p, mated within so many plies, after which it lasts the longest,
// and the plies then; 0 for a mate.
func (s *Solver[P]) defence(p P, plies int) (best games.Move, left int) {
	from := len(s.moves)
	s.moves = p.AppendMoves(s.moves)
	moves := s.moves[from:]
	length := s.without(p, moves, plies)
	for _, m := range moves {
		if s.rules.Block(m) != 0 && s.useless(p, m, length) {
			continue
		}
		need := 1
		for next := p.Play(m); need < plies-1 && !s.mates(next, need); {
			need += 2
		}
		if need > left {
			best, left = m, need
		}
	}
	s.moves = s.moves[:from]
	return best, left
}
