// Package shogi holds the rules of Shogi, with handicaps and problems.
//
// In go SFEN and moves in USI, CSA, Japanese notation (７六歩, 同銀右) and western letters
// (P-7f); out come positions, legal moves, texts, packed boards and condition columns.
// Position is a small value: Play returns a new one, and nothing allocates.
//
// Legal moves follow the rules: two pawns on a file, drops and moves of pieces
// that could never move again, and mate by a pawn drop are left out; not promoting is
// always a move of its own where a piece can move again. A side without a legal move
// has lost. Fourfold repetition and perpetual check need the game and are the Replay's;
// the declaration by 27 points ends no game here and is a column.
//
// The package does not evaluate or search. Rules: Japan Shogi Association, and Computer
// Shogi Association for the declaration.
package shogi

import (
	"math/bits"

	"kifu/games"
)

// Position is a position: the board in four planes, the bits of each square's Kind, with the
// squares of White's pieces, and the hands. That is 100 bytes, copied at every move, instead of
// 240 for a set per kind. A move changes the planes without branching on the kind.
//
// A side may be without a king, as the attacker is in problems. The zero Position is an empty
// board.
type Position struct {
	b0, b1, b2, b3 Bitboard // bits of the Kind on each square
	white          Bitboard // White's pieces
	hands          [2]Hand
	plies          uint16 // since the first move, by the SFEN's move number
	last           Square // where the last move went, plus 1; 0 when there was none
	side           games.Side
}

// ToMove is the side whose turn it is.
func (p Position) ToMove() games.Side { return p.side }

// Hash mixes board, hands and side to move. It is part of the datasets: it does not
// depend on the program's version and must never change.
//
// The words are multiplied in pairs to 128 bits and folded, as wyhash does; nothing has
// to be kept up to date while moving.
func (p Position) Hash() uint64 {
	h := fold(p.b0.Lo^hashKeys[0], p.b1.Lo^hashKeys[1]) +
		fold(p.b2.Lo^hashKeys[2], p.b3.Lo^hashKeys[3]) +
		fold(p.white.Lo^hashKeys[4], uint64(p.hands[Black])^hashKeys[5]) +
		fold(p.b0.Hi^p.b1.Hi<<20^p.b2.Hi<<40^hashKeys[6], p.b3.Hi^p.white.Hi<<20^uint64(p.side)<<40^hashKeys[7])
	return fold(h^uint64(p.hands[White])^hashKeys[0], hashKeys[5]^uint64(p.hands[White])<<32)
}

// hashKeys are the first outputs of SplitMix64 from seed 0x6b696675.
var hashKeys [8]uint64

func fillKeys() {
	z := uint64(0x6b696675) // "kifu"
	for i := range hashKeys {
		z += 0x9e3779b97f4a7c15
		hashKeys[i] = scramble(z)
	}
}

func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// The accessors below take a pointer so that inlining them copies nothing; call them
// on a local variable or parameter, which then stays on the stack.

// Occupied returns all pieces.
func (p *Position) Occupied() Bitboard {
	return Bitboard{p.b0.Lo | p.b1.Lo | p.b2.Lo | p.b3.Lo, p.b0.Hi | p.b1.Hi | p.b2.Hi | p.b3.Hi}
}

// Side returns the pieces of side.
func (p *Position) Side(side games.Side) Bitboard { return p.Occupied().And(p.colour(side)) }

// colour returns all squares on which a piece would be side's.
func (p *Position) colour(side games.Side) Bitboard {
	m := uint64(side) - 1
	return Bitboard{p.white.Lo ^ m, p.white.Hi ^ m}
}

// Kind returns the pieces of one kind, of both sides.
func (p *Position) Kind(k Kind) Bitboard {
	x0, x1, x2, x3 := uint64(k&1)-1, uint64(k>>1&1)-1, uint64(k>>2&1)-1, uint64(k>>3&1)-1
	return Bitboard{
		(p.b0.Lo ^ x0) & (p.b1.Lo ^ x1) & (p.b2.Lo ^ x2) & (p.b3.Lo ^ x3),
		(p.b0.Hi ^ x0) & (p.b1.Hi ^ x1) & (p.b2.Hi ^ x2) & (p.b3.Hi ^ x3),
	}
}

// Pawns returns the unpromoted pawns of both sides; so do the other sets by kind.
func (p *Position) Pawns() Bitboard { return p.b0.Without(p.b1.Or(p.b2).Or(p.b3)) }

// Lances: see Pawns.
func (p *Position) Lances() Bitboard { return p.b1.Without(p.b0.Or(p.b2).Or(p.b3)) }

// Knights: see Pawns.
func (p *Position) Knights() Bitboard { return p.b0.And(p.b1).Without(p.b2.Or(p.b3)) }

// Silvers: see Pawns.
func (p *Position) Silvers() Bitboard { return p.b2.Without(p.b0.Or(p.b1).Or(p.b3)) }

// Golds returns the pieces that move as golds.
func (p *Position) Golds() Bitboard {
	// Gold is 0111, the promoted small pieces 1001 to 1100.
	return Bitboard{
		p.b0.Lo&p.b1.Lo&p.b2.Lo&^p.b3.Lo | p.b3.Lo&((p.b0.Lo|p.b1.Lo)&^p.b2.Lo|p.b2.Lo&^(p.b0.Lo|p.b1.Lo)),
		p.b0.Hi&p.b1.Hi&p.b2.Hi&^p.b3.Hi | p.b3.Hi&((p.b0.Hi|p.b1.Hi)&^p.b2.Hi|p.b2.Hi&^(p.b0.Hi|p.b1.Hi)),
	}
}

// Kings: see Pawns.
func (p *Position) Kings() Bitboard { return p.b3.Without(p.b0.Or(p.b1).Or(p.b2)) }

// Diagonal returns bishops and horses.
func (p *Position) Diagonal() Bitboard { return p.b0.And(p.b2).Without(p.b1) }

// Straight returns rooks and dragons.
func (p *Position) Straight() Bitboard { return p.b1.And(p.b2).Without(p.b0) }

// round returns what attacks all neighbouring squares or, as horse and dragon, those
// that its line does not reach.
func (p *Position) round() Bitboard {
	return Bitboard{
		p.b3.Lo & (^(p.b0.Lo | p.b1.Lo | p.b2.Lo) | p.b2.Lo&(p.b0.Lo|p.b1.Lo)),
		p.b3.Hi & (^(p.b0.Hi | p.b1.Hi | p.b2.Hi) | p.b2.Hi&(p.b0.Hi|p.b1.Hi)),
	}
}

// King returns the square of side's king; NoSquare when it has none.
func (p *Position) King(side games.Side) Square {
	k := p.Kings().And(p.colour(side))
	if k.Empty() {
		return NoSquare
	}
	return k.First()
}

// KindAt returns the kind of the piece on s, NoKind on an empty square.
func (p *Position) KindAt(s Square) Kind {
	if s < lowSize {
		return Kind(p.b0.Lo>>s&1 | p.b1.Lo>>s&1<<1 | p.b2.Lo>>s&1<<2 | p.b3.Lo>>s&1<<3)
	}
	s = (s - lowSize) & 63
	return Kind(p.b0.Hi>>s&1 | p.b1.Hi>>s&1<<1 | p.b2.Hi>>s&1<<2 | p.b3.Hi>>s&1<<3)
}

// SideAt returns the side of the piece on s; Black on an empty square.
func (p *Position) SideAt(s Square) games.Side {
	if s < lowSize {
		return games.Side(p.white.Lo >> s & 1)
	}
	return games.Side(p.white.Hi >> ((s - lowSize) & 63) & 1)
}

// Differs returns the squares on which p and q have different pieces.
func (p *Position) Differs(q *Position) Bitboard {
	return p.b0.Xor(q.b0).Or(p.b1.Xor(q.b1)).Or(p.b2.Xor(q.b2)).Or(p.b3.Xor(q.b3)).Or(p.white.Xor(q.white))
}

// Hand returns the pieces that side has in hand.
func (p *Position) Hand(side games.Side) Hand { return p.hands[side&1] }

// LastTo returns where the last move went; NoSquare when none was played.
func (p *Position) LastTo() Square {
	if p.last == 0 {
		return NoSquare
	}
	return p.last - 1
}

// Attackers returns the pieces of side that attack s when occ is occupied.
func (p *Position) Attackers(side games.Side, s Square, occ Bitboard) Bitboard {
	a := p.neighbours(side, s)
	own := p.colour(side)
	for snipers := p.snipers(side, s, own); !snipers.Empty(); snipers = snipers.Rest() {
		if t := snipers.First(); !between(s, t).Meets(occ) {
			a = a.Or(t.Bit())
		}
	}
	return a.And(own).And(occ)
}

// neighbours returns the pieces, except the other side's, from which side
// attacks s without a line.
func (p *Position) neighbours(side games.Side, s Square) Bitboard {
	them := side&1 ^ 1
	return pawnAttacks[them][s&127].And(p.Pawns()).
		Or(knightAttacks[them][s&127].And(p.Knights())).
		Or(silverAttacks[them][s&127].And(p.Silvers())).
		Or(goldAttacks[them][s&127].And(p.Golds())).
		Or(kingAttacks[s&127].And(p.round()))
}

// snipers returns the pieces of side, within own, that would attack s along a
// line on an empty board.
func (p *Position) snipers(side games.Side, s Square, own Bitboard) Bitboard {
	return bishopRays[s&127].And(p.Diagonal()).
		Or(rookRays[s&127].And(p.Straight())).
		Or(ahead[side&1^1][s&127].And(p.Lances())).And(own)
}

// Pinned returns the pieces of side that are alone between its king and an enemy piece
// that attacks along their line.
func (p *Position) Pinned(side games.Side) Bitboard {
	var pinned Bitboard
	king := p.King(side)
	if king == NoSquare {
		return pinned
	}
	occ, own := p.Occupied(), p.colour(side)
	for snipers := p.snipers(side^1, king, p.colour(side^1)); !snipers.Empty(); snipers = snipers.Rest() {
		if b := between(king, snipers.First()).And(occ); !b.Empty() && b.One() {
			pinned = pinned.Or(b.And(own))
		}
	}
	return pinned
}

// Checkers returns the pieces that give check to the side to move.
func (p *Position) Checkers() Bitboard {
	king := p.King(p.side)
	if king == NoSquare {
		return Bitboard{}
	}
	return p.Attackers(p.side^1, king, p.Occupied())
}

// InCheck reports whether the side to move is in check.
func (p *Position) InCheck() bool { return !p.Checkers().Empty() }

// Outcome is a loss of the side to move when it has no legal move, in check or not.
func (p Position) Outcome() games.Outcome {
	if p.canMove() {
		return games.Undecided
	}
	return games.WinFor(p.side ^ 1)
}
