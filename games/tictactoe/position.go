// Package tictactoe holds the rules of tic-tac-toe on three by three squares: the
// smallest game that goes through every stage, small enough to check by counting all of
// it.
//
// X moves first; three marks of one player in a row, column or diagonal win; a full
// board without such a line is a draw. Squares have the names of chess: a1 is in the
// lower left corner. Records are movetext as in PGN, "1. b2 a1 2. c3 …", and a reader of
// PGN reads them.
package tictactoe

import (
	"math/bits"

	"kifu/games"
)

// X and O are the sides by their names in tic-tac-toe.
const (
	X = games.First
	O = games.Second
)

// Squares is a set of squares: bit 0 is a1, bit 1 b1, bit 3 a2, bit 8 c3.
type Squares uint16

// Board is all squares.
const Board Squares = 1<<9 - 1

// Count returns the number of squares in s.
func (s Squares) Count() int { return bits.OnesCount16(uint16(s)) }

// Lines returns the rows, columns and diagonals.
func Lines() [8]Squares {
	return [8]Squares{0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124}
}

// Position is a position. Who is to move follows from the number of marks. The zero
// Position is the start.
type Position struct{ marks [2]Squares }

// Marks returns the squares that a side has taken.
func (p Position) Marks(side games.Side) Squares { return p.marks[side&1] }

// Empty returns the free squares.
func (p Position) Empty() Squares { return Board &^ (p.marks[X] | p.marks[O]) }

// ToMove returns the side whose turn it is.
func (p Position) ToMove() games.Side { return games.Side(p.Empty().Count()&1 ^ 1) }

// move returns the move that takes the lowest square of s.
func move(s Squares) games.Move { return games.Move(bits.TrailingZeros16(uint16(s)) + 1) }

// square returns the square that m takes.
func square(m games.Move) Squares { return 1 << (m - 1) & Board }

// AppendMoves appends the legal moves by square: none when a line is full.
func (p Position) AppendMoves(dst []games.Move) []games.Move {
	if won(p.marks[X]) || won(p.marks[O]) {
		return dst
	}
	return appendSquares(dst, p.Empty())
}

func appendSquares(dst []games.Move, s Squares) []games.Move {
	for ; s != 0; s &= s - 1 {
		dst = append(dst, move(s))
	}
	return dst
}

// AppendTactics appends what the quiescence search follows: the moves that win at once,
// in ascending order. The end of the game, which has no moves, is forced, so that the
// search sees it.
func (p Position) AppendTactics(dst []games.Move) (moves []games.Move, forced bool) {
	if p.Outcome() != games.Undecided {
		return dst, true
	}
	return appendSquares(dst, p.Threats(p.ToMove())), false
}

// Threats returns the empty squares that complete a line of side.
func (p Position) Threats(side games.Side) (squares Squares) {
	empty := p.Empty()
	for _, line := range Lines() {
		if (line & p.marks[side&1]).Count() == 2 {
			squares |= line & empty
		}
	}
	return squares
}

// Play returns the position after m, which must be legal.
func (p Position) Play(m games.Move) Position {
	p.marks[p.ToMove()&1] |= square(m)
	return p
}

// Outcome returns the winner, or a draw when the board is full.
func (p Position) Outcome() games.Outcome {
	switch {
	case won(p.marks[X]):
		return games.FirstWins
	case won(p.marks[O]):
		return games.SecondWins
	case p.Empty() == 0:
		return games.Drawn
	}
	return games.Undecided
}

func won(marks Squares) bool {
	for _, line := range Lines() {
		if marks&line == line {
			return true
		}
	}
	return false
}

// Hash applies the finalizer of SplitMix64 (Steele, Lea, Flood, 2014) to the marks: no
// two positions have the same. It is part of the datasets and must never change.
func (p Position) Hash() uint64 {
	z := (uint64(p.marks[X]) | uint64(p.marks[O])<<9) + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
