package weiqi

import "kifu/games"

var _ games.Exchanger[Position] = Rules{}

// Exchange exchanges the colours of the stones, with prisoners and komi.
func (Rules) Exchange(p Position) Position {
	q := p
	q.stones, q.board = [2]Bitboard{}, 0
	for side := Black; side <= White; side++ {
		stones := p.stones[side]
		for at, ok := stones.Pop(); ok; at, ok = stones.Pop() {
			q.put(side^1, at)
		}
	}
	q.taken[Black], q.taken[White], q.komi, q.side = p.taken[White], p.taken[Black], -p.komi, p.side^1
	return q
}

// ExchangeMove returns m: the points are the same.
func (Rules) ExchangeMove(_ Position, m games.Move) games.Move { return m }
