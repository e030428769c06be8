package shogi

import (
	"math/bits"

	"kifu/games"
)

// constraints keep pseudo-legal moves of the side to move from being legal,
// worked out once a position instead of once a move.
type constraints struct {
	own, their Bitboard
	kinds      kinds // of all pieces, if the side to move has a king
	occ        Bitboard
	king       Square // of the side to move; NoSquare when it has none
	checkers   Bitboard
	goal       Bitboard // where a piece other than the king may go
	evade      Bitboard // the whole board, or the squares that end a check
	pinned     Bitboard // own pieces that may only move along their line to the king
	movers     Bitboard // own pieces whose moves are wanted, without the king
}

// constrain sets c, which must be zero.
func (p *Position) constrain(c *constraints) {
	c.occ = p.Occupied()
	c.own = c.occ.And(p.colour(p.side))
	c.their = c.occ.Xor(c.own)
	c.evade = full()
	c.king = p.King(p.side)
	if c.king != NoSquare {
		c.kinds.set(p)
		p.checksAndPins(c)
	}
	c.goal = c.evade.Without(c.own)
	c.movers = c.own
}

func (p *Position) checksAndPins(c *constraints) {
	us, king := p.side&1, c.king&127
	c.checkers = c.kinds.near(us, king).And(c.their)
	for snipers := c.kinds.snipers(us, king).And(c.their); !snipers.Empty(); snipers = snipers.Rest() {
		s := snipers.First()
		switch b := between(king, s).And(c.occ); {
		case b.Empty():
			c.checkers = c.checkers.Or(s.Bit())
		case b.One():
			c.pinned = c.pinned.Or(b.And(c.own))
		}
	}
	if c.checkers.Empty() {
		return
	}
	c.evade = Bitboard{}
	if c.checkers.One() {
		s := c.checkers.First()
		c.evade = c.checkers
		// A knight's check is on no line, a neighbour's has nothing between.
		if directionOf[king][s&127] != noDirection {
			c.evade = c.evade.Or(between(king, s))
		}
	}
}

// zones are the ranks in which a side's pieces promote.
var zones = [2]Bitboard{
	{(1 | 2 | 4) * lowRank, (1 | 2 | 4) * highRank},
	{(1 | 2 | 4) * lowRank << 6, (1 | 2 | 4) * highRank << 6},
}

// stuck are the ranks on which a side's unpromoted pieces could never move again: pawns
// and lances on the first set, knights on the second.
var stuck = [2][2]Bitboard{
	{{lowRank, highRank}, {3 * lowRank, 3 * highRank}},
	{{lowRank << 8, highRank << 8}, {3 * lowRank << 7, 3 * highRank << 7}},
}

// AppendMoves appends every legal move, in ascending order.
func (p Position) AppendMoves(dst []games.Move) []games.Move {
	var c constraints
	p.constrain(&c)
	if !c.checkers.Empty() {
		c.movers = p.evaders(&c)
	}
	dst = p.appendBoardMoves(dst, &c, c.goal, full())
	if p.hands[p.side&1] != 0 {
		dst = p.appendDrops(dst, &c)
	}
	return dst
}

// evaders returns pieces of the side to move, which is in check. Among them are all that may
// end the check by moving into its line or taking the checker.
func (p *Position) evaders(c *constraints) Bitboard {
	var set Bitboard
	b := c.evade
	for range 2 {
		if b.Empty() {
			return set.Without(c.pinned)
		}
		set = set.Or(p.Attackers(p.side, b.First(), c.occ))
		b = b.Rest()
	}
	if b.Empty() {
		return set.Without(c.pinned)
	}
	return c.own.Without(c.pinned) // to try all pieces costs less than more squares
}

// appendBoardMoves appends the moves of c's movers to squares in goal, the king's to
// squares in royal.
func (p *Position) appendBoardMoves(dst []games.Move, c *constraints, goal, royal Bitboard) []games.Move {
	us := p.side & 1
	dst = p.appendPawnMoves(dst, c, goal)
	last, lastTwo, none := stuck[us][0], stuck[us][1], Bitboard{}
	for b := p.Lances().And(c.movers); !b.Empty(); b = b.Rest() {
		from := b.First()
		dst = p.appendTargets(dst, games.Move(Lance), from, c.alongPin(from, lanceAttacks(us, from, c.occ).And(goal)), last)
	}
	for b := p.Knights().And(c.movers).Without(c.pinned); !b.Empty(); b = b.Rest() {
		from := b.First()
		dst = p.appendTargets(dst, games.Move(Knight), from, knightAttacks[us][from&127].And(goal), lastTwo)
	}
	for b := p.Silvers().And(c.movers); !b.Empty(); b = b.Rest() {
		from := b.First()
		dst = p.appendTargets(dst, games.Move(Silver), from, c.alongPin(from, silverAttacks[us][from&127].And(goal)), none)
	}
	diagonal, straight := p.Diagonal().And(c.movers), p.Straight().And(c.movers)
	for b := diagonal.Without(p.b3); !b.Empty(); b = b.Rest() {
		from := b.First()
		dst = p.appendTargets(dst, games.Move(Bishop), from, c.alongPin(from, bishopAttacks(from, c.occ).And(goal)), none)
	}
	for b := straight.Without(p.b3); !b.Empty(); b = b.Rest() {
		from := b.First()
		dst = p.appendTargets(dst, games.Move(Rook), from, c.alongPin(from, rookAttacks(from, c.occ).And(goal)), none)
	}
	for b := p.Golds().And(c.movers); !b.Empty(); b = b.Rest() {
		from := b.First()
		dst = appendPlain(dst, goldClass<<classShift|games.Move(from)<<fromShift, c.alongPin(from, goldAttacks[us][from&127].And(goal)))
	}
	if c.king != NoSquare && !royal.Empty() {
		dst = appendPlain(dst, kingClass<<classShift|games.Move(c.king)<<fromShift, p.kingTargets(c, royal))
	}
	for b := diagonal.And(p.b3); !b.Empty(); b = b.Rest() {
		from := b.First()
		dst = appendPlain(dst, horseClass<<classShift|games.Move(from)<<fromShift, c.alongPin(from, horseAttacks(from, c.occ).And(goal)))
	}
	for b := straight.And(p.b3); !b.Empty(); b = b.Rest() {
		from := b.First()
		dst = appendPlain(dst, dragonClass<<classShift|games.Move(from)<<fromShift, c.alongPin(from, dragonAttacks(from, c.occ).And(goal)))
	}
	return dst
}

// pawnTargets returns where pawns go, and the distance from there back.
func (p *Position) pawnTargets(c *constraints) (targets Bitboard, back int) {
	pawns := p.Pawns().And(c.movers).Without(stuck[p.side&1][0])
	if pinned := pawns.And(c.pinned); !pinned.Empty() {
		// A pinned pawn moves on the king's file only.
		pawns = pawns.Without(pinned.Without(FileOf(c.king.File())))
	}
	if p.side == Black {
		return pawns.up(), 1
	}
	return pawns.down(), -1
}

func (p *Position) appendPawnMoves(dst []games.Move, c *constraints, goal Bitboard) []games.Move {
	targets, back := p.pawnTargets(c)
	targets = targets.And(goal)
	// Source and target are neighbours: one counts with the other.
	base := games.Move(Pawn)<<classShift + games.Move(back)<<fromShift
	zone, last := zones[p.side&1], stuck[p.side&1][0]
	dst = appendPawns(dst, base, targets.Lo, zone.Lo, last.Lo)
	return appendPawns(dst, base+lowSize<<toShift+lowSize<<fromShift, targets.Hi, zone.Hi, last.Hi)
}

// appendPawns is appendPromoting with a source that goes with the target.
func appendPawns(dst []games.Move, base games.Move, targets, zone, must uint64) []games.Move {
	for ; targets != 0; targets &= targets - 1 {
		to := bits.TrailingZeros64(targets) & 63
		m := base + games.Move(to)*(1<<toShift|1<<fromShift)
		if must>>to&1 == 0 {
			dst = append(dst, m)
		}
		if zone>>to&1 != 0 {
			dst = append(dst, m|1)
		}
	}
	return dst
}

// alongPin restricts the targets of a piece on from to its pin, if it is pinned.
func (c *constraints) alongPin(from Square, targets Bitboard) Bitboard {
	if c.pinned.Has(from) {
		return targets.And(lineThrough(c.king, from))
	}
	return targets
}

// appendPlain appends the moves to targets that cannot promote; base is the move
// without its target.
func appendPlain(dst []games.Move, base games.Move, targets Bitboard) []games.Move {
	for w := targets.Lo; w != 0; w &= w - 1 {
		dst = append(dst, base+games.Move(bits.TrailingZeros64(w))<<toShift)
	}
	base += lowSize << toShift
	for w := targets.Hi; w != 0; w &= w - 1 {
		dst = append(dst, base+games.Move(bits.TrailingZeros64(w))<<toShift)
	}
	return dst
}

// appendTargets appends the moves of an unpromoted piece: with and without promotion
// where it may promote, with it alone on the ranks of must.
func (p *Position) appendTargets(dst []games.Move, class games.Move, from Square, targets, must Bitboard) []games.Move {
	base := class<<classShift | games.Move(from)<<fromShift
	zone := zones[p.side&1]
	if zone.Has(from) {
		zone = full()
	}
	if !targets.Meets(zone) {
		return appendPlain(dst, base, targets)
	}
	dst = appendPromoting(dst, base, targets.Lo, zone.Lo, must.Lo)
	return appendPromoting(dst, base+lowSize<<toShift, targets.Hi, zone.Hi, must.Hi)
}

// appendPromoting appends the moves to the targets of one word.
func appendPromoting(dst []games.Move, base games.Move, targets, zone, must uint64) []games.Move {
	for ; targets != 0; targets &= targets - 1 {
		to := bits.TrailingZeros64(targets) & 63
		m := base + games.Move(to)<<toShift
		if must>>to&1 == 0 {
			dst = append(dst, m)
		}
		if zone>>to&1 != 0 {
			dst = append(dst, m|1)
		}
	}
	return dst
}

// kingTargets returns the squares among royal to which the king may move.
func (p *Position) kingTargets(c *constraints, royal Bitboard) Bitboard {
	us := p.side & 1
	targets := kingAttacks[c.king&127].And(royal).Without(c.own)
	if targets.Empty() {
		return targets
	}
	targets = targets.Without(c.kinds.steps(us, c.their))
	occ := c.occ.Without(c.king.Bit())
	for b := c.kinds.diagonal.And(c.their); !b.Empty(); b = b.Rest() {
		if s := b.First(); bishopRays[s&127].Meets(targets) {
			targets = targets.Without(bishopAttacks(s, occ))
		}
	}
	for b := c.kinds.straight.And(c.their); !b.Empty(); b = b.Rest() {
		if s := b.First(); rookRays[s&127].Meets(targets) {
			targets = targets.Without(rookAttacks(s, occ))
		}
	}
	for b := c.kinds.lances.And(c.their); !b.Empty(); b = b.Rest() {
		if s := b.First(); ahead[us^1][s&127].Meets(targets) {
			targets = targets.Without(lanceAttacks(us^1, s, occ))
		}
	}
	return targets
}

// kinds holds the pieces of both sides by how they move.
type kinds struct{ pawns, knights, silvers, golds, round, diagonal, straight, lances Bitboard }

func (a *kinds) set(p *Position) {
	a.pawns, a.knights, a.silvers, a.golds = p.Pawns(), p.Knights(), p.Silvers(), p.Golds()
	a.round, a.diagonal, a.straight, a.lances = p.round(), p.Diagonal(), p.Straight(), p.Lances()
}

// near returns the pieces of a, except our own, that attack s and are no long
// pieces, but for the steps of promoted ones.
func (a *kinds) near(us games.Side, s Square) Bitboard {
	us, s = us&1, s&127
	return pawnAttacks[us][s].And(a.pawns).
		Or(knightAttacks[us][s].And(a.knights)).
		Or(silverAttacks[us][s].And(a.silvers)).
		Or(goldAttacks[us][s].And(a.golds)).
		Or(kingAttacks[s].And(a.round))
}

// snipers returns the pieces of a, except our own, that would attack s along
// a line on an empty board.
func (a *kinds) snipers(us games.Side, s Square) Bitboard {
	us, s = us&1, s&127
	return bishopRays[s].And(a.diagonal).
		Or(rookRays[s].And(a.straight)).
		Or(ahead[us][s].And(a.lances))
}

// attackers returns the pieces of their, the side that us is not, that attack s when occ is occupied.
func (a *kinds) attackers(us games.Side, s Square, their, occ Bitboard) Bitboard {
	set := a.near(us, s).And(their)
	for snipers := a.snipers(us, s).And(their); !snipers.Empty(); snipers = snipers.Rest() {
		if t := snipers.First(); !between(s, t).Meets(occ) {
			set = set.Or(t.Bit())
		}
	}
	return set
}

// steps returns what the pieces of their, the side that us is not, attack but along lines.
func (a *kinds) steps(us games.Side, their Bitboard) Bitboard {
	them := us&1 ^ 1
	silvers, golds, round := a.silvers.And(their), a.golds.And(their), a.round.And(their)
	flat := golds.Or(round)
	ahead, behind := silvers.Or(flat).forward(them), silvers.Or(round).forward(us)
	aside := ahead.Or(behind).Or(flat).Or(a.knights.And(their).forward(them).forward(them))
	return a.pawns.And(their).forward(them).Or(ahead).Or(flat.forward(us)).Or(aside.left()).Or(aside.right())
}

// attacked reports whether the side not to move, whose pieces are their, attacks s when
// occ is occupied.
func (p *Position) attacked(s Square, their, occ Bitboard) bool {
	var a kinds
	a.set(p)
	return !a.attackers(p.side, s, their, occ).Empty()
}
