// Package chess holds the rules of chess and Chess960.
//
// In go FENs (plain, X-FEN, Shredder-FEN), moves in SAN, long algebraic and UCI; out come
// positions, legal moves, texts, packed boards and condition columns. Position is a small
// value: Play returns a new one, and nothing allocates. The package also exports what an
// evaluator needs: sets of men, attack sets, checkers, static exchange values. Repetition,
// the fifty-move rule and dead positions belong to the Replay.
//
// The package plays no other variant and does not evaluate or search.
package chess

import "kifu/games"

// Position is a chess position with everything that determines its legal moves, its hash and
// the two counters of a FEN.
//
// Men are held in four planes: the three bits of each square's Kind and the colour. That is 32
// bytes, copied at every move, instead of 64 for a set per kind and side. A move changes the
// planes without branching on the kind, and a set of one kind costs two operations.
//
// It is 64 bytes long, since copies go by sixteen bytes. With 56 the last two would overlap,
// and a read right after the copy would wait for both.
//
// The zero Position is an empty board, useful only to be assigned to.
type Position struct {
	b0, b1, b2 Bitboard // bits of the Kind on each square
	second     Bitboard // Black's men
	castle     Bitboard // rooks that may still castle, of either side
	hash       uint64
	plies      uint16 // since White's first move, by the FEN's move number
	clock      uint16 // plies since the last capture or pawn move
	ep         Square // behind a pawn that can be taken in passing; else 0
	side       games.Side
	_          uint64 // see above
}

// ToMove returns the side whose turn it is.
func (p Position) ToMove() games.Side { return p.side }

// Hash returns the Zobrist key of men, side to move, castling rights, and of the en passant
// square when such a capture is legal. It does not depend on the program's version.
func (p Position) Hash() uint64 { return p.hash }

// The accessors below take a pointer so that inlining them copies nothing; call them
// on a local variable or parameter, which then stays on the stack.

// Occupied returns all men.
func (p *Position) Occupied() Bitboard { return p.b0 | p.b1 | p.b2 }

// Side returns the men of side.
func (p *Position) Side(side games.Side) Bitboard {
	return p.Occupied() & (p.second ^ (Bitboard(side) - 1))
}

// Pawns returns the pawns of both sides; likewise the other sets by kind.
func (p *Position) Pawns() Bitboard { return p.b0 &^ (p.b1 | p.b2) }

// Knights: see Pawns.
func (p *Position) Knights() Bitboard { return p.b1 &^ (p.b0 | p.b2) }

// Bishops: see Pawns.
func (p *Position) Bishops() Bitboard { return p.b0 & p.b1 }

// Rooks: see Pawns.
func (p *Position) Rooks() Bitboard { return p.b2 &^ (p.b0 | p.b1) }

// Queens: see Pawns.
func (p *Position) Queens() Bitboard { return p.b0 & p.b2 }

// Kings: see Pawns.
func (p *Position) Kings() Bitboard { return p.b1 & p.b2 }

// Diagonal returns the bishops and queens of both sides.
func (p *Position) Diagonal() Bitboard { return p.b0 & (p.b1 | p.b2) }

// Straight returns the rooks and queens of both sides.
func (p *Position) Straight() Bitboard { return p.b2 &^ p.b1 }

// Kind returns the men of one kind, of both sides.
func (p *Position) Kind(k Kind) Bitboard {
	// A square belongs when each of its bits equals k's.
	x0, x1, x2 := Bitboard(k&1)-1, Bitboard(k>>1&1)-1, Bitboard(k>>2&1)-1
	return (p.b0 ^ x0) & (p.b1 ^ x1) & (p.b2 ^ x2)
}

// King returns the square of side's king.
func (p *Position) King(side games.Side) Square {
	return (p.Kings() & (p.second ^ (Bitboard(side) - 1))).First()
}

// KindAt returns the kind of the man on s, NoKind on an empty square.
func (p *Position) KindAt(s Square) Kind {
	s &= 63
	return Kind(p.b0>>s&1 | p.b1>>s&1<<1 | p.b2>>s&1<<2)
}

// SideAt returns the side of the man on s; White on an empty square.
func (p *Position) SideAt(s Square) games.Side { return games.Side(p.second >> (s & 63) & 1) }

// CastlingRooks returns the rooks with which a side may still castle.
func (p *Position) CastlingRooks() Bitboard { return p.castle }

// EnPassant returns the square behind a pawn that can legally be taken in passing now,
// NoSquare without one.
func (p *Position) EnPassant() Square {
	if p.ep == 0 {
		return NoSquare
	}
	return p.ep
}

// HalfmoveClock returns the number of plies since the last capture or pawn move.
func (p *Position) HalfmoveClock() int { return int(p.clock) }

// Attackers returns the men of both sides that attack s when occ is occupied.
func (p *Position) Attackers(s Square, occ Bitboard) Bitboard {
	pawns := p.Pawns()
	return pawnAttacks[White][s&63]&pawns&p.second |
		pawnAttacks[Black][s&63]&pawns&^p.second |
		knightAttacks[s&63]&p.Knights() |
		kingAttacks[s&63]&p.Kings() |
		BishopAttacks(s, occ)&p.Diagonal() |
		RookAttacks(s, occ)&p.Straight()
}

// Checkers returns the men that give check to the side to move.
func (p *Position) Checkers() Bitboard {
	king := p.King(p.side)
	return p.Attackers(king, p.Occupied()) & p.Side(p.side^1)
}

// InCheck reports whether the side to move is in check.
func (p *Position) InCheck() bool { return p.attacked(p.side) }

// attacked reports whether side's king is attacked by a man other than a king.
func (p *Position) attacked(side games.Side) bool {
	king, occ := p.King(side)&63, p.Occupied()
	their := p.Side(side ^ 1)
	if (pawnAttacks[side&1][king]&p.Pawns()|knightAttacks[king]&p.Knights())&their != 0 {
		return true
	}
	// Few sliders are on the king's lines: cheaper than two sets of attacks.
	snipers := (bishopRays[king]&p.Diagonal() | rookRays[king]&p.Straight()) & their
	for ; snipers != 0; snipers = snipers.Rest() {
		if between[king][snipers.First()&63]&occ == 0 {
			return true
		}
	}
	return false
}

// AttacksFrom returns the squares that the man on s attacks when occ is occupied, none for an
// empty square.
func (p *Position) AttacksFrom(s Square, occ Bitboard) Bitboard {
	switch p.KindAt(s) {
	case Pawn:
		return PawnAttacks(p.SideAt(s), s)
	case Knight:
		return KnightAttacks(s)
	case Bishop:
		return BishopAttacks(s, occ)
	case Rook:
		return RookAttacks(s, occ)
	case Queen:
		return QueenAttacks(s, occ)
	case King:
		return KingAttacks(s)
	}
	return 0
}

// Pinned returns the men of side that may only move on their line to their king.
func (p *Position) Pinned(side games.Side) Bitboard {
	king, occ, their := p.King(side)&63, p.Occupied(), p.Side(side^1)
	var pinned Bitboard
	snipers := (bishopRays[king]&p.Diagonal() | rookRays[king]&p.Straight()) & their
	for ; snipers != 0; snipers = snipers.Rest() {
		if b := between[king][snipers.First()&63] & occ; b != 0 && b.Rest() == 0 {
			pinned |= b &^ their
		}
	}
	return pinned
}
