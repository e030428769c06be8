package shogi

import (
	"slices"

	"kifu/games"
)

// AppendTactics appends what the quiescence search follows; with the search it defines the
// quiescence value.
//
// In check forced is true and the moves are evasions: moves of pieces on the board. Only
// without any of these they are drops between king and checker, of the cheapest piece on each
// square. So only mate has no move.
//
// Otherwise they are captures, and promotions of pawns, bishops and rooks, that win something
// in the exchange on their square. A move promotes if it may; silvers, knights and lances also
// move without promoting. Equal exchanges are left out: pieces in hand make endless chains of
// them.
//
// The greatest captured piece comes first, and then the least capturing one. Promotions without
// a capture follow, then the rest. Equal ones are in ascending order.
func (p Position) AppendTactics(dst []games.Move) (moves []games.Move, forced bool) {
	var c constraints
	p.constrain(&c)
	base := len(dst)
	if !c.checkers.Empty() {
		return p.appendEvasions(dst, &c), true
	}
	// Quiet promotions go to the zone or leave it: from there they may go anywhere.
	dst = p.appendBoardMoves(dst, &c, c.their, c.their)
	dst = p.appendQuietPromotions(dst, &c)
	return p.winning(dst, base, &c), false
}

// AppendRecaptures is AppendTactics of which, outside check, only the captures on the square that
// the last move went to are left.
func (p Position) AppendRecaptures(dst []games.Move) (moves []games.Move, forced bool) {
	var c constraints
	p.constrain(&c)
	base := len(dst)
	if !c.checkers.Empty() {
		return p.appendEvasions(dst, &c), true
	}
	target := p.LastTo().Bit().And(c.their)
	if target.Empty() {
		return dst, false
	}
	c.movers = p.Attackers(p.side, target.First(), c.occ)
	if c.movers.Empty() {
		return dst, false
	}
	dst = p.appendBoardMoves(dst, &c, target, target)
	return p.winning(dst, base, &c), false
}

// appendEvasions appends the answers to a check, as AppendTactics does.
func (p *Position) appendEvasions(dst []games.Move, c *constraints) []games.Move {
	base := len(dst)
	dst = p.appendBoardMoves(dst, c, c.goal, full())
	if len(dst) == base {
		dst = p.appendBlocks(dst, c)
	}
	for i, m := range dst[base:] {
		dst[base+i] = m | tacticRank(m, p.Moved(m), p.KindAt(To(m)))<<rankShift
	}
	return unrank(dst, base)
}

// winning keeps of the moves from base on those that win something, in the order of AppendTactics.
func (p *Position) winning(moves []games.Move, base int, c *constraints) []games.Move {
	kept := moves[:base]
	x := exchange{occ: c.occ}
	for _, m := range moves[base:] {
		k, taken := p.KindAt(From(m)), p.KindAt(To(m))
		if p.better(m, k) || !x.atLeast(p, m, k, taken, 1) {
			continue
		}
		kept = append(kept, m|tacticRank(m, k, taken)<<rankShift)
	}
	return unrank(kept, base)
}

// better reports whether m, a capture by a piece of kind k, declines a promotion without any
// reason.
func (p *Position) better(m games.Move, k Kind) bool {
	return !Promotes(m) && (k == Pawn || k == Bishop || k == Rook) && p.mayPromote(k, From(m), To(m))
}

// appendQuietPromotions appends the promotions of pawns, bishops and rooks that take nothing.
func (p *Position) appendQuietPromotions(dst []games.Move, c *constraints) []games.Move {
	us := p.side & 1
	zone, empty := zones[us], full().Without(c.occ)
	targets, back := p.pawnTargets(c)
	for b := targets.And(zone).And(empty); !b.Empty(); b = b.Rest() {
		to := b.First()
		dst = append(dst, boardMove(Pawn, Square(int(to)+back), to, true))
	}
	for b := p.Diagonal().Or(p.Straight()).And(c.own).Without(p.b3); !b.Empty(); b = b.Rest() {
		from := b.First()
		k := p.KindAt(from)
		goal := empty
		if !zone.Has(from) {
			goal = goal.And(zone)
		}
		for to := c.alongPin(from, Attacks(k, us, from, c.occ).And(goal)); !to.Empty(); to = to.Rest() {
			dst = append(dst, boardMove(k, from, to.First(), true))
		}
	}
	return dst
}

// byPrice are the kinds in hand, the cheapest first.
var byPrice = [7]Kind{Pawn, Lance, Knight, Silver, Gold, Bishop, Rook}

// appendBlocks appends the drop of the cheapest piece on each square between king and checker.
func (p *Position) appendBlocks(dst []games.Move, c *constraints) []games.Move {
	us := p.side & 1
	left := c.evade.Without(c.occ)
	for _, k := range byPrice {
		if left.Empty() {
			break
		}
		if p.hands[us].Count(k) == 0 {
			continue
		}
		squares := left
		switch k {
		case Pawn:
			squares = p.pawnDrops(c, left)
		case Lance:
			squares = left.Without(stuck[us][0])
		case Knight:
			squares = left.Without(stuck[us][1])
		}
		dst = appendPlain(dst, (dropClass+games.Move(k))<<classShift, squares)
		left = left.Without(squares)
	}
	return dst
}

// rankShift is where a move carries its rank while it is being sorted.
const rankShift = 32

// tacticRank is lower the earlier m, with which a k takes, comes in AppendTactics.
func tacticRank(m games.Move, k, taken Kind) games.Move {
	switch {
	case taken != NoKind:
		return games.Move(2000-gain[taken&15]/2)<<11 + games.Move(gain[k&15]/2)
	case Promotes(m):
		return 1 << 23
	}
	return 1 << 24
}

// unrank sorts the moves from base on by rank and then by themselves, and takes the
// ranks off.
func unrank(moves []games.Move, base int) []games.Move {
	if len(moves) > base+1 {
		slices.Sort(moves[base:])
	}
	for i := range moves[base:] {
		moves[base+i] &= 1<<rankShift - 1
	}
	return moves
}

// gain is by how much the balance of Values shifts when a piece is taken: it leaves the
// board, and its base comes to hand.
var gain = [16]int32{
	Pawn: 2 * 128, Lance: 2 * 512, Knight: 2 * 512, Silver: 2 * 704, Gold: 2 * 768, Bishop: 2 * 1024, Rook: 2 * 1216, King: 2 * 1999,
	Tokin: 768 + 128, PromotedLance: 768 + 512, PromotedKnight: 768 + 512, PromotedSilver: 768 + 704, Horse: 1472 + 1024, Dragon: 1664 + 1216,
}

// ExchangeAtLeast reports whether the static exchange value of m, legal in p, is at least
// threshold: what the mover gains in Values when both sides go on taking on m's target
// with their least valuable piece as long as it pays. Pieces behind others on a line join
// in, a king takes only what is not defended; pins, checks and the promotions of the
// later takers are not looked at.
func (p *Position) ExchangeAtLeast(m games.Move, threshold int32) bool {
	x := exchange{occ: p.Occupied()}
	return x.atLeast(p, m, p.Moved(m), p.Taken(m), threshold)
}

// exchange holds the pieces that may take on a square, worked out when needed.
type exchange struct {
	occ     Bitboard // all pieces
	to      Square
	known   [2]bool     // by side
	near    [2]Bitboard // pieces that attack it, except those with long reach
	distant [2]Bitboard // pieces that attack it along a line when nothing is between
}

// aim makes x about s.
func (x *exchange) aim(s Square) {
	if x.to != s {
		x.to, x.known = s, [2]bool{}
	}
}

// takers returns the pieces of side that attack x's square when occ is occupied: Attackers.
func (x *exchange) takers(p *Position, side games.Side, occ Bitboard) Bitboard {
	side &= 1
	if !x.known[side] {
		own := p.colour(side)
		x.near[side], x.distant[side] = p.neighbours(side, x.to).And(own), p.snipers(side, x.to, own)
		x.known[side] = true
	}
	set := x.near[side].And(occ)
	for b := x.distant[side].And(occ); !b.Empty(); b = b.Rest() {
		if t := b.First(); !between(x.to, t).Meets(occ) {
			set = set.Or(t.Bit())
		}
	}
	return set
}

// atLeast is ExchangeAtLeast of m, with which a k takes.
func (x *exchange) atLeast(p *Position, m games.Move, k, taken Kind, threshold int32) bool {
	balance := gain[taken&15] - threshold
	if Promotes(m) {
		balance += int32(Values[(k+Promoted)&15] - Values[k&15])
		k += Promoted
	}
	if balance < 0 {
		return false
	}
	// From here on balance is the amount that the side to take must overcome to turn the result.
	balance = gain[k&15] - balance
	if balance <= 0 {
		return true
	}
	to := To(m)
	x.aim(to)
	occ := x.occ.Or(to.Bit())
	if !IsDrop(m) {
		occ = occ.Without(From(m).Bit())
	}
	side, result := p.side&1, int32(1)
	for {
		side ^= 1
		takers := x.takers(p, side, occ)
		if takers.Empty() {
			break
		}
		result ^= 1
		taker, from := p.least(takers)
		if taker == King {
			if !x.takers(p, side^1, occ).Empty() {
				result ^= 1 // it would take a defended piece
			}
			break
		}
		if balance = gain[taker] - balance; balance < result {
			break
		}
		occ = occ.Without(from.Bit())
	}
	return result != 0
}

// least returns the piece of a set that is not empty with the least to lose.
func (p *Position) least(set Bitboard) (Kind, Square) {
	best, at := King, set.First()
	for ; !set.Empty(); set = set.Rest() {
		s := set.First()
		if k := p.KindAt(s); gain[k] < gain[best] {
			best, at = k, s
		}
	}
	return best, at
}
