package draughts

import "kifu/games/draughts"

// takers returns the squares next behind at on which men or kings of a set land when
// they take what stands there. up says that their men go up.
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

// fate is what comes of a step at once.
type fate uint8

const (
	safe      fate = iota
	exchanged      // it is taken, and the taker too
	lost
)

// after tells what comes of the step from a square to another, as far as one capture
// and one recapture tell.
func (v *view) after(from, to draughts.Bitboard) fate {
	if to&v.reach == 0 {
		return safe
	}
	empty := v.empty&^to | from
	landings := v.takers(to, v.foe, false, empty)
	if landings == 0 {
		return safe
	}
	own := v.own &^ from
	for ; landings != 0; landings = landings.Rest() {
		landing := landings.First().Bit()
		if v.takers(landing, own, true, (empty|to)&^landing) != 0 {
			return exchanged
		}
	}
	return lost
}

// threatens reports whether what steps from a square to another could take from there.
func (v *view) threatens(from, to draughts.Bitboard) bool {
	empty := v.empty&^to | from
	for d := draughts.UpLeft; d <= draughts.DownRight; d++ {
		if d >= draughts.DownLeft && from&v.kings == 0 && !v.backward {
			break
		}
		if (to.Step(d)&v.foe).Step(d)&empty != 0 {
			return true
		}
	}
	return false
}
