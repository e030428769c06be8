package draughts

import "kifu/games"

var _ games.Exchanger[Position] = International

// Exchange turns the board by half a turn and exchanges the sides.
func (Rules) Exchange(p Position) Position {
	v := p.rules.variant()
	q := Position{own: p.own.turn(v.width), opp: p.opp.turn(v.width), kings: p.kings.turn(v.width), turn: turn{side: p.side ^ 1, rules: p.rules}}
	for _, side := range []games.Side{games.First, games.Second} {
		if r := p.runs.ofSide(side); r != (run{}) {
			q.runs = q.runs.with(side^1, run{v.opposite(r.at), r.moves})
		}
	}
	return q
}

// ExchangeMove turns the squares of m.
func (r Rules) ExchangeMove(_ Position, m games.Move) games.Move {
	v, way := r.variant(), m>>wayShift
	taken := Taken(m)
	if taken == 0 {
		way ^= 3
	}
	return way<<wayShift | games.Move(v.opposite(From(m)))<<fromShift | games.Move(v.opposite(To(m)))<<toShift | capturing(taken.turn(v.width))
}

// opposite is the square that s comes to by half a turn of the board.
func (v *variant) opposite(s Square) Square { return place(v.width-1, v.width/2-1) - s }
