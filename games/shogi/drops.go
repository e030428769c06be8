package shogi

import (
	"slices"

	"kifu/games"
)

// appendDrops appends the drops of the side to move, which has pieces in hand.
func (p *Position) appendDrops(dst []games.Move, c *constraints) []games.Move {
	us := p.side & 1
	hand, empty := p.hands[us], c.evade.Without(c.occ)
	if empty.Empty() {
		return dst
	}
	if hand.Count(Pawn) > 0 {
		dst = appendPlain(dst, dropClass<<classShift|games.Move(Pawn)<<classShift, p.pawnDrops(c, empty))
	}
	if hand.Count(Lance) > 0 {
		dst = appendPlain(dst, (dropClass+games.Move(Lance))<<classShift, empty.Without(stuck[us][0]))
	}
	if hand.Count(Knight) > 0 {
		dst = appendPlain(dst, (dropClass+games.Move(Knight))<<classShift, empty.Without(stuck[us][1]))
	}
	// The other kinds go to the same squares, which are listed once.
	if hand>>handShift[Silver] == 0 {
		return dst
	}
	var squares [81]games.Move
	list := appendPlain(squares[:0], 0, empty)
	for k := Silver; k <= Gold; k++ {
		if hand.Count(k) == 0 {
			continue
		}
		base := (dropClass + games.Move(k)) << classShift
		dst = slices.Grow(dst, len(list))
		out := dst[len(dst) : len(dst)+len(list)]
		for i, to := range list {
			out[i] = base | to
		}
		dst = dst[:len(dst)+len(out)]
	}
	return dst
}

// pawnDrops returns the squares among empty on which the side to move may drop a pawn.
func (p *Position) pawnDrops(c *constraints, empty Bitboard) Bitboard {
	us := p.side & 1
	targets := empty.Without(stuck[us][0]).Without(p.Pawns().And(c.own).files())
	king := p.Kings().And(c.their)
	if king.Empty() {
		return targets
	}
	if head := pawnAttacks[us^1][king.First()&127]; head.Meets(targets) && p.dropMates(c, head.First()) {
		targets = targets.Without(head)
	}
	return targets
}

// dropMates reports whether a pawn dropped on s, before the enemy king, is mate.
func (p *Position) dropMates(c *constraints, s Square) bool {
	// A king takes a pawn that nothing defends.
	if p.Attackers(p.side, s, c.occ).Empty() {
		return false
	}
	after := p.Play(Drop(Pawn, s))
	return !after.canMove()
}

// canMove reports whether the side to move has a legal move.
func (p *Position) canMove() bool {
	var c constraints
	p.constrain(&c)
	if c.king != NoSquare && !p.kingTargets(&c, full()).Empty() {
		return true
	}
	if c.goal.Empty() {
		return false
	}
	if targets, _ := p.pawnTargets(&c); targets.Meets(c.goal) {
		return true
	}
	for b := c.own.Without(p.Pawns()).Without(p.Kings()); !b.Empty(); b = b.Rest() {
		from := b.First()
		if c.alongPin(from, Attacks(p.KindAt(from), p.side, from, c.occ)).Meets(c.goal) {
			return true
		}
	}
	return p.canDrop(&c)
}

// canDrop reports whether the side to move has a legal drop.
func (p *Position) canDrop(c *constraints) bool {
	us := p.side & 1
	hand, empty := p.hands[us], c.evade.Without(c.occ)
	return hand>>handShift[Silver] != 0 && !empty.Empty() ||
		hand.Count(Lance) > 0 && !empty.Without(stuck[us][0]).Empty() ||
		hand.Count(Knight) > 0 && !empty.Without(stuck[us][1]).Empty() ||
		hand.Count(Pawn) > 0 && !p.pawnDrops(c, empty).Empty()
}
