package chess

import "kifu/games"

// constraints are the reasons for which pseudo-legal moves of the side to move are illegal,
// computed once per position instead of once per move.
type constraints struct {
	own, their Bitboard
	occ        Bitboard
	king       Square
	checkers   Bitboard
	evade      Bitboard // where a man other than the king may go: all squares, or those that end the check
	pinned     Bitboard // own men that may only move along their line to the king
}

// constrain sets c to the constraints of p. Like aim, it fills in the caller's struct: the copy of a returned one would wait until
// its fields are written.
func (p *Position) constrain(c *constraints) {
	us := p.side & 1
	c.occ = p.Occupied()
	c.own = c.occ & p.colour(us)
	c.their = c.occ ^ c.own
	c.king = p.King(us) & 63
	diagonal, straight := p.Diagonal()&c.their, p.Straight()&c.their
	c.checkers = pawnAttacks[us][c.king]&p.Pawns()&c.their | knightAttacks[c.king]&p.Knights()&c.their
	c.pinned = 0
	for snipers := bishopRays[c.king]&diagonal | rookRays[c.king]&straight; snipers != 0; snipers = snipers.Rest() {
		s := snipers.First()
		switch b := between[c.king][s&63] & c.occ; {
		case b == 0:
			c.checkers |= s.Bit()
		case b.Rest() == 0:
			c.pinned |= b & c.own
		}
	}
	c.evade = ^Bitboard(0)
	if c.checkers != 0 {
		c.evade = 0
		if c.checkers.Rest() == 0 {
			c.evade = c.checkers | between[c.king][c.checkers.First()&63]
		}
	}
}

// AppendMoves appends every legal move, in ascending order.
func (p Position) AppendMoves(dst []games.Move) []games.Move {
	var c constraints
	p.constrain(&c)
	dst = p.appendPawnMoves(dst, &c, ^Bitboard(0))
	dst = p.appendPieceMoves(dst, &c, c.evade&^c.own)
	dst = p.appendKingMoves(dst, &c, ^c.own)
	for b := p.castlingRooks(&c); b != 0; b = b.Rest() {
		dst = append(dst, newMove(King, flagCastle, c.king, b.First(), NoKind))
	}
	return dst
}

// CountMoves returns the number of legal moves of p.
func (Rules) CountMoves(p Position) int {
	var c constraints
	p.constrain(&c)
	var t pawnTargets
	p.aim(&c, &t)
	n := pawnMoves(t.single) + t.double.Count() + pawnMoves(t.west) + pawnMoves(t.east) + p.passing(&c).Count()
	targets := c.evade &^ c.own
	for b := p.Knights() & c.own &^ c.pinned; b != 0; b = b.Rest() {
		n += (knightAttacks[b.First()&63] & targets).Count()
	}
	for b := p.Diagonal() & c.own; b != 0; b = b.Rest() {
		from := b.First()
		n += c.alongPin(from, BishopAttacks(from, c.occ)&targets).Count()
	}
	for b := p.Straight() & c.own; b != 0; b = b.Rest() {
		from := b.First()
		n += c.alongPin(from, RookAttacks(from, c.occ)&targets).Count()
	}
	return n + p.safe(&c, kingAttacks[c.king&63]&^c.own).Count() + p.castlingRooks(&c).Count()
}

// pawnMoves is the number of moves to targets, with four to each square of promotion.
func pawnMoves(targets Bitboard) int { return targets.Count() + 3*(targets&(Rank1|Rank8)).Count() }

// pawnTargets are where pawns go, as far as the men in their way and the pins allow.
type pawnTargets struct {
	single, double, west, east Bitboard
	forward                    int // from a square to the one ahead: 8 or -8
}

// aim sets t to the targets of the pawns to move.
func (p *Position) aim(c *constraints, t *pawnTargets) {
	// A pinned pawn may move along its pin only: ahead on the king's file, or taking on
	// the one diagonal through the king.
	pawns := p.Pawns() & c.own
	free := pawns &^ c.pinned
	ahead := free | pawns&FileOf(c.king.File())
	rays := pawns & bishopRays[c.king]
	rising, falling := free, free // a pinned pawn's diagonal, as seen from White
	for r := rays & c.pinned; r != 0; r = r.Rest() {
		s := r.First()
		if (s.File() > c.king.File()) == (s > c.king) {
			rising |= s.Bit()
		} else {
			falling |= s.Bit()
		}
	}
	if p.side == White {
		t.forward = 8
		t.single = ahead.North() &^ c.occ
		t.double = (t.single & RankOf(2)).North() &^ c.occ
		t.west = falling.West().North() & c.their
		t.east = rising.East().North() & c.their
	} else {
		t.forward = -8
		t.single = ahead.South() &^ c.occ
		t.double = (t.single & RankOf(5)).South() &^ c.occ
		t.west = rising.West().South() & c.their
		t.east = falling.East().South() & c.their
	}
	t.single &= c.evade
	t.double &= c.evade
	t.west &= c.evade
	t.east &= c.evade
}

// appendPawnMoves appends the pawns' moves to the squares in targets.
func (p *Position) appendPawnMoves(dst []games.Move, c *constraints, targets Bitboard) []games.Move {
	var t pawnTargets
	p.aim(c, &t)
	dst = appendPawns(dst, t.single&targets, flagPlain, t.forward)
	for b := t.double & targets; b != 0; b = b.Rest() {
		to := b.First()
		dst = append(dst, newMove(Pawn, flagDouble, to-Square(2*t.forward), to, NoKind))
	}
	dst = appendPawns(dst, t.west&targets, flagTakeWest, t.forward-1)
	dst = appendPawns(dst, t.east&targets, flagTakeEast, t.forward+1)
	for b := p.passing(c); b != 0; b = b.Rest() {
		dst = append(dst, newMove(Pawn, flagPassing, b.First(), p.ep, NoKind))
	}
	return dst
}

// passing returns the pawns that may take en passant.
func (p *Position) passing(c *constraints) (pawns Bitboard) {
	if p.ep == 0 {
		return 0
	}
	for b := pawnAttacks[p.side&1^1][p.ep&63] & p.Pawns() & c.own; b != 0; b = b.Rest() {
		if p.passingLegal(b.First(), p.ep) {
			pawns |= b.First().Bit()
		}
	}
	return pawns
}

func appendPawns(dst []games.Move, targets Bitboard, flag, by int) []games.Move {
	for ; targets != 0; targets = targets.Rest() {
		to := targets.First()
		m := newMove(Pawn, flag, to-Square(by), to, NoKind)
		if to.Bit()&(Rank1|Rank8) == 0 {
			dst = append(dst, m)
			continue
		}
		dst = append(dst, m|games.Move(Knight), m|games.Move(Bishop), m|games.Move(Rook), m|games.Move(Queen))
	}
	return dst
}

// appendPieceMoves appends the moves of knights to queens to the squares in targets.
func (p *Position) appendPieceMoves(dst []games.Move, c *constraints, targets Bitboard) []games.Move {
	for b := p.Knights() & c.own &^ c.pinned; b != 0; b = b.Rest() {
		from := b.First()
		dst = appendTargets(dst, Knight, from, knightAttacks[from&63]&targets)
	}
	for b := p.Bishops() & c.own; b != 0; b = b.Rest() {
		from := b.First()
		dst = appendTargets(dst, Bishop, from, c.alongPin(from, BishopAttacks(from, c.occ)&targets))
	}
	for b := p.Rooks() & c.own; b != 0; b = b.Rest() {
		from := b.First()
		dst = appendTargets(dst, Rook, from, c.alongPin(from, RookAttacks(from, c.occ)&targets))
	}
	for b := p.Queens() & c.own; b != 0; b = b.Rest() {
		from := b.First()
		dst = appendTargets(dst, Queen, from, c.alongPin(from, QueenAttacks(from, c.occ)&targets))
	}
	return dst
}

// alongPin restricts the targets of a man on from to its pin, if it is pinned.
func (c *constraints) alongPin(from Square, targets Bitboard) Bitboard {
	if c.pinned.Has(from) {
		return targets & line[c.king&63][from&63]
	}
	return targets
}

func appendTargets(dst []games.Move, k Kind, from Square, targets Bitboard) []games.Move {
	base := newMove(k, flagPlain, from, 0, NoKind)
	for ; targets != 0; targets = targets.Rest() {
		dst = append(dst, base|games.Move(targets.First())<<toShift)
	}
	return dst
}

// appendKingMoves appends the king's moves, castling aside, to the squares in targets.
func (p *Position) appendKingMoves(dst []games.Move, c *constraints, targets Bitboard) []games.Move {
	return appendTargets(dst, King, c.king, p.safe(c, kingAttacks[c.king&63]&targets))
}

// safe returns the targets on which the king to move would not be attacked, the king's
// own square being empty.
func (p *Position) safe(c *constraints, targets Bitboard) Bitboard {
	if targets == 0 {
		return 0
	}
	them := p.side&1 ^ 1
	targets &^= PawnsAttack(them, p.Pawns()&c.their) | knightsAttack(p.Knights()&c.their)
	if targets == 0 {
		return 0
	}
	targets &^= kingAttacks[p.King(them)&63]
	diagonal, straight, occ := p.Diagonal()&c.their, p.Straight()&c.their, c.occ&^c.king.Bit()
	safe := targets
	for ; targets != 0; targets = targets.Rest() {
		s := targets.First()
		if bishopRays[s&63]&diagonal != 0 && BishopAttacks(s, occ)&diagonal != 0 ||
			rookRays[s&63]&straight != 0 && RookAttacks(s, occ)&straight != 0 {
			safe ^= s.Bit()
		}
	}
	return safe
}

// castlingRooks returns the rooks that the king may castle with.
func (p *Position) castlingRooks(c *constraints) (rooks Bitboard) {
	if c.checkers != 0 {
		return 0
	}
	for b := p.castle & backRank(p.side); b != 0; b = b.Rest() {
		if p.canCastle(c, b.First()) {
			rooks |= b.First().Bit()
		}
	}
	return rooks
}

// canCastle reports whether the side to move, not in check and with the right to do
// so, can castle with rook now.
func (p *Position) canCastle(c *constraints, rook Square) bool {
	kingTo, rookTo := castlingTargets(c.king, rook)
	walk := between[c.king&63][kingTo&63] | kingTo.Bit()
	others := c.occ &^ c.king.Bit() &^ rook.Bit()
	if others&(walk|between[rook&63][rookTo&63]|rookTo.Bit()) != 0 {
		return false
	}
	walk &^= c.king.Bit()
	if p.safe(c, walk) != walk {
		return false
	}
	// In Chess960 the rook may have shielded the king's target from its own rank.
	straight := p.Straight() & c.their
	return RookAttacks(kingTo, others|rookTo.Bit())&straight == 0
}
