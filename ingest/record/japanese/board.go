package japanese

import "strconv"

// Kind is a kind of piece: its letter in SFEN, with Promoted added.
type Kind uint8

// Promoted marks a promoted piece.
const Promoted Kind = 0x80

// handOrder is the order in which SFEN lists hands.
const handOrder = "RBGSNLP"

// Board is a start position put together from the statements of a record. Nothing is
// known of it but what was put there: whether it can be is for the rules.
type Board struct {
	squares [81]uint8 // of files 1 to 9, rank by rank; the letter, small for White, with Promoted; 0 if empty
	hands   [2]['S' + 1]uint8
	White   bool // White is to move
}

// Clear takes all pieces off.
func (b *Board) Clear() { *b = Board{} }

// usual is the last rank of the usual start as Black has it; the others follow.
const usual = "LNSGKGSNL"

// SetUp puts all pieces where the usual game begins, Black to move.
func (b *Board) SetUp() {
	b.Clear()
	for i := range 9 {
		file := i + 1
		b.Put(false, Kind(usual[i]), file, 9)
		b.Put(true, Kind(usual[i]), file, 1)
		b.Put(false, 'P', file, 7)
		b.Put(true, 'P', file, 3)
	}
	b.Put(false, 'R', 2, 8)
	b.Put(false, 'B', 8, 8)
	b.Put(true, 'R', 8, 2)
	b.Put(true, 'B', 2, 2)
}

// Usual reports whether b is the usual start.
func (b *Board) Usual() bool {
	var start Board
	start.SetUp()
	return *b == start
}

// Put puts a piece on a square, both numbers from 1 to 9; false if there is no such square.
func (b *Board) Put(white bool, k Kind, file, rank int) bool {
	if file < 1 || file > 9 || rank < 1 || rank > 9 {
		return false
	}
	if white {
		k |= 0x20
	}
	b.squares[9*(file-1)+rank-1] = uint8(k)
	return true
}

// Take takes the piece off a square and reports whether it was of that kind.
func (b *Board) Take(k Kind, file, rank int) bool {
	if file < 1 || file > 9 || rank < 1 || rank > 9 {
		return false
	}
	at := &b.squares[9*(file-1)+rank-1]
	found := Kind(*at)&^0x20 == k
	*at = 0
	return found
}

// Give puts n pieces of an unpromoted kind into a hand; false for one that none can be in.
func (b *Board) Give(white bool, k Kind, n int) bool {
	if k > 'S' || k == 'K' || n > 99 {
		return false
	}
	b.hands[side(white)][k] += uint8(n)
	return true
}

// total is how many pieces of each kind of handOrder there are.
var total = [...]int{2, 2, 4, 4, 4, 4, 18}

// GiveRest puts all pieces that are neither on the board nor in a hand into a hand.
func (b *Board) GiveRest(white bool) {
	for i, letter := range handOrder {
		left := total[i] - int(b.hands[0][letter]) - int(b.hands[1][letter])
		for _, s := range b.squares {
			if Kind(s)&^(Promoted|0x20) == Kind(letter) {
				left--
			}
		}
		if left > 0 {
			b.hands[side(white)][letter] += uint8(left)
		}
	}
}

func side(white bool) int {
	if white {
		return 1
	}
	return 0
}

// AppendSFEN appends the position.
func (b *Board) AppendSFEN(dst []byte) []byte {
	for rank := 1; rank <= 9; rank++ {
		if rank > 1 {
			dst = append(dst, '/')
		}
		empty := 0
		for file := 9; file >= 1; file-- {
			s := b.squares[9*(file-1)+rank-1]
			if s == 0 {
				empty++
				continue
			}
			if empty > 0 {
				dst = append(dst, byte('0'+empty))
			}
			empty = 0
			if Kind(s)&Promoted != 0 {
				dst = append(dst, '+')
			}
			dst = append(dst, s&127)
		}
		if empty > 0 {
			dst = append(dst, byte('0'+empty))
		}
	}
	if b.White {
		dst = append(dst, " w "...)
	} else {
		dst = append(dst, " b "...)
	}
	before := len(dst)
	for i, hand := range b.hands {
		for _, letter := range handOrder {
			n := hand[letter]
			if n > 1 {
				dst = strconv.AppendUint(dst, uint64(n), 10)
			}
			if n > 0 {
				dst = append(dst, byte(letter)|byte(i)<<5)
			}
		}
	}
	if len(dst) == before {
		dst = append(dst, '-')
	}
	return append(dst, " 1"...)
}
