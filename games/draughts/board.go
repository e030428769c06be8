package draughts

import (
	"math/bits"

	"kifu/games"
)

// Bitboard is a set of playing squares.
//
// Both boards share one layout of ten rows of five squares, with White's side at the
// bottom. After every two rows one bit is left out, so that the four steps along the
// diagonals are the same everywhere:
//
//	row 0      0    1    2    3    4          -6  -5
//	row 1    5    6    7    8    9    (10)      \ /
//	row 2     11   12   13   14   15            / \
//	row 3   16   17   18   19   20    (21)    +5  +6
//	…
//	row 9   49   50   51   52   53
//
// A step over an edge lands on a bit left out, or beyond the 54 bits: a mask with the
// board's squares stops it. The board of 64 squares is the upper left part: four
// squares in each of eight rows.
type Bitboard uint64

// Square is the place of a playing square in a Bitboard.
type Square uint8

// Bit returns the set of s alone.
func (s Square) Bit() Bitboard { return 1 << (s & 63) }

// Count returns the number of squares in b.
func (b Bitboard) Count() int { return bits.OnesCount64(uint64(b)) }

// First returns the lowest square of b, which must not be empty.
func (b Bitboard) First() Square { return Square(bits.TrailingZeros64(uint64(b))) }

// Rest returns b without its lowest square.
func (b Bitboard) Rest() Bitboard { return b & (b - 1) }

// Direction is one of the ways along the diagonals, or along rows and columns, seen from White's
// side.
type Direction uint8

// The opposite of d is d^3.
const (
	UpLeft Direction = iota
	UpRight
	DownLeft
	DownRight
	Up // over two rows, to the next playing square of the column
	Left
	Right
	Down
)

var offsets = [8]int{-6, -5, 5, 6, -11, -1, 1, 11}

// steady are the squares from which a step Up, Left, Right and Down does not come to the board's
// other edge; one along a diagonal never does.
var steady = [4]Bitboard{^Bitboard(1<<11 - 1), every &^ oddLeft, every &^ evenRight, every >> 21}

const (
	every     = ^Bitboard(0)
	evenRight = Bitboard(1<<4 | 1<<15 | 1<<26 | 1<<37 | 1<<48) // the last squares of even rows
	oddLeft   = evenRight << 1                                 // the first ones of odd rows
)

// Step moves every square of b one step. What leaves the board is not cut off.
func (b Bitboard) Step(d Direction) Bitboard {
	if d > DownRight {
		b &= steady[d&3]
	}
	return Bitboard(bits.RotateLeft64(uint64(b), offsets[d&7]))
}

// Back moves every square of b one step against d.
func (b Bitboard) Back(d Direction) Bitboard { return b.Step(d ^ 3) }

// turn rotates the board by a half turn: a square goes to the last square's number less its
// own.
func (b Bitboard) turn(width int) Bitboard {
	return Bitboard(bits.Reverse64(uint64(b)) >> (63 - place(width-1, width/2-1)))
}

// place returns the square in the given row and place in the row.
func place(row, i int) Square { return Square(row/2*11 + row%2*5 + i) }

// Row returns the row of s, from 0 at Black's side.
func (s Square) Row() int {
	pair, i := int(s)/11, int(s)%11
	if i >= 5 {
		return 2*pair + 1
	}
	return 2 * pair
}

// Column returns the column of s, from 0 at White's left.
func (s Square) Column() int {
	i := int(s) % 11
	if i >= 5 {
		return 2 * (i - 5)
	}
	return 2*i + 1
}

// squares returns the places of the board's squares in the order of their numbers, from 1
// at Black's left corner row by row, and back. On a mirrored board the numbers of a row run the
// other way.
func squares(width int, mirrored bool) (squareOf [51]Square, numberOf [64]uint8) {
	for n := 1; n <= width*width/2; n++ {
		i := (n - 1) % (width / 2)
		if mirrored {
			i = width/2 - 1 - i
		}
		s := place((n-1)/(width/2), i)
		squareOf[n], numberOf[s] = s, uint8(n)
	}
	return squareOf, numberOf
}

// A move has, from its highest bits down, the Direction of a quiet move (0 for a capture), the
// origin, the target and the set of captured squares. No man in a corner can be captured, and
// the last two squares of the last row that can be take bits 10 and 21, which no square has. So
// 50 bits are enough. In this form the generator yields quiet moves of men in ascending order.
const (
	takenBits = 50
	toShift   = takenBits
	fromShift = toShift + 6
	wayShift  = fromShift + 6

	spare1, last1 = Bitboard(1) << 10, Bitboard(1) << 51
	spare2, last2 = Bitboard(1) << 21, Bitboard(1) << 52
)

// capturing returns the part of a move that is the set of captured squares.
func capturing(taken Bitboard) games.Move {
	return games.Move(taken&^(last1|last2)|taken&last1>>41|taken&last2>>31) >> 1
}

// From returns the square that m goes from.
func From(m games.Move) Square { return Square(m >> fromShift & 63) }

// To returns the square that m goes to; a capture may end where it began.
func To(m games.Move) Square { return Square(m >> toShift & 63) }

// Taken returns the set of the squares whose men m captures, empty for a quiet move.
func Taken(m games.Move) Bitboard {
	taken := Bitboard(m&(1<<takenBits-1)) << 1
	return taken&^(spare1|spare2) | taken&spare1<<41 | taken&spare2<<31
}
