package draughts

import (
	"math/bits"
	"slices"

	"kifu/games"
)

// precedence decides which of several captures must be played.
type precedence uint8

const (
	anyCapture precedence = iota
	mostPieces
	// italianOrder asks in turn for most pieces, for a king that captures, for most kings, and for
	// the kings captured first.
	italianOrder
	// frisianOrder asks for most value, where a king is worth a little less than two men, then for a
	// king that captures.
	frisianOrder
)

// capture searches the captures of one man after the other. A captured man stays on
// the board until the move is over: it cannot be jumped again and nothing passes it.
type capture struct {
	// The captures so far, of which few positions have more than the first list holds. Were they in the
	// caller's list at once, the compiler would put every such list on the heap.
	list [24]games.Move
	n    int
	more []games.Move
	best int // the worth of the captures so far

	empty, opp, kings Bitboard
	from              games.Move // the square that the man left, in its place
	king              bool       // it is one
	first             Direction  // of those in which it jumps as a man
	ways              Direction  // their number
	all               uint8      // the directions in which kings capture, as bits
	crown             Bitboard   // where it would go on as a king
	precedence        precedence
}

// appendCaptures appends the captures of men, each once, in ascending order.
func (p Position) appendCaptures(dst []games.Move, v *variant, men Bitboard) []games.Move {
	c := capture{opp: p.opp, kings: p.kings, all: 1<<v.ways - 1, precedence: v.precedence}
	for ; men != 0; men = men.Rest() {
		from := men.First()
		at := from.Bit()
		c.empty = v.board&^(p.own|p.opp) | at
		c.from = games.Move(from) << fromShift
		c.first, c.ways, c.crown = UpLeft, v.ways, 0
		c.king = p.kings&at != 0
		switch {
		case c.king && v.flying:
			c.fly(at, 0, c.all)
			continue
		case c.king:
			c.opp = p.opp
		case v.kingsSafe:
			c.opp = p.opp &^ p.kings
		}
		switch {
		case c.king:
		case v.passing:
			c.crown = v.crown[p.side&1]
		case !v.backward:
			c.first, c.ways = v.forward[p.side&1], 2
		}
		c.jump(at, 0, 0)
	}
	base := len(dst)
	dst = append(append(dst, c.list[:c.n]...), c.more...)
	if len(dst)-base > 1 {
		slices.Sort(dst[base:])
		dst = dst[:base+len(slices.Compact(dst[base:]))]
	}
	return dst
}

// jump continues from at, where men have been taken, by jumps to the square behind. order has a
// bit for each of the taken, set for kings, the first one highest.
func (c *capture) jump(at, taken Bitboard, order int) {
	over := true
	for d := c.first; d < c.first+c.ways; d++ {
		man := at.Step(d) & c.opp &^ taken
		to := man.Step(d) & c.empty
		if to == 0 {
			continue
		}
		over = false
		if to&c.crown == 0 {
			next := order << 1
			if man&c.kings != 0 {
				next |= 1
			}
			c.jump(to, taken|man, next)
		} else if !c.fly(to, taken|man, c.all) {
			c.add(to, taken|man, 0)
		}
	}
	if over && taken != 0 {
		c.add(at, taken, order)
	}
}

// fly continues from at as a flying king in the directions of a set, and reports whether
// there was anything to take.
func (c *capture) fly(at, taken Bitboard, ways uint8) bool {
	found := false
	for ; ways != 0; ways &= ways - 1 {
		d := Direction(bits.TrailingZeros8(ways))
		next := at.Step(d)
		for next&c.empty != 0 {
			next = next.Step(d)
		}
		man := next & c.opp &^ taken
		if to := man.Step(d) & c.empty; to != 0 {
			found = true
			c.land(to, taken|man, d)
		}
	}
	return found
}

// land continues from the squares behind a captured man, of which to is the first. Only if
// nothing can be taken from any of them may the king stop, on any of them.
func (c *capture) land(to, taken Bitboard, d Direction) {
	sideways := c.all &^ (1<<d | 1<<(d^3))
	more := c.fly(to, taken, sideways|1<<d)
	for at := to.Step(d) & c.empty; at != 0; at = at.Step(d) & c.empty {
		if c.fly(at, taken, sideways) { // what is ahead has been found from the first
			more = true
		}
	}
	if more {
		return
	}
	for at := to; at != 0; at = at.Step(d) & c.empty {
		c.add(at, taken, 0)
	}
}

// add appends the capture that ends on at, unless another is worth more.
func (c *capture) add(at, taken Bitboard, order int) {
	if c.precedence != anyCapture {
		worth := c.worth(taken, order)
		if worth < c.best {
			return
		}
		if worth > c.best {
			c.n, c.more, c.best = 0, nil, worth
		}
	}
	m := c.from | games.Move(at.First())<<toShift | capturing(taken)
	if c.n == len(c.list) {
		c.more = append(c.more, m)
		return
	}
	c.list[c.n] = m
	c.n++
}

// worth returns the place of a capture in the order of precedence.
func (c *capture) worth(taken Bitboard, order int) int {
	n := taken.Count()
	if c.precedence == mostPieces {
		return n
	}
	kings, king := (taken & c.kings).Count(), 0
	if c.king {
		king = 1
	}
	if c.precedence == frisianOrder {
		const pieces = 32 // more than a side has
		return ((n+kings)*pieces-kings)*2 + king
	}
	const most = 4 // bits of a number of men on 64 squares
	return ((2*n+king)<<most|kings)<<(1<<most) | order
}
