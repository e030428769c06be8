package shogi

import (
	"math/bits"

	"kifu/games"
)

// Square is a square of the board, file after file: 9·file + rank, with file 0 for
// Shogi's file 1 (the right-most as Black sees it) and rank 0 for Shogi's rank 1 (a),
// Black's far side. 7g is 9·6 + 6 = 60.
type Square uint8

// NoSquare means no square.
const NoSquare Square = 81

// At returns the square of a file and a rank, both from 0.
func At(file, rank int) Square { return Square(9*file + rank) }

// File returns the file of s, 0 to 8.
func (s Square) File() int { return int(s) / 9 }

// Rank returns the rank of s, 0 to 8.
func (s Square) Rank() int { return int(s) % 9 }

// Bit returns the set of s alone; the empty set for NoSquare and above.
func (s Square) Bit() Bitboard {
	return Bitboard{1 << s & lowMask, 1 << (uint64(s) - lowSize) & highMask}
}

// Bitboard is a set of squares. Files 1 to 7 are the low word's 63 bits, files 8 and 9
// the high word's 18, so that no file is cut: what happens on one file, a pawn's step
// or a lance's line, stays within a word.
type Bitboard struct{ Lo, Hi uint64 }

const (
	lowSize  = 63
	lowMask  = 1<<63 - 1
	highMask = 1<<18 - 1
	// lowRank and highRank have the bits of rank 1.
	lowRank  = 1 | 1<<9 | 1<<18 | 1<<27 | 1<<36 | 1<<45 | 1<<54
	highRank = 1 | 1<<9
)

// full is the whole board.
func full() Bitboard { return Bitboard{lowMask, highMask} }

// RankOf returns all squares of a rank, 0 to 8.
func RankOf(rank int) Bitboard { return Bitboard{lowRank << rank, highRank << rank} }

// FileOf returns all squares of a file, 0 to 8.
func FileOf(file int) Bitboard {
	if file < 7 {
		return Bitboard{511 << (9 * file), 0}
	}
	return Bitboard{0, 511 << (9*file - lowSize)}
}

// And returns the squares of both sets.
func (b Bitboard) And(c Bitboard) Bitboard { return Bitboard{b.Lo & c.Lo, b.Hi & c.Hi} }

// Or returns the squares of either set.
func (b Bitboard) Or(c Bitboard) Bitboard { return Bitboard{b.Lo | c.Lo, b.Hi | c.Hi} }

// Xor returns the squares of one set alone.
func (b Bitboard) Xor(c Bitboard) Bitboard { return Bitboard{b.Lo ^ c.Lo, b.Hi ^ c.Hi} }

// Without returns the squares of b that are not in c.
func (b Bitboard) Without(c Bitboard) Bitboard { return Bitboard{b.Lo &^ c.Lo, b.Hi &^ c.Hi} }

// Empty reports whether no square is in the set.
func (b Bitboard) Empty() bool { return b.Lo|b.Hi == 0 }

// Meets reports whether a square is in both sets.
func (b Bitboard) Meets(c Bitboard) bool { return b.Lo&c.Lo|b.Hi&c.Hi != 0 }

// Has reports whether s is in the set.
func (b Bitboard) Has(s Square) bool { return b.Meets(s.Bit()) }

// Count returns the number of squares.
func (b Bitboard) Count() int { return bits.OnesCount64(b.Lo) + bits.OnesCount64(b.Hi) }

// One reports whether the set has at most one square.
func (b Bitboard) One() bool { return b.Rest().Empty() }

// First returns the lowest square of the set, which must not be empty.
func (b Bitboard) First() Square {
	if b.Lo != 0 {
		return Square(bits.TrailingZeros64(b.Lo))
	}
	return Square(lowSize + bits.TrailingZeros64(b.Hi))
}

// Rest returns the set without its lowest square.
func (b Bitboard) Rest() Bitboard {
	if b.Lo != 0 {
		return Bitboard{b.Lo & (b.Lo - 1), b.Hi}
	}
	return Bitboard{0, b.Hi & (b.Hi - 1)}
}

// up returns the set one rank towards Black's far side; no square of it may be on rank 1.
func (b Bitboard) up() Bitboard { return Bitboard{b.Lo >> 1, b.Hi >> 1} }

// down is up towards the other side; no square of the set may be on rank 9.
func (b Bitboard) down() Bitboard { return Bitboard{b.Lo << 1, b.Hi << 1} }

// forward returns the set one rank ahead as side sees it; what leaves the board is gone.
func (b Bitboard) forward(side games.Side) Bitboard {
	if side&1 == White {
		return Bitboard{b.Lo &^ (lowRank << 8) << 1, b.Hi &^ (highRank << 8) << 1}
	}
	return Bitboard{b.Lo &^ lowRank >> 1, b.Hi &^ highRank >> 1}
}

// left returns the set one file towards file 9, right towards file 1; what leaves the board is gone.
func (b Bitboard) left() Bitboard {
	return Bitboard{b.Lo << 9 & lowMask, (b.Hi<<9 | b.Lo>>54) & highMask}
}

func (b Bitboard) right() Bitboard { return Bitboard{b.Lo>>9 | b.Hi<<54&lowMask, b.Hi >> 9} }

// files returns all squares of the files on which b has a square.
func (b Bitboard) files() Bitboard { return Bitboard{filesOf(b.Lo, lowRank), filesOf(b.Hi, highRank)} }

// Files returns the number of files on which b has a square.
func (b Bitboard) Files() int {
	return Bitboard{b.files().Lo & lowRank, b.files().Hi & highRank}.Count()
}

// filesOf fills the groups of nine bits that are not empty; first has each group's
// lowest bit. Adding 255 to a group's low eight bits sets its top bit if one of them is set.
func filesOf(w, first uint64) uint64 {
	top := first << 8
	w = (w&^top + (top - first) | w) & top
	return w | (w - w>>8)
}

// reverse swaps the order of the bytes of the set seen as 128 bits. It mirrors any line
// with at most one square a byte: all lines but files.
func (b Bitboard) reverse() Bitboard {
	return Bitboard{bits.ReverseBytes64(b.Hi), bits.ReverseBytes64(b.Lo)}
}

// upTo returns the bits of line from its lowest up to the lowest that is in occupied.
func upTo(line, occupied Bitboard) Bitboard {
	x := line.And(occupied)
	lo, borrow := bits.Sub64(x.Lo, 1, 0)
	return Bitboard{(x.Lo ^ lo) & line.Lo, (x.Hi ^ (x.Hi - borrow)) & line.Hi}
}
