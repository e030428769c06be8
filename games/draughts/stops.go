package draughts

import "kifu/games"

// stops appends the squares on which the capture m lands, the last one too. Of several
// ways round it takes the first, and one that takes kings early where that decides.
func (p Position) stops(m games.Move, path []Square) []Square {
	v := p.rules.variant()
	from := From(m).Bit()
	w := route{v: v, side: p.side, to: To(m).Bit(), empty: v.board&^(p.own|p.opp) | from}
	if v.precedence == italianOrder {
		w.early = p.kings
	}
	path, _ = w.extend(path, from, Taken(m), p.kings&from != 0)
	return path
}

// route is the search for a way to take given men.
type route struct {
	v     *variant
	side  games.Side
	to    Bitboard
	empty Bitboard
	early Bitboard // taken before others where there is a choice
}

// extend goes on from at until all the men left are taken.
func (w *route) extend(path []Square, at, left Bitboard, king bool) ([]Square, bool) {
	if left == 0 {
		return path, at == w.to
	}
	if early := left & w.early; early != 0 && early != left {
		if whole, ok := w.over(path, at, left, early, king); ok {
			return whole, true
		}
	}
	return w.over(path, at, left, left, king)
}

// over goes on over one of a part of the men left.
func (w *route) over(path []Square, at, left, part Bitboard, king bool) ([]Square, bool) {
	n := len(path)
	for d := range w.v.ways {
		if !king && !w.v.backward && d&2 != w.v.forward[w.side&1] {
			continue
		}
		next := at.Step(d)
		for king && w.v.flying && next&w.empty != 0 {
			next = next.Step(d)
		}
		man := next & part
		for to := man.Step(d) & w.empty; to != 0; to = to.Step(d) & w.empty {
			crowned := king || w.v.passing && to&w.v.crown[w.side&1] != 0
			if whole, ok := w.extend(append(path[:n], to.First()), to, left&^man, crowned); ok {
				return whole, true
			}
			if !king || !w.v.flying {
				break
			}
		}
	}
	return path[:n], false
}
