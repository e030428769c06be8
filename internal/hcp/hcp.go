// Package hcp packs positions of Shogi into 32 bytes as training data of engines has them: a
// Huffman code of exactly 256 bits, as every piece on the board takes as many bits more than
// in hand as an empty square takes. Two codes are in use: Apery's (hcp), and YaneuraOu's
// (PackedSfen), which differ in the pieces' codes and in the order of promotion and colour.
//
// It handles the squares of the pieces and what a move does to them, not which moves are legal.
package hcp

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// size is the length of a packed position in bytes.
const size = 32

// Kinds are the letters of the pieces, in the order of hands.
const Kinds = "PLNSGBR"

// Promoted is set in the letter of a promoted piece.
const Promoted = 0x80

// Position holds the squares of the pieces. Squares go file by file from the first player's right,
// each from the top: 0 is 1a, 1 is 1b. A piece is its letter, small for White; 0 is none.
type Position struct {
	Squares [81]byte
	Hands   [2][7]uint8 // by side and kind
	White   bool        // White is to move
}

// Code is one of the two codes.
type Code struct {
	board, hand     [7]prefix
	colourFirst     bool   // in a piece on the board
	drop, promotion uint16 // bits of a move; no drop: it comes from 81 on

	squares [256]word     // what is written for the letter on a square
	letters [1 << 8]found // by the next bits: what is on a square
	inHand  [1 << 8]found // by the next bits: a piece in hand
}

type prefix struct{ value, bits uint8 }

// word is a code of so many bits, the first the lowest.
type word struct {
	value uint8
	bits  uint8
}

// found is the meaning of a string of bits: a letter, 0 for none, and how many of the bits do; none if they are no code.
type found struct {
	letter byte
	bits   uint8
}

func init() {
	for _, c := range []*Code{Apery, YaneuraOu} {
		c.fill()
	}
}

// fill makes the tables.
func (c *Code) fill() {
	c.squares[0] = word{0, 1}
	spread(&c.letters, word{0, 1}, 0)
	for k := range c.board {
		for side := range uint8(2) {
			letter := Kinds[k] | side<<5
			w := c.square(k, side, 0)
			c.squares[letter] = w
			spread(&c.letters, w, letter)
			if k != gold {
				w = c.square(k, side, 1)
				spread(&c.letters, w, letter|Promoted)
			}
			c.squares[letter|Promoted] = w // golds do not promote
			h := c.hand[k]
			spread(&c.inHand, word{h.value | side<<h.bits, h.bits + 1}, letter)
			if !c.colourFirst && k != gold {
				// In the box: the prefix has a one for the promotion.
				spread(&c.inHand, word{h.value | 1<<(h.bits-1) | side<<h.bits, h.bits + 1}, 0)
			}
		}
	}
}

// square is the code of a piece on the board.
func (c *Code) square(k int, side, promoted uint8) word {
	p := c.board[k]
	switch {
	case k == gold:
		return word{p.value | side<<p.bits, p.bits + 1}
	case c.colourFirst:
		return word{p.value | side<<p.bits | promoted<<(p.bits+1), p.bits + 2}
	}
	return word{p.value | promoted<<p.bits | side<<(p.bits+1), p.bits + 2}
}

// spread enters a code at all bits that begin with it.
func spread(table *[1 << 8]found, w word, letter byte) {
	for rest := range len(table) >> w.bits {
		table[int(w.value)|rest<<w.bits] = found{letter, w.bits}
	}
}

// The codes of Apery and YaneuraOu. In a hand of the latter a zero for the promotion is part
// of the prefix, but for golds.
var (
	Apery = &Code{
		board:       [7]prefix{{1, 2}, {3, 4}, {7, 4}, {11, 4}, {15, 5}, {31, 6}, {63, 6}},
		hand:        [7]prefix{{0, 2}, {1, 4}, {3, 4}, {5, 4}, {7, 4}, {31, 6}, {63, 6}},
		colourFirst: true, promotion: 1 << 14,
	}
	YaneuraOu = &Code{
		board: [7]prefix{{1, 2}, {3, 4}, {11, 4}, {7, 4}, {15, 5}, {31, 6}, {63, 6}},
		hand:  [7]prefix{{0, 2}, {1, 4}, {5, 4}, {3, 4}, {7, 4}, {15, 6}, {31, 6}},
		drop:  1 << 14, promotion: 1 << 15,
	}
)

const gold = 4 // in Kinds

var (
	errCode  = errors.New("a code of no piece")
	errKings = errors.New("a king off the board, or on the other's square")
	errSet   = errors.New("not the pieces of a full set")
)

// Decode unpacks data, size bytes. Pieces that YaneuraOu keeps in the box, such as a handicap's, are in
// no hand.
func (c *Code) Decode(data []byte) (p Position, err error) {
	r := newReader(data)
	x := r.next()
	p.White = x&1 == 1
	black, white := x>>1&127, x>>8&127
	if black >= 81 || white >= 81 || black == white {
		return p, errKings
	}
	p.Squares[black], p.Squares[white] = 'K', 'k'
	r.at = 15
	for s := 0; s < len(p.Squares); {
		x, used := r.next(), uint(0)
		for ; s < len(p.Squares) && used <= 64-maxCode; s++ {
			if p.Squares[s] != 0 {
				continue
			}
			f := c.letters[uint8(x)]
			if f.bits == 0 {
				return p, errCode
			}
			p.Squares[s] = f.letter
			x >>= f.bits & 63
			used += uint(f.bits)
		}
		r.at += used
	}
	for r.at < 8*size {
		f := c.inHand[uint8(r.next())]
		if f.bits == 0 {
			return p, errCode
		}
		if f.letter != 0 {
			p.Hands[f.letter>>5&1][kind(f.letter)]++
		}
		r.at += uint(f.bits)
	}
	if r.at > 8*size {
		return p, errCode
	}
	return p, nil
}

// maxCode is the length of the longest code in bits.
const maxCode = 8

// reader reads bits, the lowest of a byte first. Zeros follow the end.
type reader struct {
	words [8]uint64
	at    uint
}

func newReader(data []byte) (r reader) {
	for i := range size / 8 {
		r.words[i] = binary.LittleEndian.Uint64(data[8*i:])
	}
	return r
}

// next returns the next 64 bits.
func (r *reader) next() uint64 {
	i, shift := r.at>>6, r.at&63
	return r.words[i&7]>>shift | r.words[(i+1)&7]<<(64-shift)
}

// Append packs p. The error means that its pieces do not make 256 bits.
func (c *Code) Append(dst []byte, p *Position) ([]byte, error) {
	black, white := p.find('K'), p.find('k')
	if black < 0 || white < 0 {
		return dst, errKings
	}
	w := writer{}
	w.put(word{uint8(one(p.White)), 1})
	w.put(word{uint8(black), 7})
	w.put(word{uint8(white), 7})
	bits, n := uint64(0), uint8(0)
	for s, piece := range p.Squares {
		code := c.squares[piece]
		if code.bits == 0 && s != black && s != white {
			return dst, errSet // a king too many
		}
		bits |= uint64(code.value) << (n & 63)
		if n += code.bits; n > 64-maxCode {
			w.add(bits, n)
			bits, n = 0, 0
		}
	}
	w.add(bits, n)
	for side := range p.Hands {
		for k, n := range p.Hands[side] {
			h := c.hand[k]
			for range n {
				w.put(word{h.value | uint8(side)<<h.bits, h.bits + 1})
			}
		}
	}
	if w.at != 8*size {
		return dst, errSet
	}
	for _, x := range w.words[:size/8] {
		dst = binary.LittleEndian.AppendUint64(dst, x)
	}
	return dst, nil
}

// writer writes bits one after the other. After an overflow it starts over at the beginning; at shows
// it.
type writer struct {
	words [8]uint64
	at    uint
}

func (w *writer) put(x word) { w.add(uint64(x.value), x.bits) }

// add writes the lowest n bits of x, which has no others.
func (w *writer) add(x uint64, n uint8) {
	i, shift := w.at>>6, w.at&63
	w.words[i&7] |= x << shift
	w.words[(i+1)&7] |= x >> (64 - shift)
	w.at += uint(n)
}

func one(b bool) uint {
	if b {
		return 1
	}
	return 0
}

// find returns the square of a piece, -1 without one.
func (p *Position) find(piece byte) int { return bytes.IndexByte(p.Squares[:], piece) }

// kindOf is the place of a letter in Kinds, plus 1.
var kindOf = func() (of [32]uint8) {
	for k := range Kinds {
		of[Kinds[k]&31] = uint8(k + 1)
	}
	return of
}()

// kind returns the place of a piece's kind in Kinds; -1 for a king and for none.
func kind(piece byte) int { return int(kindOf[piece&31]) - 1 }
