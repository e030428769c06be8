package draughts

import "kifu/games/draughts"

// takers returns the squares just beyond at on which men and kings of a set land when they
// take the piece on at, a king or not. up means that their men go up.
func (v *view) takers(at, set draughts.Bitboard, king, up bool, empty draughts.Bitboard) (men, kings draughts.Bitboard) {
	for d := range v.ways { // in which they take
		landing := at.Step(d) & empty
		if landing == 0 {
			continue
		}
		from := at.Back(d) & v.board
		switch {
		case from&set&v.kings != 0:
		case from&set != 0:
			if (v.backward || (d <= draughts.UpRight) == up) && !(king && v.kingsSafe) {
				men |= landing
			}
			continue
		case v.flying:
			for from&empty != 0 {
				from = from.Back(d) & v.board
			}
			if from&set&v.kings == 0 {
				continue
			}
		default:
			continue
		}
		kings |= landing
	}
	return men, kings
}

// takes reports whether men or kings of a set take the piece on at, a king or not.
func (v *view) takes(at, set draughts.Bitboard, king, up bool, empty draughts.Bitboard) bool {
	men, kings := v.takers(at, set, king, up, empty)
	return men|kings != 0
}

// attackable returns the part of a set, of squares that are not empty, that the other could
// take.
func (v *view) attackable(set draughts.Bitboard) (found draughts.Bitboard) {
	if v.far {
		for ; set != 0; set = set.Rest() {
			if at := set.First().Bit(); v.takes(at, v.foe, at&v.kings != 0, false, v.empty) {
				found |= at
			}
		}
		return found
	}
	for d, next := range v.next[:v.ways] {
		found |= v.spared(next, v.kings, d) & v.empty.Back(draughts.Direction(d))
	}
	return found & set
}

// spared returns the squares next to the other's takers in a direction without the squares of own kings
// that only men are next to, where men do not take kings.
func (v *view) spared(next, kings draughts.Bitboard, d int) draughts.Bitboard {
	if v.kingsSafe && next&kings != 0 {
		next &^= kings &^ (v.foe & v.kings).Step(draughts.Direction(d))
	}
	return next
}

// taken returns the part of a set of empty squares on which the other could take a piece
// that has stepped there in a direction.
func (v *view) taken(to draughts.Bitboard, way draughts.Direction) (found draughts.Bitboard) {
	if v.far {
		for ; to != 0; to = to.Rest() {
			at := to.First().Bit()
			if v.takes(at, v.foe, false, false, v.empty&^at|at.Back(way)) { // where kings fly, men take them
				found |= at
			}
		}
		return found
	}
	kings := (v.own & v.kings).Step(way)
	for d, next := range v.next[:v.ways] {
		next = v.spared(next, kings, d)
		if d := draughts.Direction(d); d != 3-way { // the square stepped from is empty
			next &= v.empty.Back(d)
		}
		found |= next
	}
	return found & to
}

// exchanges reports whether the piece that takes a step from a square to another can be
// taken in turn, in at least one way.
func (v *view) exchanges(from, to draughts.Bitboard) bool {
	empty, own := v.empty&^to|from, v.own&^from
	men, kings := v.takers(to, v.foe, from&v.kings != 0, false, empty)
	for landings := men | kings; landings != 0; landings = landings.Rest() {
		landing := landings.First().Bit()
		if v.takes(landing, own, landing&men == 0, true, (empty|to)&^landing) {
			return true
		}
	}
	return false
}

// targets returns the squares from which a man, and from which a king, could take the piece
// next to it.
func (v *view) targets() (men, kings draughts.Bitboard) {
	for d := range v.ways {
		free := v.empty.Back(d) & v.foe
		kings |= free.Back(d)
		if v.kingsSafe {
			free &^= v.kings
		}
		if d <= draughts.UpRight || v.backward {
			men |= free.Back(d)
		}
	}
	return men, kings
}
