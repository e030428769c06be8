package othello

import "math/bits"

// mobility returns the set of empty squares on which own may move against opp: along each
// of the eight directions it follows runs of opp that begin next to a disc of own, in steps
// of one and two; the square after the run is a move.
func mobility(own, opp Bitboard) Bitboard {
	inner := opp &^ (ColumnA | ColumnH) // runs along rows and diagonals cannot go round the edge
	return (beyond(own, inner, 1) | beyond(own, opp, 8) | beyond(own, inner, 7) | beyond(own, inner, 9)) &^ (own | opp)
}

// beyond returns the squares just after runs of opp that begin next to own, shift squares
// apart, in both directions.
func beyond(own, opp Bitboard, shift uint) Bitboard {
	shift &= 31
	up, down := opp&(own<<shift), opp&(own>>shift)
	up |= opp & (up << shift)
	down |= opp & (down >> shift)
	pairUp, pairDown := opp&(opp<<shift), opp&(opp>>shift)
	double := 2 * shift & 31
	up |= pairUp & (up << double)
	down |= pairDown & (down >> double)
	up |= pairUp & (up << double)
	down |= pairDown & (down >> double)
	return up<<shift | down>>shift
}

// rays are, by square, the squares seen from it in four directions: [0] to [3] towards
// higher squares (east, south-west, south, south-east), [4] to [7] towards lower ones.
type rays [8]Bitboard

var raysFrom = func() (all [64]rays) {
	directions := [8][2]int{{1, 0}, {-1, 1}, {0, 1}, {1, 1}, {-1, 0}, {1, -1}, {0, -1}, {-1, -1}}
	for s := range Square(64) {
		for d, step := range directions {
			for x, y := s.Column()+step[0], s.Row()+step[1]; x >= 0 && x < 8 && y >= 0 && y < 8; x, y = x+step[0], y+step[1] {
				all[s][d] |= SquareAt(x, y).Bit()
			}
		}
	}
	return all
}()

// flips returns the set of discs of opp that turn when own moves to s, empty when it may
// not.
func flips(s Square, own, opp Bitboard) Bitboard {
	r := &raysFrom[s&63]
	return flipsUp(r[0], own, opp) | flipsUp(r[1], own, opp) | flipsUp(r[2], own, opp) | flipsUp(r[3], own, opp) |
		flipsDown(r[4], own, opp) | flipsDown(r[5], own, opp) | flipsDown(r[6], own, opp) | flipsDown(r[7], own, opp)
}

// flipsUp adds to the lowest square of the ray. The carry runs through the discs of opp, and
// through all squares off the ray, to the first square of the ray without such a disc.
func flipsUp(ray, own, opp Bitboard) Bitboard {
	low := ray & -ray
	end := ((opp | ^ray) + low) & own & ray
	some := Bitboard(int64(end|-end) >> 63)
	return (end - low) & ray & some
}

// flipsDown: the highest square of the ray without a disc of opp ends the run.
func flipsDown(ray, own, opp Bitboard) Bitboard {
	end := Bitboard(1<<63>>bits.LeadingZeros64(uint64(ray&^opp))) & own
	return ray & -(end << 1)
}
