package draughts

import (
	"kifu/games"
	"kifu/games/draughts"
)

// view is the position as seen by one player, turned so that its men go up.
type view struct {
	*masks
	counts *[slots]int16
	sign   int16 // 1 for the first player, -1 for the second

	own, foe, kings, empty draughts.Bitboard
	far                    bool // the other may take from afar
	// next are the squares next to the other's takers, by the direction in which they take.
	next [8]draughts.Bitboard
}

// look sets the view up for s.
func (v *view) look(p draughts.Position, s games.Side) {
	v.own, v.foe, v.kings = p.Seen(s)
	v.empty = v.board &^ (v.own | v.foe)
	v.far = v.flying && v.foe&v.kings != 0
	for d := range v.next[:v.ways] {
		by := v.foe
		if d := draughts.Direction(d); d <= draughts.UpRight && !v.backward {
			by &= v.kings
		}
		v.next[d] = by.Step(draughts.Direction(d))
	}
}

func (v *view) add(slot, n int) { v.counts[slot] += v.sign * int16(n) }

// material counts men, by their rows, and kings.
func (v *view) material() {
	men := v.own &^ v.kings
	v.add(man, men.Count())
	v.add(king, (v.own & v.kings).Count())
	for row, set := range v.rows[:9] {
		v.add(manRow+row+1, (men & set).Count())
	}
}

// squares counts the pieces on special squares. Bridge and triangle matter against men
// only.
func (v *view) squares() {
	men, kings := v.own&^v.kings, v.own&v.kings
	if v.foe&v.kings == 0 {
		if v.own&v.bridge == v.bridge {
			v.add(bridge, 1)
		}
		if v.own&v.triangle == v.triangle {
			v.add(triangle, 1)
		}
	}
	if men&v.pit != 0 && v.foe&^v.kings&v.corner != 0 {
		v.add(dogHole, 1)
	}
	v.add(manCentre, (men & v.centre).Count())
	v.add(manEdge, (men & v.edge).Count())
	v.add(manDouble, (men & v.double).Count())
	v.add(kingCentre, (kings & v.centre).Count())
	v.add(kingEdge, (kings & v.edge).Count())
	v.add(kingDouble, (kings & v.double).Count())
	v.add(kingRoad, (kings & v.road).Count())
}

// structure counts formations of the men.
func (v *view) structure() {
	const ul, ur, dl, dr = draughts.UpLeft, draughts.UpRight, draughts.DownLeft, draughts.DownRight
	o, e := v.own, v.empty
	a, b, c, d := o.Step(ul), o.Step(ur), o.Step(dl), o.Step(dr)
	v.add(hole, (e & (a&b&(c|d) | (a|b)&c&d)).Count())
	v.add(exposed, (o & (e.Step(ul)&e.Step(dr) | e.Step(ur)&e.Step(dl))).Count())
	occupied := v.own | v.foe
	men := o &^ v.kings
	v.add(pole, (men &^ (occupied.Step(ul) | occupied.Step(ur) | occupied.Step(dl) | occupied.Step(dr))).Count())
	v.add(dyke, (o&a&d).Count()+(o&b&c).Count())
	v.add(gap, (e&a&d).Count()+(e&b&c).Count())
	v.add(backed, (men & (a | b)).Count())
}

// runaways counts the men with a free way to promotion, while the other has no king.
func (v *view) runaways() {
	if v.foe&v.kings != 0 {
		return
	}
	free := v.own &^ v.kings
	for foe := v.foe; foe != 0; { // a man with one of them ahead is not free
		foe = (foe.Step(draughts.DownLeft) | foe.Step(draughts.DownRight)) & v.board
		free &^= foe
	}
	one, two := v.rows[v.width-2], v.rows[v.width-3]
	v.add(runaway, (free & one).Count())
	v.add(runaway+1, (free & two).Count())
	v.add(runaway+2, (free &^ (one | two)).Count())
}

// steps counts the quiet moves by one square by their consequences; without fates those
// that are taken are not distinguished.
func (v *view) steps(fates bool) {
	targets, kingTargets := v.targets()
	trapped := v.own & v.kings
	for d := draughts.UpLeft; d <= draughts.DownRight; d++ {
		movers := v.own
		if d >= draughts.DownLeft {
			if movers &= v.kings; movers == 0 {
				break
			}
		}
		to := movers.Step(d) & v.empty
		taken := v.taken(to, d)
		kings := to &^ taken & (v.own & v.kings).Step(d)
		men := to &^ taken &^ kings
		trapped &^= kings.Back(d)
		v.add(safeMan, men.Count())
		v.add(safeKing, kings.Count())
		v.add(threat, (men&targets).Count()+(kings&kingTargets).Count())
		for ; fates && taken != 0; taken = taken.Rest() {
			if at := taken.First().Bit(); v.exchanges(at.Back(d), at) {
				v.add(exchangeStep, 1)
			} else {
				v.add(deniedStep, 1)
			}
		}
	}
	v.add(trappedKing, trapped.Count())
}

// attacked counts the men and kings that the other could take if it were to move.
func (v *view) attacked() {
	attacked := v.attackable(v.own)
	v.add(manAttacked, (attacked &^ v.kings).Count())
	v.add(kingAttacked, (attacked & v.kings).Count())
}

// opposition counts the move: with men even, the side to move has it when the men on the
// files that end on its own edge are odd in number.
func (v *view) opposition() {
	if v.own.Count() != v.foe.Count() {
		return
	}
	if ((v.own|v.foe)&v.system).Count()%2 == 1 {
		v.add(theMove, 1)
	} else {
		v.add(theMove, -1)
	}
}
