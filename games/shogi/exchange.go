package shogi

import "kifu/games"

var _ games.Exchanger[Position] = Rules{}

// Exchange turns the board by half a turn and exchanges the sides of pieces and hands.
func (Rules) Exchange(p Position) Position {
	q := Position{hands: [2]Hand{p.hands[White], p.hands[Black]}, plies: p.plies, side: p.side ^ 1}
	for pieces := p.Occupied(); !pieces.Empty(); pieces = pieces.Rest() {
		s := pieces.First()
		q.put(p.KindAt(s), p.SideAt(s)^1, s.opposite().Bit())
	}
	if p.last != 0 {
		q.last = (p.last - 1).opposite() + 1
	}
	return q
}

// ExchangeMove turns the squares of m.
func (Rules) ExchangeMove(p Position, m games.Move) games.Move {
	if IsDrop(m) {
		return Drop(Dropped(m), To(m).opposite())
	}
	return boardMove(p.KindAt(From(m)), From(m).opposite(), To(m).opposite(), Promotes(m))
}

// opposite is the square that s comes to by half a turn of the board.
func (s Square) opposite() Square { return 80 - s }
