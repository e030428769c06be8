package shogi

import "kifu/games"

var _ games.Checker[Position] = Rules{}

// AppendChecks: see Position.AppendChecks.
func (Rules) AppendChecks(dst []games.Move, p Position) []games.Move { return p.AppendChecks(dst) }

// AppendChecks appends the legal moves that give check, in ascending order.
func (p *Position) AppendChecks(dst []games.Move) []games.Move {
	us := p.side & 1
	king := p.King(us ^ 1)
	if king == NoSquare {
		return dst
	}
	c := p.constraints()
	from := checkingSquares(us, king, c.occ)
	// Pieces that alone stand between the king and an own one discover a check wherever
	// they leave the line; all others give check where they go, if at all.
	var discoverers, royal Bitboard
	for snipers := p.snipers(us, king, c.own); !snipers.Empty(); snipers = snipers.Rest() {
		if b := between(king, snipers.First()).And(c.occ); !b.Empty() && b.One() {
			discoverers = discoverers.Or(b.And(c.own))
		}
	}
	goal := c.goal
	if discoverers.Empty() {
		goal = goal.And(from[Horse].Or(from[Dragon]).Or(from[Knight]))
	}
	if discoverers.Meets(p.Kings()) {
		royal = full()
	}
	base := len(dst)
	dst = p.appendBoardMoves(dst, &c, goal, royal)
	kept := dst[:base]
	for _, m := range dst[base:] {
		k := p.KindAt(From(m)) + Kind(m&1)*Promoted
		if from[k&15].Has(To(m)) || discoverers.Has(From(m)) && !lineThrough(king, From(m)).Has(To(m)) {
			kept = append(kept, m)
		}
	}
	return p.appendCheckingDrops(kept, &c, &from)
}

// checkingSquares returns from where pieces of side, by kind, would attack the king.
func checkingSquares(side games.Side, king Square, occ Bitboard) (from [16]Bitboard) {
	them := side ^ 1
	from[Pawn] = pawnAttacks[them][king&127]
	from[Lance] = LanceAttacks(them, king, occ)
	from[Knight] = knightAttacks[them][king&127]
	from[Silver] = silverAttacks[them][king&127]
	from[Gold] = goldAttacks[them][king&127]
	from[Bishop] = BishopAttacks(king, occ)
	from[Rook] = RookAttacks(king, occ)
	for k := Tokin; k <= PromotedSilver; k++ {
		from[k] = from[Gold]
	}
	from[Horse] = from[Bishop].Or(kingAttacks[king&127])
	from[Dragon] = from[Rook].Or(kingAttacks[king&127])
	return from
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

// Block returns the square of a drop, from 1.
func (Rules) Block(m games.Move) uint8 {
	if IsDrop(m) {
		return uint8(To(m)) + 1
	}
	return 0
}
