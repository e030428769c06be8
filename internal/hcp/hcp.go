// Package hcp packs positions of Shogi into 32 bytes as training data of engines has them: a
// Huffman code of exactly 256 bits, as every piece on the board takes as many bits more than
// in hand as an empty square takes. Two codes are in use: Apery's (hcp), and YaneuraOu's
// (PackedSfen), which differ in the pieces' codes and in the order of promotion and colour.
//
// It knows where the pieces stand and what a move does to them, not which moves are legal.
package hcp

import "errors"

// Size is the length of a packed position in bytes.
const Size = 32

// Kinds are the letters of the pieces, in the order of hands.
const Kinds = "PLNSGBR"

// Promoted is set in the letter of a promoted piece.
const Promoted = 0x80

// Position is where the pieces stand. Squares go file by file from the first player's right,
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
}

type prefix struct{ value, bits uint8 }

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
)

// Decode unpacks data, Size bytes. Pieces that YaneuraOu keeps in the box, as those of a
// handicap, are in no hand.
func (c *Code) Decode(data []byte) (p Position, err error) {
	r := reader{data: data[:Size]}
	p.White = r.take(1) == 1
	black, white := r.take(7), r.take(7)
	if black >= 81 || white >= 81 || black == white {
		return p, errKings
	}
	p.Squares[black], p.Squares[white] = 'K', 'k'
	for s := range p.Squares {
		if p.Squares[s] != 0 || r.take(1) == 0 {
			continue
		}
		k := r.prefix(&c.board, 1, 1)
		if k < 0 {
			return p, errCode
		}
		p.Squares[s] = c.piece(&r, k)
	}
	for r.at < 8*Size {
		if err := c.inHand(&r, &p); err != nil {
			return p, err
		}
	}
	if r.at > 8*Size {
		return p, errCode
	}
	return p, nil
}

// piece reads what follows the prefix of a piece on the board.
func (c *Code) piece(r *reader, k int) byte {
	promoted, white := uint(0), uint(0)
	switch {
	case k == gold:
		white = r.take(1)
	case c.colourFirst:
		white = r.take(1)
		promoted = r.take(1)
	default:
		promoted = r.take(1)
		white = r.take(1)
	}
	return Kinds[k] | byte(white)<<5 | byte(promoted)<<7
}

// inHand reads a piece in hand.
func (c *Code) inHand(r *reader, p *Position) error {
	from := r.at
	if k := r.prefix(&c.hand, 0, 0); k >= 0 {
		p.Hands[r.take(1)][k]++
		return nil
	}
	if c.colourFirst {
		return errCode
	}
	r.at = from // the prefix of a piece in the box has a one for the promotion
	for bits := uint8(2); bits <= 6; bits++ {
		r.at = from
		value := uint8(r.take(int(bits)))
		for k, h := range c.hand {
			if k != gold && h.bits == bits && value == h.value|1<<(bits-1) {
				r.take(1)
				return nil
			}
		}
	}
	return errCode
}

// reader takes bits, the lowest of a byte first.
type reader struct {
	data []byte
	at   int
}

// take returns the next n bits, zeros after the end.
func (r *reader) take(n int) (x uint) {
	for i := range n {
		if at := r.at + i; at < 8*Size {
			x |= uint(r.data[at>>3]>>(at&7)&1) << i
		}
	}
	r.at += n
	return x
}

// prefix reads one of the prefixes, of which read bits with that value are known; -1 for none.
func (r *reader) prefix(of *[7]prefix, value, read uint8) int {
	for read < 6 {
		value |= uint8(r.take(1)) << read
		read++
		for k, p := range of {
			if p.bits == read && p.value == value {
				return k
			}
		}
	}
	return -1
}

// Append packs p. The error says that its pieces do not make 256 bits.
func (c *Code) Append(dst []byte, p *Position) ([]byte, error) {
	w := writer{}
	w.put(one(p.White), 1)
	black, white := p.find('K'), p.find('k')
	if black < 0 || white < 0 {
		return dst, errKings
	}
	w.put(uint(black), 7)
	w.put(uint(white), 7)
	for s, piece := range p.Squares {
		switch {
		case piece == 0:
			w.put(0, 1)
		case s != black && s != white:
			c.write(&w, piece)
		}
	}
	for side := range p.Hands {
		for k, n := range p.Hands[side] {
			for range n {
				w.put(uint(c.hand[k].value), int(c.hand[k].bits))
				w.put(uint(side), 1)
			}
		}
	}
	if w.at != 8*Size {
		return dst, errors.New("not the pieces of a full set")
	}
	return append(dst, w.data[:Size]...), nil
}

func (c *Code) write(w *writer, piece byte) {
	k := kind(piece)
	white, promoted := uint(piece>>5&1), uint(piece>>7)
	w.put(uint(c.board[k].value), int(c.board[k].bits))
	switch {
	case k == gold:
		w.put(white, 1)
	case c.colourFirst:
		w.put(white|promoted<<1, 2)
	default:
		w.put(promoted|white<<1, 2)
	}
}

type writer struct {
	data [2 * Size]byte
	at   int
}

func (w *writer) put(x uint, n int) {
	for i := range n {
		if w.at < 8*len(w.data) {
			w.data[w.at>>3] |= byte(x>>i&1) << (w.at & 7)
		}
		w.at++
	}
}

func one(b bool) uint {
	if b {
		return 1
	}
	return 0
}

// find returns the square of a piece, -1 if there is none.
func (p *Position) find(piece byte) int {
	for s, x := range p.Squares {
		if x == piece {
			return s
		}
	}
	return -1
}

// kindOf is the place of a letter in Kinds, plus 1.
var kindOf = func() (of [32]uint8) {
	for k := range Kinds {
		of[Kinds[k]&31] = uint8(k + 1)
	}
	return of
}()

// kind returns the place of a piece's kind in Kinds; -1 for a king and for none.
func kind(piece byte) int { return int(kindOf[piece&31]) - 1 }
