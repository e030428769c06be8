package weiqi

import "kifu/games"

// AppendMoves appends the legal moves: points from the top left, row by row, then the
// pass.
func (p Position) AppendMoves(dst []games.Move) []games.Move {
	if p.ended() {
		return dst
	}
	for legal := p.Legal(); ; {
		at, ok := legal.Pop()
		if !ok {
			return append(dst, Pass)
		}
		dst = append(dst, Move(at))
	}
}

// Legal returns the points on which the side to move may put a stone.
func (p *Position) Legal() Bitboard {
	empty := p.Empty()
	legal := empty.Neighbours().And(&empty) // a free neighbour is a liberty
	for tight := empty.Without(&legal); ; {
		at, ok := tight.Pop()
		if !ok {
			break
		}
		if p.tightLegal(at, &empty) {
			legal.Add(at)
		}
	}
	if p.ko != noPoint {
		legal.Remove(p.ko)
	}
	return legal
}

// legal reports whether the side to move may put a stone on at, which may be any point.
func (p *Position) legal(at Point) bool {
	empty := p.Empty()
	if !empty.Has(at) || at == p.ko {
		return false
	}
	return neighbours[at].Meets(&empty) || p.tightLegal(at, &empty)
}

// tightLegal implements legal for an empty point without an empty neighbour: a stone on it
// must take something, or join a chain that keeps a liberty, or be a suicide that is
// allowed.
func (p *Position) tightLegal(at Point, empty *Bitboard) bool {
	rest := *empty
	rest.Remove(at)
	own := neighbours[at].And(&p.stones[p.side])
	if !own.Empty() && rulesets[p.ruleset].suicide {
		return true
	}
	for {
		next, ok := own.Pop()
		if !ok {
			break
		}
		if p.breathes(p.side, next, &rest) {
			return true
		}
	}
	for other := neighbours[at].And(&p.stones[p.side^1]); ; {
		next, ok := other.Pop()
		if !ok {
			return false
		}
		if !p.breathes(p.side^1, next, &rest) {
			return true
		}
	}
}
