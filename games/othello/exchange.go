package othello

import (
	"math/bits"

	"kifu/games"
)

var _ games.Exchanger[Position] = Rules{}

// Exchange exchanges the colours and mirrors the columns, which leads the usual start to itself with White to move.
func (Rules) Exchange(p Position) Position {
	return Position{own: p.own.mirror(), opp: p.opp.mirror(), side: p.side ^ 1}
}

// ExchangeMove mirrors the square of m.
func (Rules) ExchangeMove(_ Position, m games.Move) games.Move {
	if m == Pass {
		return m
	}
	return Move(To(m) ^ 7)
}

// mirror exchanges the columns a and h, b and g, and so on.
func (b Bitboard) mirror() Bitboard { return Bitboard(bits.ReverseBytes64(bits.Reverse64(uint64(b)))) }
