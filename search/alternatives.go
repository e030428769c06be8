package search

import "kifu/games"

// Alternatives finds the value of every legal move of p for a strategy. It visits the depths d,
// d-step, d-2·step and so on that are at least 1, the least first. At each depth it calls visit for
// every move, by its index, with the result of AlphaBeta to depth-1 for the position after the
// move. Nodes are the total so far; a PV is valid until visit returns. d is from 1 to MaxDepth.
//
// All these searches share bounds of positions (see bound), which makes them faster than separate
// searches, more so at greater depths. For the values of d only, a step of 2 is the fastest: each
// depth orders the moves of the next one.
func (s *Searcher[P]) Alternatives(p P, d, step int, visit func(depth, move int, r Result[P])) {
	s.begin(d)
	s.bounds.reset()
	moves := p.AppendMoves(nil)
	for depth := (d - 1) % step; depth < d; depth += step {
		for i, m := range moves {
			next := p.Play(m)
			visit(depth+1, i, s.result(next, s.bounded(next, -infinite, infinite, depth, 0)))
		}
	}
}

// bounded computes u(p, depth), which Minimax defines, by fail-soft alpha-beta that remembers
// bounds, ply plies from the root. It tests whether a move (except the first) is better before it
// computes its value (Pearl, "Scout: A Simple Game-Searching Algorithm with Proven Optimal
// Properties", 1980). No bound is used between alpha and beta, so that a value there has its
// variation.
func (s *Searcher[P]) bounded(p P, alpha, beta int32, depth, ply int) int32 {
	if depth == 0 {
		return s.horizon(p, ply)
	}
	s.nodes++
	hash := p.Hash()
	known := s.bounds.at(hash)
	var hint games.Move
	if known.hash == hash && known.search == s.bounds.search {
		hint = known.move
		v := known.value.seenFrom(ply)
		if int(known.depth) == depth && (known.least && v >= beta || known.most && v <= alpha) {
			s.end(ply, false)
			return v
		}
	}
	first := len(s.stack)
	s.stack = p.AppendMoves(s.stack)
	moves := s.stack[first:]
	if len(moves) == 0 {
		return s.decided(p, ply)
	}
	s.end(ply, false)
	s.sort(p, moves, hint, ply)
	best, bestMove, low := int32(-infinite), games.Move(0), alpha
	for _, m := range moves {
		v := s.better(p.Play(m), low, beta, best > -infinite, depth, ply)
		if v <= best {
			continue
		}
		best, bestMove = v, m
		if v > low {
			low = v
			s.adopt(ply, m)
			if v >= beta {
				s.order.cut(m, ply)
				break
			}
		}
	}
	s.stack = s.stack[:first]
	*known = bound{hash: hash, move: bestMove, value: fromNode(best, ply), search: s.bounds.search,
		depth: int8(depth), least: best > alpha, most: best < beta}
	return best
}

// better returns the value of the move to next for the side that made it: exact between low
// and beta, a bound outside. doubted means that it is probably not above low.
func (s *Searcher[P]) better(next P, low, beta int32, doubted bool, depth, ply int) int32 {
	if doubted && beta-low > 1 {
		v := -s.bounded(next, -low-1, -low, depth-1, ply+1)
		if v <= low || v >= beta {
			return v
		}
		low = v - 1
	}
	return -s.bounded(next, -beta, -low, depth-1, ply+1)
}

// bound is a known bound on the value of a position at one depth. It is not used at another depth:
// depths are never mixed, so that values stay plain minimax's.
type bound struct {
	hash   uint64
	move   games.Move // the best one, or the one that refuted the position
	value  nodeValue
	search uint16
	depth  int8
	least  bool // the position's value is at least value
	most   bool // or at most value
}

// nodeValue is a value for the side to move as seen from the position itself. From further
// up the same win is further away.
type nodeValue int32

func fromNode(v int32, ply int) nodeValue {
	switch {
	case v > Decisive:
		v += int32(ply) * Grain
	case v < -Decisive:
		v -= int32(ply) * Grain
	}
	return nodeValue(v)
}

func (v nodeValue) seenFrom(ply int) int32 {
	switch {
	case v > Decisive:
		v -= nodeValue(ply) * Grain
	case v < -Decisive:
		v += nodeValue(ply) * Grain
	}
	return int32(v)
}

// boundTable remembers bounds by hash, the last one in each slot. Bounds of other searches
// are void, so that a search depends on nothing before it.
type boundTable struct {
	search  uint16
	entries []bound // allocated on first use
}

const boundBits = 17

func (t *boundTable) at(hash uint64) *bound { return &t.entries[hash>>(64-boundBits)] }

func (t *boundTable) reset() {
	if t.entries == nil {
		t.entries = make([]bound, 1<<boundBits)
	}
	if t.search++; t.search == 0 {
		clear(t.entries)
		t.search = 1
	}
}
