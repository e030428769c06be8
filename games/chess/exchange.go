package chess

import "kifu/games"

var _ games.Exchanger[Position] = Rules{}

// Exchange mirrors the board from White's side to Black's and exchanges the colours.
func (Rules) Exchange(p Position) Position {
	occupied := p.Occupied()
	p.second = (occupied &^ p.second).Flip()
	p.b0, p.b1, p.b2, p.castle = p.b0.Flip(), p.b1.Flip(), p.b2.Flip(), p.castle.Flip()
	if p.ep != 0 {
		p.ep = p.ep.Flip()
	}
	p.side ^= 1
	p.hash = p.computeHash()
	return p
}

// ExchangeMove mirrors the squares of m.
func (Rules) ExchangeMove(_ Position, m games.Move) games.Move {
	return newMove(KindOf(m), flagOf(m), From(m).Flip(), To(m).Flip(), Promotion(m))
}
