package chess

import "kifu/games"

// CanMove reports whether the side to move has a legal move.
func (p *Position) CanMove() bool {
	c := p.constraints()
	if p.ep != 0 || p.safe(&c, kingAttacks[c.king]&^c.own) != 0 {
		return true
	}
	if c.evade == 0 {
		return false
	}
	if t := p.pawnTargets(&c); t.single|t.double|t.west|t.east != 0 {
		return true
	}
	targets := c.evade &^ c.own
	for b := p.Knights() & c.own &^ c.pinned; b != 0; b = b.Rest() {
		if knightAttacks[b.First()&63]&targets != 0 {
			return true
		}
	}
	for b := p.Diagonal() & c.own; b != 0; b = b.Rest() {
		if s := b.First(); c.alongPin(s, BishopAttacks(s, c.occ)&targets) != 0 {
			return true
		}
	}
	for b := p.Straight() & c.own; b != 0; b = b.Rest() {
		if s := b.First(); c.alongPin(s, RookAttacks(s, c.occ)&targets) != 0 {
			return true
		}
	}
	// In Chess960 castling can be the only move: the king may stay where he is.
	for rooks := p.castle & backRank(p.side); c.checkers == 0 && rooks != 0; rooks = rooks.Rest() {
		if p.canCastle(&c, rooks.First()) {
			return true
		}
	}
	return false
}

// Outcome is the winner after checkmate and a draw after stalemate. All other ends of
// a game are the Replay's.
func (p Position) Outcome() games.Outcome {
	if p.CanMove() {
		return games.Undecided
	}
	if p.InCheck() {
		return games.WinFor(p.side ^ 1)
	}
	return games.Drawn
}

// InsufficientMaterial reports whether neither side can ever mate: bare kings, one
// minor piece, or bishops on squares of one colour only. Other dead positions (blocked
// ones) are not recognised.
func (p *Position) InsufficientMaterial() bool {
	if p.Pawns()|p.Straight() != 0 {
		return false
	}
	minor := p.Knights() | p.Bishops()
	if minor.Rest() == 0 {
		return true
	}
	return p.Knights() == 0 && (minor&DarkSquares == 0 || minor&^DarkSquares == 0)
}

// replay follows a game. seen are the hashes of the positions since the last move that
// cannot be undone, the present one last.
type replay struct {
	now  Position
	seen []uint64
}

func (r *replay) Reset(p Position) {
	r.now = p
	r.seen = append(r.seen[:0], p.hash)
}

func (r *replay) Play(m games.Move) {
	r.now = r.now.Play(m)
	if r.now.clock == 0 {
		r.seen = r.seen[:0]
	}
	r.seen = append(r.seen, r.now.hash)
}

func (r *replay) Position() Position { return r.now }

// Outcome gives checkmate and stalemate before the draws.
func (r *replay) Outcome() (games.Outcome, string) {
	switch o := r.now.Outcome(); {
	case o == games.Drawn:
		return o, "stalemate"
	case o != games.Undecided:
		return o, "checkmate"
	case r.now.InsufficientMaterial():
		return games.Drawn, "insufficient material"
	case r.repeated(3):
		return games.Drawn, "threefold repetition"
	case r.now.clock >= 100:
		return games.Drawn, "fifty moves"
	}
	return games.Undecided, ""
}

// repeated reports whether the present position has stood on the board times times.
func (r *replay) repeated(times int) bool {
	n := 0
	for i := len(r.seen) - 1; i >= 0; i -= 2 {
		if r.seen[i] == r.now.hash {
			n++
		}
	}
	return n >= times
}
