package chess

import "kifu/games"

// Play returns the position after m, which must be legal.
func (p Position) Play(m games.Move) Position {
	from, to := From(m), To(m)
	kind, us := KindOf(m), p.side&1
	h := p.hash ^ blackToMove
	if p.ep != 0 {
		h ^= epKeys[p.ep&7]
		p.ep = 0
	}
	p.plies++
	p.clock++
	p.side = us ^ 1
	flag := flagOf(m)
	if flag == flagCastle {
		p.hash = h
		p.doCastle(from, to)
		return p
	}

	place := kind
	if promo := Promotion(m); promo != NoKind {
		place = promo
	}
	taken := p.KindAt(to)
	touched := from.Bit() | to.Bit()
	p.b0 = p.b0&^touched | Bitboard(place&1)<<(to&63)
	p.b1 = p.b1&^touched | Bitboard(place>>1&1)<<(to&63)
	p.b2 = p.b2&^touched | Bitboard(place>>2&1)<<(to&63)
	p.second = p.second&^touched | Bitboard(us)<<(to&63)
	// The key of NoKind is zero, so a quiet move needs no branch.
	p.hash = h ^ *manKey(us, kind, from) ^ *manKey(us, place, to) ^ *manKey(us^1, taken, to)

	if kind == King {
		touched |= backRank(us)
	}
	if p.castle&touched != 0 {
		p.loseCastling(touched)
	}
	if kind == Pawn || taken != NoKind {
		p.clock = 0
		switch flag {
		case flagDouble:
			if b := to.Bit(); (b.East()|b.West())&p.Pawns()&p.colour(us^1) != 0 {
				p.offerPassing((from + to) / 2)
			}
		case flagPassing:
			p.toggle(us^1, Pawn, to^8)
		}
	}
	return p
}

// doCastle moves the king on from and the rook on rook to where castling puts them;
// side, counters and en passant are already those after the move.
func (p *Position) doCastle(from, rook Square) {
	us := p.side ^ 1
	king, place := castlingTargets(from, rook)
	p.toggle(us, King, from)
	p.toggle(us, Rook, rook)
	p.toggle(us, King, king)
	p.toggle(us, Rook, place)
	p.loseCastling(backRank(us))
}

// castlingTargets returns the squares of king and rook after castling.
func castlingTargets(king, rook Square) (kingTo, rookTo Square) {
	if rook > king {
		return king&56 | 6, king&56 | 5
	}
	return king&56 | 2, king&56 | 3
}

// loseCastling takes the castling rights of the rooks in set.
func (p *Position) loseCastling(set Bitboard) {
	lost := p.castle & set
	p.castle ^= lost
	for ; lost != 0; lost = lost.Rest() {
		p.hash ^= castleKeys[lost.First()&63]
	}
}

// offerPassing sets the en passant square if one of the side to move's pawns can
// legally take there.
func (p *Position) offerPassing(s Square) {
	takers := pawnAttacks[p.side&1^1][s&63] & p.Pawns() & p.colour(p.side)
	for ; takers != 0; takers = takers.Rest() {
		if p.passingLegal(takers.First(), s) {
			p.ep = s
			p.hash ^= epKeys[s&7]
			return
		}
	}
}

// passingLegal reports whether the side to move's pawn on from, taking in passing on
// to, leaves its king safe.
func (p *Position) passingLegal(from, to Square) bool {
	taken := (to ^ 8).Bit()
	occ := p.Occupied() ^ from.Bit() ^ taken | to.Bit()
	return p.Attackers(p.King(p.side), occ)&p.colour(p.side^1)&^taken == 0
}

// toggle puts a man on an empty square or takes it from there.
func (p *Position) toggle(side games.Side, k Kind, s Square) {
	p.b0 ^= Bitboard(k&1) << (s & 63)
	p.b1 ^= Bitboard(k>>1&1) << (s & 63)
	p.b2 ^= Bitboard(k>>2&1) << (s & 63)
	p.second ^= Bitboard(side) << (s & 63)
	p.hash ^= *manKey(side, k, s)
}

// colour returns a mask: all squares on which a man would be side's.
func (p *Position) colour(side games.Side) Bitboard { return p.second ^ (Bitboard(side) - 1) }

// backRank returns side's first rank.
func backRank(side games.Side) Bitboard { return Rank1 << (side & 1 * 56) }
