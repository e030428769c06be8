package othello

import "math/bits"

// Square is a square: a1, in the upper left corner, is 0, b1 is 1, a2 is 8, h8 is 63.
type Square uint8

// SquareAt returns the square of a column (0 is a) and a row (0 is the first).
func SquareAt(column, row int) Square { return Square(row<<3 | column) }

// Column returns the column of s, 0 (a) to 7 (h).
func (s Square) Column() int { return int(s & 7) }

// Row returns the row of s, 0 (first, at the top) to 7 (eighth).
func (s Square) Row() int { return int(s >> 3) }

// Bit returns the bitboard of s alone.
func (s Square) Bit() Bitboard { return 1 << (s & 63) }

// String returns s as "f5".
func (s Square) String() string { return string([]byte{'a' + byte(s&7), '1' + byte(s>>3&7)}) }

// Bitboard is a set of squares: bit n is square n.
type Bitboard uint64

// Sets that the rules' own columns and evaluators ask for.
const (
	ColumnA Bitboard = 0x0101010101010101
	ColumnH Bitboard = ColumnA << 7
	Row1    Bitboard = 0xff
	Row8    Bitboard = Row1 << 56
	Corners Bitboard = 0x8100000000000081
)

// Count returns the number of squares in b.
func (b Bitboard) Count() int { return bits.OnesCount64(uint64(b)) }

// First returns the lowest square of b, which must not be empty.
func (b Bitboard) First() Square { return Square(bits.TrailingZeros64(uint64(b))) }

// Rest returns b without its lowest square: for b != 0 { s := b.First(); …; b = b.Rest() }.
func (b Bitboard) Rest() Bitboard { return b & (b - 1) }

// Has reports whether s is in b.
func (b Bitboard) Has(s Square) bool { return b>>(s&63)&1 != 0 }

// Neighbours returns the squares left, right, above, below and diagonal to the squares of b, with
// the squares of b that are next to another.
func (b Bitboard) Neighbours() Bitboard {
	sides := b&^ColumnH<<1 | b&^ColumnA>>1
	all := b | sides
	return sides | all<<8 | all>>8
}

// OddRegions returns the squares of b in a region of an odd number of squares; a
// region is connected along rows and columns, not diagonally. n is the number of such
// regions.
func (b Bitboard) OddRegions() (odd Bitboard, n int) {
	for b != 0 {
		region := b & -b
		for grown := Bitboard(0); grown != region; {
			grown = region
			region |= (region<<8 | region>>8 | region&^ColumnH<<1 | region&^ColumnA>>1) & b
		}
		if region.Count()&1 != 0 {
			odd |= region
			n++
		}
		b &^= region
	}
	return odd, n
}
