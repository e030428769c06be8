package othello

// Stable returns the discs of both sides found to be stable. A disc is stable when it can never turn: in each of
// the four directions its line is full, or ends at the disc, or has a stable disc of the
// same colour next to it. All discs found, from the corners and full lines inwards, are
// stable; a few discs that are stable for deeper reasons are missed (Rosenbloom, "A
// World-Championship-Level Othello Program", 1982, for the terms; the fixed point is the
// usual one).
func Stable(black, white Bitboard) (blacks, whites Bitboard) {
	full := fullLines(black | white)
	return stableDiscs(black, &full), stableDiscs(white, &full)
}

const border = Row1 | Row8 | ColumnA | ColumnH

// stableDiscs returns the discs of own found to be stable. full are the squares whose line
// in a direction is full.
func stableDiscs(own Bitboard, full *[4]Bitboard) Bitboard {
	// A square on the border has no neighbour on one side of three directions: beyond it
	// nothing can turn the disc along them.
	var safe [4]Bitboard
	safe[0] = full[0] | ColumnA | ColumnH
	safe[1] = full[1] | Row1 | Row8
	safe[2] = full[2] | border
	safe[3] = full[3] | border
	found := Bitboard(0)
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
func shift(b Bitboard, direction int) Bitboard {
	switch direction {
	case 0:
		return b &^ ColumnH << 1
	case 1:
		return b << 8
	case 2:
		return b &^ ColumnH << 9
	}
	return b &^ ColumnA << 7
}

// shiftBack is the inverse of shift.
func shiftBack(b Bitboard, direction int) Bitboard {
	switch direction {
	case 0:
		return b &^ ColumnA >> 1
	case 1:
		return b >> 8
	case 2:
		return b &^ ColumnA >> 9
	}
	return b &^ ColumnH >> 7
}

// fullLines returns the occupied squares whose line, by direction of shift, has no empty
// square: the complement of the empty squares spread along it.
func fullLines(occupied Bitboard) (full [4]Bitboard) {
	for d := range full {
		open := ^occupied
		for range 7 {
			open |= shift(open, d) | shiftBack(open, d)
		}
		full[d] = ^open
	}
	return full
}
