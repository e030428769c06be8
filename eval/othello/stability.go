package othello

import "kifu/games/othello"

// countStable counts the stable discs. A disc is stable when it can never turn: in each of
// the four directions its line is full, or ends at the disc, or has a stable disc of the
// same colour next to it. All discs found, from the corners and full lines inwards, are
// stable; a few discs that are stable for deeper reasons are missed (Rosenbloom, "A
// World-Championship-Level Othello Program", 1982, for the terms; the fixed point is the
// usual one).
func countStable(counts *[termCount]int32, black, white othello.Bitboard) {
	full := fullLines(black | white)
	counts[stable] = int32(stableDiscs(black, &full).Count() - stableDiscs(white, &full).Count())
}

const border = othello.Row1 | othello.Row8 | othello.ColumnA | othello.ColumnH

// stableDiscs returns the discs of own found to be stable. full are the squares whose line
// in a direction is full.
func stableDiscs(own othello.Bitboard, full *[4]othello.Bitboard) othello.Bitboard {
	// A square on the border has no neighbour on one side of three directions: beyond it
	// nothing can turn the disc along them.
	var safe [4]othello.Bitboard
	safe[0] = full[0] | othello.ColumnA | othello.ColumnH
	safe[1] = full[1] | othello.Row1 | othello.Row8
	safe[2] = full[2] | border
	safe[3] = full[3] | border
	found := othello.Bitboard(0)
	for {
		next := own
		for d := range safe {
			next &= safe[d] | shift(found, d) | shiftBack(found, d)
		}
		if next == found {
			return found
		}
		found = next
	}
}

// shift moves squares one step: 0 east, 1 south, 2 south-east, 3 south-west. What leaves
// the board is lost.
func shift(b othello.Bitboard, direction int) othello.Bitboard {
	switch direction {
	case 0:
		return b &^ othello.ColumnH << 1
	case 1:
		return b << 8
	case 2:
		return b &^ othello.ColumnH << 9
	}
	return b &^ othello.ColumnA << 7
}

// shiftBack is the inverse of shift.
func shiftBack(b othello.Bitboard, direction int) othello.Bitboard {
	switch direction {
	case 0:
		return b &^ othello.ColumnA >> 1
	case 1:
		return b >> 8
	case 2:
		return b &^ othello.ColumnA >> 9
	}
	return b &^ othello.ColumnH >> 7
}

// fullLines returns the occupied squares whose line, by direction of shift, has no empty
// square: the complement of the empty squares spread along it.
func fullLines(occupied othello.Bitboard) (full [4]othello.Bitboard) {
	for d := range full {
		open := ^occupied
		for range 7 {
			open |= shift(open, d) | shiftBack(open, d)
		}
		full[d] = ^open
	}
	return full
}
