package chess

import (
	"math/bits"

	"kifu/games"
	"kifu/games/chess/written"
)

// White and Black are the sides by their names in chess.
const (
	White = games.First
	Black = games.Second
)

// Kind is a kind of man, without its colour.
type Kind = written.Piece

// NoKind is the kind of an empty square. The bits of the others make the common
// unions cheap: see Position.
const (
	NoKind = written.None
	Pawn   = written.Pawn
	Knight = written.Knight
	Bishop = written.Bishop
	Rook   = written.Rook
	Queen  = written.Queen
	King   = written.King
)

// Square is a square: a1 is 0, b1 is 1, h8 is 63.
type Square uint8

// NoSquare is the absence of a square where one is optional.
const NoSquare Square = 64

// SquareAt returns the square of a file (0 is a) and a rank (0 is the first).
func SquareAt(file, rank int) Square { return Square(rank<<3 | file) }

// File returns the file of s, 0 (a) to 7 (h).
func (s Square) File() int { return int(s & 7) }

// Rank returns the rank of s, 0 (first) to 7 (eighth).
func (s Square) Rank() int { return int(s >> 3) }

// Flip mirrors s from White's half of the board to Black's and back: a1 to a8.
func (s Square) Flip() Square { return s ^ 56 }

// Bit returns the bitboard of s alone.
func (s Square) Bit() Bitboard { return 1 << (s & 63) }

// String returns s as "e4".
func (s Square) String() string {
	if s >= NoSquare {
		return "-"
	}
	return string([]byte{'a' + byte(s&7), '1' + byte(s>>3)})
}

// Bitboard is a set of squares: bit n is square n.
type Bitboard uint64

// Files and ranks by their edges; the others are shifts of these.
const (
	FileA Bitboard = 0x0101010101010101
	FileH Bitboard = FileA << 7
	Rank1 Bitboard = 0xff
	Rank8 Bitboard = Rank1 << 56

	// DarkSquares are the squares of a1's colour.
	DarkSquares Bitboard = 0xaa55aa55aa55aa55
)

// FileOf returns the file, 0 (a) to 7 (h), as a set.
func FileOf(file int) Bitboard { return FileA << (file & 7) }

// RankOf returns the rank, 0 (first) to 7 (eighth), as a set.
func RankOf(rank int) Bitboard { return Rank1 << (rank & 7 * 8) }

// Count returns the number of squares in b.
func (b Bitboard) Count() int { return bits.OnesCount64(uint64(b)) }

// First returns the lowest square of b, NoSquare when b is empty.
func (b Bitboard) First() Square { return Square(bits.TrailingZeros64(uint64(b))) }

// Last returns the highest square of b, which must not be empty.
func (b Bitboard) Last() Square { return Square(63 - bits.LeadingZeros64(uint64(b))) }

// Rest returns b without its lowest square: for b != 0 { s := b.First(); …; b = b.Rest() }.
func (b Bitboard) Rest() Bitboard { return b & (b - 1) }

// Has reports whether s is in b.
func (b Bitboard) Has(s Square) bool { return b>>(s&63)&1 != 0 }

// Flip mirrors b from White's half of the board to Black's and back.
func (b Bitboard) Flip() Bitboard { return Bitboard(bits.ReverseBytes64(uint64(b))) }

// North, South, East and West move every square of b one step; what leaves the board
// is lost.
func (b Bitboard) North() Bitboard { return b << 8 }

// South: see North.
func (b Bitboard) South() Bitboard { return b >> 8 }

// East: see North.
func (b Bitboard) East() Bitboard { return b &^ FileH << 1 }

// West: see North.
func (b Bitboard) West() Bitboard { return b &^ FileA >> 1 }

// NorthFill returns b with all squares north of its own.
func (b Bitboard) NorthFill() Bitboard {
	b |= b << 8
	b |= b << 16
	return b | b<<32
}

// SouthFill returns b with all squares south of its own.
func (b Bitboard) SouthFill() Bitboard {
	b |= b >> 8
	b |= b >> 16
	return b | b>>32
}

// FileFill returns the files that b has squares on.
func (b Bitboard) FileFill() Bitboard { return b.SouthFill() & Rank1 * FileA }
