package shogi

import "kifu/games"

var _ games.Checker[Position] = Rules{}

// AppendChecks: see Position.AppendChecks.
func (Rules) AppendChecks(dst []games.Move, p Position) []games.Move { return p.AppendChecks(dst) }

// AppendChecks appends the legal moves that give check, in ascending order.
func (p *Position) AppendChecks(dst []games.Move) []games.Move { return p.appendChecks(dst, false) }

// checking is how the side to move may give check.
type checking struct {
	king Square // of the other side
	// from has the squares from which pieces, by kind, would attack the king.
	from [16]Bitboard
	// Discoverers are alone between the king and an own piece of long reach, so that they give
	// check wherever they leave the line; all others give check where they go, if at all.
	discoverers Bitboard
}

// appendChecks is AppendChecks, which may stop at the first kind of piece that gives check if any
// check will do.
func (p *Position) appendChecks(dst []games.Move, any bool) []games.Move {
	us := p.side & 1
	x := checking{king: p.King(us ^ 1)}
	if x.king == NoSquare {
		return dst
	}
	var c constraints
	p.constrain(&c)
	for snipers := p.snipers(us, x.king, c.own); !snipers.Empty(); snipers = snipers.Rest() {
		if b := between(x.king, snipers.First()).And(c.occ); !b.Empty() && b.One() {
			x.discoverers = x.discoverers.Or(b.And(c.own))
		}
	}
	c.movers = p.checkers(us, x.king).Or(x.discoverers).And(c.own)
	p.checkingSquares(us, &x, &c)
	base := len(dst)
	if !c.movers.Empty() {
		dst = p.appendBoardChecks(dst, &c, &x)
	}
	if any && len(dst) > base {
		return dst
	}
	return p.appendCheckingDrops(dst, &c, &x.from)
}

// appendBoardChecks appends the checks by c's movers and, if it discovers one, the king.
func (p *Position) appendBoardChecks(dst []games.Move, c *constraints, x *checking) []games.Move {
	us := p.side & 1
	last, lastTwo, none := stuck[us][0], stuck[us][1], Bitboard{}
	for b := p.Pawns().And(c.movers); !b.Empty(); b = b.Rest() {
		from := b.First()
		dst = p.appendChecksOf(dst, c, x, Pawn, from, pawnAttacks[us][from&127], last)
	}
	for b := p.Lances().And(c.movers); !b.Empty(); b = b.Rest() {
		from := b.First()
		dst = p.appendChecksOf(dst, c, x, Lance, from, lanceAttacks(us, from, c.occ), last)
	}
	for b := p.Knights().And(c.movers).Without(c.pinned); !b.Empty(); b = b.Rest() {
		from := b.First()
		dst = p.appendChecksOf(dst, c, x, Knight, from, knightAttacks[us][from&127], lastTwo)
	}
	for b := p.Silvers().And(c.movers); !b.Empty(); b = b.Rest() {
		from := b.First()
		dst = p.appendChecksOf(dst, c, x, Silver, from, silverAttacks[us][from&127], none)
	}
	diagonal, straight := p.Diagonal().And(c.movers), p.Straight().And(c.movers)
	for b := diagonal.Without(p.b3); !b.Empty(); b = b.Rest() {
		from := b.First()
		dst = p.appendChecksOf(dst, c, x, Bishop, from, bishopAttacks(from, c.occ), none)
	}
	for b := straight.Without(p.b3); !b.Empty(); b = b.Rest() {
		from := b.First()
		dst = p.appendChecksOf(dst, c, x, Rook, from, rookAttacks(from, c.occ), none)
	}
	for b := p.Golds().And(c.movers); !b.Empty(); b = b.Rest() {
		from := b.First()
		dst = p.appendChecksOf(dst, c, x, Gold, from, goldAttacks[us][from&127], none)
	}
	if c.king != NoSquare && x.discoverers.Has(c.king) {
		dst = appendPlain(dst, kingClass<<classShift|games.Move(c.king)<<fromShift, p.kingTargets(c, x.off(c.king)))
	}
	for b := diagonal.And(p.b3); !b.Empty(); b = b.Rest() {
		from := b.First()
		dst = p.appendChecksOf(dst, c, x, Horse, from, horseAttacks(from, c.occ), none)
	}
	for b := straight.And(p.b3); !b.Empty(); b = b.Rest() {
		from := b.First()
		dst = p.appendChecksOf(dst, c, x, Dragon, from, dragonAttacks(from, c.occ), none)
	}
	return dst
}

// off returns where a piece on from discovers a check by going.
func (x *checking) off(from Square) Bitboard {
	if !x.discoverers.Has(from) {
		return Bitboard{}
	}
	return full().Without(lineThrough(x.king, from))
}

// appendChecksOf appends the checks by a piece of kind k, a king aside, that reaches those squares;
// must is where it has to promote.
func (p *Position) appendChecksOf(dst []games.Move, c *constraints, x *checking, k Kind, from Square, reach, must Bitboard) []games.Move {
	reach = reach.And(c.goal)
	off := x.off(from)
	plain, promoting := reach.And(x.from[k&15].Or(off)).Without(must), Bitboard{}
	if k.CanPromote() {
		promoting = reach.And(x.from[(k+Promoted)&15].Or(off))
		if zone := zones[p.side&1]; !zone.Has(from) {
			promoting = promoting.And(zone)
		}
	}
	plain, promoting = c.alongPin(from, plain), c.alongPin(from, promoting)
	base := games.Move(k)<<classShift | games.Move(from)<<fromShift
	for b := plain.Or(promoting); !b.Empty(); b = b.Rest() {
		to := b.First()
		if plain.Has(to) {
			dst = append(dst, base|games.Move(to)<<toShift)
		}
		if promoting.Has(to) {
			dst = append(dst, base|games.Move(to)<<toShift|1)
		}
	}
	return dst
}

// checkZones are the squares from which a piece gives check in one move, promoting or not, on
// an empty board: of the kinds that do not slide far, gold-like pieces under Gold, by side and
// the king's square.
var checkZones [Gold + 1][2][128]Bitboard

func fillZones() {
	for _, k := range []Kind{Pawn, Lance, Knight, Silver, Gold} {
		for side := Black; side <= White; side++ {
			for s := Square(0); s < NoSquare; s++ {
				fillZone(k, side, s)
			}
		}
	}
}

func fillZone(k Kind, side games.Side, s Square) {
	for to := Attacks(k, side, s, Bitboard{}); !to.Empty(); to = to.Rest() {
		t := to.First()
		reach := Attacks(k, side, t, Bitboard{})
		if k.CanPromote() && zones[side].Meets(s.Bit().Or(t.Bit())) {
			reach = reach.Or(goldAttacks[side][t])
		}
		for ; !reach.Empty(); reach = reach.Rest() {
			zone := &checkZones[k][side][reach.First()]
			*zone = zone.Or(s.Bit())
		}
	}
}

// checkers returns pieces of both sides. Among them are all pieces of side that may give check
// to a king by moving, except for discovered checks.
func (p *Position) checkers(side games.Side, king Square) Bitboard {
	king &= 127
	return p.Diagonal().Or(p.Straight()).
		Or(checkZones[Pawn][side&1][king].And(p.Pawns())).
		Or(checkZones[Lance][side&1][king].And(p.Lances())).
		Or(checkZones[Knight][side&1][king].And(p.Knights())).
		Or(checkZones[Silver][side&1][king].And(p.Silvers())).
		Or(checkZones[Gold][side&1][king].And(p.Golds()))
}

// checkingSquares sets from where pieces of side, by kind, would attack the king. Lines that
// neither c's movers nor the hand could use are left out.
func (p *Position) checkingSquares(side games.Side, x *checking, c *constraints) {
	them, hand := side&1^1, p.hands[side&1]
	king, from := x.king, &x.from
	k := king & 127
	from[Pawn] = pawnAttacks[them][k]
	from[Knight] = knightAttacks[them][k]
	from[Silver] = silverAttacks[them][k]
	from[Gold] = goldAttacks[them][k]
	if hand.Count(Lance) > 0 || p.Lances().Meets(c.movers) {
		from[Lance] = lanceAttacks(them, king, c.occ)
	}
	if hand.Count(Bishop) > 0 || p.Diagonal().Meets(c.movers) {
		from[Bishop] = bishopAttacks(king, c.occ)
	}
	if hand.Count(Rook) > 0 || p.Straight().Meets(c.movers) {
		from[Rook] = rookAttacks(king, c.occ)
	}
	for k := Tokin; k <= PromotedSilver; k++ {
		from[k] = from[Gold]
	}
	from[Horse] = from[Bishop].Or(kingAttacks[k])
	from[Dragon] = from[Rook].Or(kingAttacks[k])
}

func (p *Position) appendCheckingDrops(dst []games.Move, c *constraints, from *[16]Bitboard) []games.Move {
	us := p.side & 1
	hand, empty := p.hands[us], c.evade.Without(c.occ)
	if hand == 0 || empty.Empty() {
		return dst
	}
	for k := Pawn; k <= Gold; k++ {
		if hand.Count(k) == 0 {
			continue
		}
		squares := empty.And(from[k])
		switch k {
		case Pawn:
			squares = p.pawnDrops(c, squares)
		case Lance:
			squares = squares.Without(stuck[us][0])
		case Knight:
			squares = squares.Without(stuck[us][1])
		}
		dst = appendPlain(dst, (dropClass+games.Move(k))<<classShift, squares)
	}
	return dst
}

// HasCheck reports whether some legal move of p gives check.
func (Rules) HasCheck(p Position) bool {
	us := p.side & 1
	king, own := p.King(us^1), p.King(us)
	if king == NoSquare {
		return false
	}
	occ := p.Occupied()
	if (own == NoSquare || p.Attackers(us^1, own, occ).Empty()) && p.hasCheckingDrop(king, full().Without(occ)) {
		return true
	}
	var moves [64]games.Move
	return len(p.appendChecks(moves[:0], true)) > 0
}

// hasCheckingDrop reports whether a piece in hand, pawns aside, gives check from a square among
// empty next to the king or a knight's move away.
func (p *Position) hasCheckingDrop(king Square, empty Bitboard) bool {
	us, k := p.side&1, king&127
	hand := p.hands[us]
	if hand == 0 {
		return false
	}
	return hand.Count(Gold) > 0 && goldAttacks[us^1][k].Meets(empty) ||
		hand.Count(Silver) > 0 && silverAttacks[us^1][k].Meets(empty) ||
		hand.Count(Knight) > 0 && knightAttacks[us^1][k].And(empty).Meets(full().Without(stuck[us][1])) ||
		hand.Count(Rook) > 0 && rookRays[k].And(kingAttacks[k]).Meets(empty) ||
		hand.Count(Bishop) > 0 && bishopRays[k].And(kingAttacks[k]).Meets(empty) ||
		hand.Count(Lance) > 0 && pawnAttacks[us^1][k].And(empty).Meets(full().Without(stuck[us][0]))
}

// Answers returns the number of answers to the check that the side to move is in: drops on one
// square are counted once, promotions not at all.
func (Rules) Answers(p Position) int {
	var c constraints
	p.constrain(&c)
	n := p.kingTargets(&c, full()).Count()
	if c.evade.Empty() {
		return n
	}
	free := c.own.Without(c.pinned).Without(c.king.Bit())
	for b := c.evade; !b.Empty(); b = b.Rest() {
		n += c.kinds.attackers(p.side^1, b.First(), free, c.occ).Count()
	}
	return n + p.dropSquares(c.evade.Without(c.occ)).Count()
}

// dropSquares returns the squares among empty on which the side to move may drop some piece,
// but that mate by a pawn drop is not looked at.
func (p *Position) dropSquares(empty Bitboard) Bitboard {
	us := p.side & 1
	hand := p.hands[us]
	if empty.Empty() || hand>>handShift[Silver] != 0 {
		return empty
	}
	var squares Bitboard
	if hand.Count(Pawn) > 0 {
		squares = empty.Without(p.Pawns().And(p.colour(us)).files()).Without(stuck[us][0])
	}
	if hand.Count(Lance) > 0 {
		squares = squares.Or(empty.Without(stuck[us][0]))
	}
	if hand.Count(Knight) > 0 {
		squares = squares.Or(empty.Without(stuck[us][1]))
	}
	return squares
}

// Held returns the position without the hands, as a hash, and the hand of side, with a free
// bit above each count.
func (Rules) Held(p Position, side games.Side) (board uint64, hand uint32) {
	board = fold(p.b0.Lo^hashKeys[0], p.b1.Lo^hashKeys[1]) +
		fold(p.b2.Lo^hashKeys[2], p.b3.Lo^hashKeys[3]) +
		fold(p.white.Lo^hashKeys[4], uint64(p.side)^hashKeys[5]) +
		fold(p.b0.Hi^p.b1.Hi<<20^p.b2.Hi<<40^hashKeys[6], p.b3.Hi^p.white.Hi<<20^hashKeys[7])
	return fold(board^hashKeys[1], hashKeys[2]), spread(uint32(p.hands[side&1]))
}

// spread leaves a bit free above each count of a hand.
func spread(h uint32) uint32 {
	return h&0x1f | h&(7<<5)<<1 | h&(7<<8)<<2 | h&(7<<11)<<3 | h&(3<<14)<<4 | h&(3<<16)<<5 | h&(7<<18)<<6
}

// Guard returns the bits that Held leaves free.
func (Rules) Guard() uint32 { return 1<<5 | 1<<9 | 1<<13 | 1<<17 | 1<<20 | 1<<23 | 1<<27 }

// Block returns the square of a drop, from 1.
func (Rules) Block(m games.Move) uint8 {
	if IsDrop(m) {
		return uint8(To(m)) + 1
	}
	return 0
}

// GiveBack returns the position after m, which follows drop, if m takes the piece dropped, with
// that piece in the hand that it came from.
func (Rules) GiveBack(p Position, drop, m games.Move) (next Position, ok bool) {
	if IsDrop(m) || To(m) != To(drop) {
		return p, false
	}
	us, k := p.side&1, one(Dropped(drop))
	next = p.Play(m)
	next.hands[us] -= k
	next.hands[us^1] += k
	return next, true
}
