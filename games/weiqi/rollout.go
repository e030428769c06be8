package weiqi

import (
	"math/bits"

	"kifu/games"
)

var _ games.RandomPlayer[Position] = Rules{}

// RandomMove draws one of the points where a stone is legal and does not fill an own eye; without
// such a point it passes (Brügmann, "Monte Carlo Go", 1993; the eyes follow Gelly, Wang, Munos and
// Teytaud, "Modification of UCT with Patterns in Monte-Carlo Go", 2006).
func (Rules) RandomMove(p Position, draw func(n int) int) games.Move {
	points := p.Empty()
	for n := points.Count(); n > 0; n-- {
		at := points.nth(draw(n))
		if p.legal(at) && !p.fillsEye(at) {
			return Move(at)
		}
		points.Remove(at)
	}
	return Pass
}

// randomLength is the number of moves of a random game, in points of the board, after which
// it is counted on the board: without the rule on whole boards kos can go round.
const randomLength = 3

// RandomOutcome counts the area after two passes in a row, both of them random, so that dead
// stones that players would have agreed upon are taken first; komi is included, whatever the
// rules prescribe for territory.
func (Rules) RandomOutcome(p Position, moves int) games.Outcome {
	size := int(p.size)
	if !p.ended() && (p.passes < 2 || moves < 2) && moves < randomLength*size*size {
		return games.Undecided
	}
	switch n := 100*(p.Area(Black)-p.Area(White)) - int(p.komi); {
	case n > 0:
		return games.FirstWins
	case n < 0:
		return games.SecondWins
	}
	return games.Drawn
}

// fillsEye reports whether at, which is empty, is an eye of the side to move: all neighbours
// are its stones, and of the points diagonal to it the other side has at most one, at the edge
// none.
func (p *Position) fillsEye(at Point) bool {
	one, board := At(at), &boards[p.size]
	around := neighbours[at].And(board)
	if others := around.Without(&p.stones[p.side]); !others.Empty() {
		return false
	}
	sides, west := one.East(), one.West()
	sides = sides.Or(&west)
	diagonals, below := sides.North(), sides.South()
	diagonals = diagonals.Or(&below).And(board)
	foes := diagonals.CountAnd(&p.stones[p.side^1])
	if diagonals.Count() < 4 {
		return foes == 0
	}
	return foes <= 1
}

// nth returns the point of b that has n lower ones; b must have more than n.
func (b *Bitboard) nth(n int) Point {
	for i, w := range b {
		if here := bits.OnesCount64(w); n >= here {
			n -= here
			continue
		}
		for ; n > 0; n-- {
			w &= w - 1
		}
		return Point(64*i + bits.TrailingZeros64(w))
	}
	return noPoint
}
