package shogi

import (
	"sync"

	"kifu/games"
	"kifu/games/shogi"
)

// influence is the count of a piece on a square for one of the kings.
type influence struct {
	attacks uint8 // the weights of its attacks on the squares around the king; 0 for pieces with a long reach
	term    uint8 // of its distance from the king; termsCount for none
}

// rows holds the influences by side and square of the king, and side, kind and square of the piece.
// A king on NoSquare, or a king as a piece, has none.
type rows [2][shogi.NoSquare + 1][2][16][128]influence

// influences returns the table, which is made when it is first asked for.
var influences = sync.OnceValue(func() *rows {
	all := new(rows)
	for king := range all {
		for at := range all[king] {
			for side := range all[king][at] {
				for k := range all[king][at][side] {
					for s := range all[king][at][side][k] {
						all[king][at][side][k][s].term = termsCount
					}
					if k > int(shogi.NoKind) && k <= int(shogi.Dragon) && shogi.Square(at) < shogi.NoSquare {
						fill(&all[king][at][side][k], games.Side(king), shogi.Square(at), games.Side(side), shogi.Kind(k))
					}
				}
			}
		}
	}
	return all
})

// fill sets the influences of pieces of one kind on a king.
func fill(row *[128]influence, king games.Side, at shogi.Square, side games.Side, k shogi.Kind) {
	kings := [2]shogi.Square{shogi.NoSquare, shogi.NoSquare}
	kings[king] = at
	for s := range shogi.NoSquare {
		if mobilityOf[k] < 0 {
			var x shogi.Pressure
			x.Add(side, shogi.Attacks(k, side, s, shogi.Bitboard{}), kings)
			row[s].attacks = uint8(x.Attack[king] + x.Defence[king])
		}
		class, d := placeOf[k], distance(s, at)
		switch {
		case class < 0:
		case side != king && 1 <= d && d <= 4:
			row[s].term = uint8(attack + 4*class + d - 1)
		case side == king && 1 <= d && d <= 3:
			row[s].term = uint8(shelter + 3*class + d - 1)
		}
	}
}

// distance returns the number of king's moves between two squares on an empty board.
func distance(s, t shogi.Square) int {
	files, ranks := s.File()-t.File(), s.Rank()-t.Rank()
	return max(files, -files, ranks, -ranks)
}
