package othello

import (
	"kifu/games"
	"kifu/games/othello"
)

// extract counts all terms of p, Black's less White's. Value and Trace both use it.
func extract(p othello.Position) (counts [termCount]int32) {
	black, white := p.Discs(othello.Black), p.Discs(othello.White)
	empty := p.Empty()
	odd, _ := empty.OddRegions()
	count(&counts, 1, black, white, empty, p.Moves(othello.Black), odd)
	count(&counts, -1, white, black, empty, p.Moves(othello.White), odd)
	blackStable, whiteStable := othello.Stable(black, white)
	counts[stable] = int32(blackStable.Count() - whiteStable.Count())
	turn := p.ToMove().Sign()
	counts[toMove] = turn
	counts[parity] = lastMover(p.ToMove(), empty).Sign()
	return counts
}

// lastMover returns the side that makes the last move without passes.
func lastMover(toMove games.Side, empty othello.Bitboard) games.Side {
	if empty.Count()&1 != 0 {
		return toMove
	}
	return toMove.Other()
}

// count adds the counts of one side, times sign. moves are the squares to which it could
// move now, whoever's turn it is; odd are the empty squares of odd regions.
func count(counts *[termCount]int32, sign int32, own, other, empty, moves, odd othello.Bitboard) {
	add := func(term int, squares othello.Bitboard) { counts[term] += sign * int32(squares.Count()) }
	add(discs, own)
	for i := range classes {
		add(classes[i].term, own&classes[i].squares)
	}

	// C- and X-squares next to a corner that is still empty give it away.
	near := (empty & othello.Corners).Neighbours() & own
	add(xSquareOpen, near&classes[xSquare-corner].squares)
	add(cSquareOpen, near&^classes[xSquare-corner].squares)
	add(cornerMoves, moves&othello.Corners)

	add(mobility, moves)
	if moves == 0 {
		counts[noMove] += sign
	}
	// Squares next to discs of the other may become moves (potential mobility); own discs
	// next to empty squares give the other such squares (the frontier).
	add(potential, empty&other.Neighbours())
	add(frontier, own&empty.Neighbours())
	add(oddRegionMoves, moves&odd)
}
