package shogi

import "kifu/games"

// Play returns the position after m, which must be legal.
func (p Position) Play(m games.Move) Position {
	us, to := p.side&1, To(m)
	p.side = us ^ 1
	p.plies++
	p.last = to + 1
	target := to.Bit()
	if IsDrop(m) {
		k := Dropped(m)
		p.hands[us] -= one(k)
		p.put(k, us, target)
		return p
	}
	from := From(m)
	k, taken := p.KindAt(from), p.KindAt(to)
	touched := target.Or(from.Bit())
	p.b0, p.b1, p.b2, p.b3 = p.b0.Without(touched), p.b1.Without(touched), p.b2.Without(touched), p.b3.Without(touched)
	p.white = p.white.Without(touched)
	if taken != NoKind {
		p.hands[us] += one(taken.Base())
	}
	p.put(k+Kind(m&1)*Promoted, us, target)
	return p
}

// put places a piece on an empty square.
func (p *Position) put(k Kind, side games.Side, s Bitboard) {
	x0, x1, x2, x3, w := -uint64(k&1), -uint64(k>>1&1), -uint64(k>>2&1), -uint64(k>>3&1), -uint64(side&1)
	p.b0.Lo, p.b0.Hi = p.b0.Lo|s.Lo&x0, p.b0.Hi|s.Hi&x0
	p.b1.Lo, p.b1.Hi = p.b1.Lo|s.Lo&x1, p.b1.Hi|s.Hi&x1
	p.b2.Lo, p.b2.Hi = p.b2.Lo|s.Lo&x2, p.b2.Hi|s.Hi&x2
	p.b3.Lo, p.b3.Hi = p.b3.Lo|s.Lo&x3, p.b3.Hi|s.Hi&x3
	p.white.Lo, p.white.Hi = p.white.Lo|s.Lo&w, p.white.Hi|s.Hi&w
}
