package draughts

import (
	"kifu/games"
	"kifu/games/draughts"
)

// view is the position as one player sees it, turned so that his men go up.
type view struct {
	*masks
	counts *[slots]int16
	sign   int16 // 1 for the first player, -1 for the second

	own, foe, kings, empty draughts.Bitboard
	reach                  draughts.Bitboard // squares on which the other may take something
}

// look sets the view up for s.
func (v *view) look(p draughts.Position, s games.Side) {
	v.own, v.foe, v.kings = p.Seen(s)
	v.empty = v.board &^ (v.own | v.foe)
	v.reach = v.board
	if !v.flying || v.foe&v.kings == 0 {
		v.reach = v.foe.Step(draughts.UpLeft) | v.foe.Step(draughts.UpRight) | v.foe.Step(draughts.DownLeft) | v.foe.Step(draughts.DownRight)
	}
}

func (v *view) add(slot, n int) { v.counts[slot] += v.sign * int16(n) }

// material counts men, with their rows, and kings.
func (v *view) material() {
	men := v.own &^ v.kings
	v.add(man, men.Count())
	v.add(king, (v.own & v.kings).Count())
	for row, set := range v.rows[:9] {
		v.add(manRow+row+1, (men & set).Count())
	}
}

// squares counts who stands where. Bridge and triangle are of use against men only.
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

// structure counts how the men stand to each other.
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

// runaways counts the men that have nobody before them, while the other has no king.
func (v *view) runaways() {
	if v.foe&v.kings != 0 {
		return
	}
	for men := v.own &^ v.kings; men != 0; men = men.Rest() {
		front := men.First().Bit()
		way, steps := draughts.Bitboard(0), 0
		for {
			front = (front.Step(draughts.UpLeft) | front.Step(draughts.UpRight)) & v.board
			if front == 0 {
				break
			}
			way |= front
			steps++
		}
		if way&v.foe == 0 {
			v.add(runaway+min(steps, 3)-1, 1)
		}
	}
}

// steps counts the quiet moves by one square by what comes of them.
func (v *view) steps() {
	trapped := v.own & v.kings
	for d := draughts.UpLeft; d <= draughts.DownRight; d++ {
		movers := v.own
		if d >= draughts.DownLeft {
			movers &= v.kings
		}
		for to := movers.Step(d) & v.empty; to != 0; to = to.Rest() {
			at := to.First().Bit()
			from := at.Back(d)
			switch v.after(from, at) {
			case lost:
				v.add(deniedStep, 1)
				continue
			case exchanged:
				v.add(exchangeStep, 1)
				continue
			}
			if from&v.kings != 0 {
				trapped &^= from
				v.add(safeKing, 1)
			} else {
				v.add(safeMan, 1)
			}
			if v.threatens(from, at) {
				v.add(threat, 1)
			}
		}
	}
	v.add(trappedKing, trapped.Count())
}

// attacked counts the men and kings that the other could take if it were his turn.
func (v *view) attacked() {
	for men := v.own & v.reach; men != 0; men = men.Rest() {
		at := men.First().Bit()
		if v.takers(at, v.foe, false, v.empty) == 0 {
			continue
		}
		if at&v.kings != 0 {
			v.add(kingAttacked, 1)
		} else {
			v.add(manAttacked, 1)
		}
	}
}

// opposition: with men even, the side to move has the move when the men
// on the files that end on its own edge are odd in number.
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
