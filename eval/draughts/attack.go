package draughts

import "kifu/games/draughts"

// takers returns the squares just beyond at on which men or kings of a set land when they
// take the piece on at. up says that their men go up.
func (v *view) takers(at, set draughts.Bitboard, up bool, empty draughts.Bitboard) draughts.Bitboard {
	var landings draughts.Bitboard
	for d := draughts.UpLeft; d <= draughts.DownRight; d++ { // in which they take
		landing := at.Step(d) & empty
		if landing == 0 {
			continue
		}
		from := at.Back(d) & v.board
		switch {
		case from&set&v.kings != 0:
		case from&set != 0:
			if !v.backward && (d <= draughts.UpRight) != up {
				continue
			}
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
		landings |= landing
	}
	return landings
}

// attackable returns the part of a set, of squares that are not empty, that the other could
// take.
func (v *view) attackable(set draughts.Bitboard) (found draughts.Bitboard) {
	if v.far {
		for ; set != 0; set = set.Rest() {
			if at := set.First().Bit(); v.takers(at, v.foe, false, v.empty) != 0 {
				found |= at
			}
		}
		return found
	}
	for d, next := range v.next {
		found |= next & v.empty.Back(draughts.Direction(d))
	}
	return found & set
}

// taken returns the part of a set of empty squares on which the other could take a piece
// that has stepped there in a direction.
func (v *view) taken(to draughts.Bitboard, way draughts.Direction) (found draughts.Bitboard) {
	if v.far {
		for ; to != 0; to = to.Rest() {
			at := to.First().Bit()
			if v.takers(at, v.foe, false, v.empty&^at|at.Back(way)) != 0 {
				found |= at
			}
		}
		return found
	}
	for d, next := range v.next {
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
	for landings := v.takers(to, v.foe, false, empty); landings != 0; landings = landings.Rest() {
		landing := landings.First().Bit()
		if v.takers(landing, own, true, (empty|to)&^landing) != 0 {
			return true
		}
	}
	return false
}

// targets returns the squares from which a man, and from which a king, could take the piece
// next to it.
func (v *view) targets() (men, kings draughts.Bitboard) {
	for d := draughts.UpLeft; d <= draughts.DownRight; d++ {
		from := (v.empty.Back(d) & v.foe).Back(d)
		if kings |= from; d <= draughts.UpRight || v.backward {
			men |= from
		}
	}
	return men, kings
}
