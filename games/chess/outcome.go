package chess

import "kifu/games"

// CanMove reports whether the side to move has a legal move.
func (p *Position) CanMove() bool {
	var c constraints
	p.constrain(&c)
	if p.ep != 0 {
		return true
	}
	// The pawns first: nearly always one of them can move.
	var t pawnTargets
	if p.aim(&c, &t); t.single|t.double|t.west|t.east != 0 || p.safe(&c, kingAttacks[c.king]&^c.own) != 0 {
		return true
	}
	if c.evade == 0 {
		return false
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
	// In Chess960 castling can be the only move: the king may stay where it is.
	for rooks := p.castle & backRank(p.side); c.checkers == 0 && rooks != 0; rooks = rooks.Rest() {
		if p.canCastle(&c, rooks.First()) {
			return true
		}
	}
	return false
}

// Outcome returns the winner after checkmate and a draw after stalemate. All other ends of
// a game belong to the Replay.
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
