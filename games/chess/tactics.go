package chess

import "kifu/games"

// ExchangeValues are the values of the kinds in static exchanges: 1, 3, 3, 5 and 9
// pawns.
var ExchangeValues = [8]int32{Pawn: 100, Knight: 300, Bishop: 300, Rook: 500, Queen: 900, King: 20000}

// AppendTactics appends what the quiescence search follows; with the search it defines
// the quiescence value.
//
// In check forced is true and the moves are all the legal ones. Otherwise they are
//
//   - every promotion to a queen, capture or not;
//   - every capture that does not promote, en passant among them, whose static
//     exchange (ExchangeAtLeast) does not lose material.
//
// Their order: promotions to a queen, by the value of what they take, the greatest
// first; then captures, by the value of what they take, the greatest first, and then
// of what takes, the least first (MVV-LVA); then all others. Equal ones are in
// ascending order.
func (p Position) AppendTactics(dst []games.Move) (moves []games.Move, forced bool) {
	var c constraints
	p.constrain(&c)
	base := len(dst)
	if c.checkers != 0 {
		dst = p.appendPawnMoves(dst, &c, ^Bitboard(0))
		dst = p.appendPieceMoves(dst, &c, c.evade&^c.own)
		dst = p.appendKingMoves(dst, &c, ^c.own)
		for i, m := range dst[base:] {
			dst[base+i] = m | p.tacticRank(m)<<rankShift
		}
		sortRanked(dst[base:])
		return dst, true
	}
	dst = p.appendPawnMoves(dst, &c, c.their|Rank1|Rank8)
	kept := dst[:base]
	for _, m := range dst[base:] {
		if promo := Promotion(m); promo == NoKind || promo == Queen { // a pawn never takes less than itself
			kept = append(kept, m|p.tacticRank(m)<<rankShift)
		}
	}
	dst = p.appendCaptures(kept, &c)
	sortRanked(dst[base:])
	return dst, false
}

// appendCaptures appends the captures of knights to kings that do not lose material, with their ranks.
func (p *Position) appendCaptures(dst []games.Move, c *constraints) []games.Move {
	// Who takes a lesser man that a pawn defends loses more than the pawn is worth.
	dear := c.their &^ PawnsAttack(p.side&1^1, p.Pawns()&c.their)
	minor := dear | c.their&^p.Pawns()
	for b := p.Knights() & c.own &^ c.pinned; b != 0; b = b.Rest() {
		from := b.First()
		dst = p.appendSound(dst, Knight, from, knightAttacks[from&63]&minor)
	}
	for b := p.Bishops() & c.own; b != 0; b = b.Rest() {
		from := b.First()
		dst = p.appendSound(dst, Bishop, from, c.alongPin(from, BishopAttacks(from, c.occ)&minor))
	}
	rook := dear | c.their&p.Straight()
	for b := p.Rooks() & c.own; b != 0; b = b.Rest() {
		from := b.First()
		dst = p.appendSound(dst, Rook, from, c.alongPin(from, RookAttacks(from, c.occ)&rook))
	}
	queen := dear | c.their&p.Queens()
	for b := p.Queens() & c.own; b != 0; b = b.Rest() {
		from := b.First()
		dst = p.appendSound(dst, Queen, from, c.alongPin(from, QueenAttacks(from, c.occ)&queen))
	}
	// A king takes only undefended men.
	return p.appendSound(dst, King, c.king, p.safe(c, kingAttacks[c.king&63]&c.their))
}

// appendSound appends the captures of a man on from that do not lose material.
func (p *Position) appendSound(dst []games.Move, k Kind, from Square, targets Bitboard) []games.Move {
	for ; targets != 0; targets = targets.Rest() {
		to := targets.First()
		taken := p.KindAt(to)
		m := newMove(k, flagPlain, from, to, NoKind)
		if k != King && ExchangeValues[taken&7] < ExchangeValues[k&7] && !p.ExchangeAtLeast(m, 0) {
			continue
		}
		dst = append(dst, m|captureRank(k, taken)<<rankShift)
	}
	return dst
}

// rankShift is the bit at which a move carries its rank while it is being sorted.
const rankShift = 32

// tacticRank returns a smaller rank the earlier m comes in AppendTactics.
func (p *Position) tacticRank(m games.Move) games.Move {
	taken := p.Taken(m)
	switch {
	case Promotion(m) == Queen:
		return takenRanks[taken]
	case taken != NoKind:
		return captureRank(KindOf(m), taken)
	}
	return 255
}

func captureRank(mover, taken Kind) games.Move {
	return 16 + takenRanks[taken&7]<<3 + games.Move(mover)
}

// takenRanks begin with the queen.
var takenRanks = [8]games.Move{Queen: 0, Rook: 4, Bishop: 6, Knight: 6, Pawn: 8, NoKind: 9}

// sortRanked sorts a few moves by rank and then by themselves, and removes the ranks.
func sortRanked(moves []games.Move) {
	for i, m := range moves {
		j := i
		for ; j > 0 && moves[j-1] > m; j-- {
			moves[j] = moves[j-1]
		}
		moves[j] = m
	}
	for i := range moves {
		moves[i] &= 1<<rankShift - 1
	}
}

// ExchangeAtLeast reports whether the static exchange value of m, legal in p, is at
// least threshold: what the mover gains, in ExchangeValues, when both sides go on
// taking on m's target with their least valuable man as long as it pays. Men behind
// others on a line join in, a king takes only what is not defended; pins, checks and
// promotions of the takers are not looked at. Among equal men the one on the lowest
// square takes first. Castling has the value 0.
//
// It is the swap algorithm, cut off as soon as the sign is known.
func (p *Position) ExchangeAtLeast(m games.Move, threshold int32) bool {
	from, to := From(m), To(m)
	mover := KindOf(m)
	balance := ExchangeValues[p.Taken(m)] - threshold
	occ := p.Occupied()&^from.Bit() | to.Bit()
	switch flagOf(m) {
	case flagCastle:
		return threshold <= 0
	case flagPassing:
		occ &^= (to ^ 8).Bit()
	}
	if promo := Promotion(m); promo != NoKind {
		balance += ExchangeValues[promo] - ExchangeValues[Pawn]
		mover = promo
	}
	if balance < 0 {
		return false
	}
	// From here on balance is the amount that the side to take must overcome to turn the
	// result.
	balance = ExchangeValues[mover] - balance
	if balance <= 0 {
		return true
	}
	diagonal, straight := p.Diagonal(), p.Straight()
	attackers := p.Attackers(to, occ) & occ
	side, result := p.side&1, int32(1)
	for {
		side ^= 1
		takers := attackers & p.colour(side)
		if takers == 0 {
			break
		}
		result ^= 1
		taker := p.leastOf(takers)
		if taker == King {
			if attackers&^p.colour(side) != 0 {
				result ^= 1 // it would take a defended man
			}
			break
		}
		if balance = ExchangeValues[taker] - balance; balance < result {
			break
		}
		occ &^= (takers & p.Kind(taker)).First().Bit()
		if taker != Knight && taker != Rook {
			attackers |= BishopAttacks(to, occ) & diagonal
		}
		if taker == Rook || taker == Queen {
			attackers |= RookAttacks(to, occ) & straight
		}
		attackers &= occ
	}
	return result != 0
}

// leastOf returns the least valuable kind in a set of men that is not empty.
func (p *Position) leastOf(men Bitboard) Kind {
	switch {
	case men&p.Pawns() != 0:
		return Pawn
	case men&p.Knights() != 0:
		return Knight
	case men&p.Bishops() != 0:
		return Bishop
	case men&p.Rooks() != 0:
		return Rook
	case men&p.Queens() != 0:
		return Queen
	}
	return King
}
