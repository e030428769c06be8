package draughts

import (
	"slices"

	"kifu/games"
)

// AppendMoves appends the legal moves: captures if there are any, else quiet moves.
func (p Position) AppendMoves(dst []games.Move) []games.Move {
	v := p.rules.variant()
	if men := p.capturers(v); men != 0 {
		return p.appendCaptures(dst, v, men)
	}
	return p.appendSteps(dst, v)
}

// AppendTactics appends the captures, of most men first. They are compulsory, so
// forced is set; it is also set when there is no move at all, where the game ends.
func (p Position) AppendTactics(dst []games.Move) (moves []games.Move, forced bool) {
	v := p.rules.variant()
	men := p.capturers(v)
	if men == 0 {
		return dst, !p.canStep(v)
	}
	base := len(dst)
	dst = p.appendCaptures(dst, v, men)
	list := dst[base:]
	for i, m := range list { // by insertion: the lists are short
		n, j := Taken(m).Count(), i
		for ; j > 0 && Taken(list[j-1]).Count() < n; j-- {
			list[j] = list[j-1]
		}
		list[j] = m
	}
	return dst, true
}

// Forced returns the flag that AppendTactics returns for p, without the moves.
func (p Position) Forced() bool {
	v := p.rules.variant()
	return p.capturers(v) != 0 || !p.canStep(v)
}

// canStep reports whether the side to move could move without capturing.
func (p Position) canStep(v *variant) bool {
	empty := v.board &^ (p.own | p.opp)
	d := v.forward[p.side&1]
	own := p.own &^ p.held()
	kings := own & p.kings
	return (own.Step(d)|own.Step(d+1)|kings.Step(3-d)|kings.Step(2-d))&empty != 0
}

// appendSteps appends the quiet moves.
func (p Position) appendSteps(dst []games.Move, v *variant) []games.Move {
	base := len(dst)
	empty := v.board &^ (p.own | p.opp)
	own := p.own &^ p.held()
	kings := own & p.kings
	forward := v.forward[p.side&1]
	for d := UpLeft; d <= DownRight; d++ {
		movers := kings
		if d&2 == forward {
			movers = own
		}
		way := games.Move(d) << wayShift
		for to := movers.Step(d) & empty; to != 0; to = to.Rest() {
			t := to.First()
			f := t - Square(offsets[d])
			dst = append(dst, way|games.Move(f)<<fromShift|games.Move(t)<<toShift)
		}
	}
	if v.flying && kings != 0 {
		dst = appendFlights(dst, kings, empty)
		slices.Sort(dst[base:])
	}
	return dst
}

// appendFlights appends the moves of the flying kings to the second square and beyond.
func appendFlights(dst []games.Move, kings, empty Bitboard) []games.Move {
	for ; kings != 0; kings = kings.Rest() {
		from := kings.First()
		for d := UpLeft; d <= DownRight; d++ {
			m := games.Move(d)<<wayShift | games.Move(from)<<fromShift
			at := from.Bit().Step(d) & empty
			for at = at.Step(d) & empty; at != 0; at = at.Step(d) & empty {
				dst = append(dst, m|games.Move(at.First())<<toShift)
			}
		}
	}
	return dst
}

// capturers returns the set of the men and kings that can capture.
func (p Position) capturers(v *variant) Bitboard {
	empty := v.board &^ (p.own | p.opp)
	forward := v.forward[p.side&1]
	kings := p.own & p.kings
	var found Bitboard
	for d := range v.ways {
		reached := (p.opp & empty.Back(d)).Back(d) // next to a man with nothing behind it
		switch {
		case !v.backward && d&2 != forward:
			found |= kings & reached
		case v.kingsSafe:
			found |= kings&reached | p.own&reached&(p.opp&^p.kings).Back(d)
		default:
			found |= p.own & reached
		}
		if v.flying && kings != 0 {
			for reached &= empty; reached != 0; reached &= empty {
				reached = reached.Back(d)
				found |= kings & reached
			}
		}
	}
	return found
}
