package chess

import (
	"encoding/binary"

	"kifu/games"
)

// BoardSize is the length of a packed board in bytes.
const BoardSize = 32

// A packed board is four bits a square, a1 first, the low half of a byte first: the
// Kind and, as bit 3, Black's colour. The three codes that no man uses carry the rest:
//
//	7   a rook that may still castle, of the side whose first rank it stands on
//	8   a pawn that can be taken in passing now, of the side not to move
//	15  the black king when Black is to move
//
// From one position to the next few bytes change, so that rows of one game compress to
// a few bytes each. Counters are left out.

// AppendBoard appends p packed.
func (p *Position) AppendBoard(dst []byte) []byte {
	b0, b1, b2, b3 := p.b0|p.castle, p.b1|p.castle, p.b2, p.second&^p.castle
	if p.side == Black {
		b0 |= p.Kings() & p.second
	}
	if p.ep != 0 {
		pawn := (p.ep ^ 8).Bit()
		b0 &^= pawn
		b3 |= pawn
	}
	for i := 0; i < 64; i += 16 {
		dst = binary.LittleEndian.AppendUint64(dst, spread(b0>>i)|spread(b1>>i)<<1|spread(b2>>i)<<2|spread(b3>>i)<<3)
	}
	return dst
}

// UnpackBoard is the inverse of AppendBoard; the counters are zero. The error says
// what no packed board has.
func UnpackBoard(b []byte) (Position, error) {
	if len(b) != BoardSize {
		return Position{}, unreadableBoard
	}
	var b0, b1, b2, b3 Bitboard
	for i := 0; i < 4; i++ {
		x := binary.LittleEndian.Uint64(b[i*8:])
		b0 |= gather(x) << (i * 16)
		b1 |= gather(x>>1) << (i * 16)
		b2 |= gather(x>>2) << (i * 16)
		b3 |= gather(x>>3) << (i * 16)
	}
	p := Position{b0: b0, b1: b1, b2: b2, second: b3}
	p.castle = b0 & b1 & b2 &^ b3
	p.b0 &^= p.castle
	p.b1 &^= p.castle
	p.second |= p.castle & Rank8
	if king := b0 & b1 & b2 & b3; king != 0 {
		p.side = Black
		p.b0 &^= king
	}
	passed := NoSquare
	if pawn := b3 &^ (b0 | b1 | b2); pawn != 0 {
		p.b0 |= pawn
		p.second &^= pawn
		if p.side == White {
			p.second |= pawn
		}
		passed = pawn.First() ^ 8
	}
	if err := p.validate(); err != nil {
		return Position{}, err
	}
	if p.castle&^(Rank1|Rank8) != 0 || p.castle&Rank1 != 0 && p.King(White).Rank() != 0 || p.castle&Rank8 != 0 && p.King(Black).Rank() != 7 {
		return Position{}, unreadableBoard
	}
	p.plies = uint16(p.side)
	p.hash = p.computeHash()
	if passed != NoSquare {
		p.parsePassing(passed)
	}
	return p, nil
}

const unreadableBoard games.Reason = "unreadable packed board"

// spread puts bit i of the low sixteen of b at bit 4i.
func spread(b Bitboard) uint64 {
	x := uint64(b) & 0xffff
	x = (x | x<<24) & 0x000000ff000000ff
	x = (x | x<<12) & 0x000f000f000f000f
	x = (x | x<<6) & 0x0303030303030303
	return (x | x<<3) & 0x1111111111111111
}

// gather is the inverse of spread, whatever the other bits are.
func gather(x uint64) Bitboard {
	x &= 0x1111111111111111
	x = (x | x>>3) & 0x0303030303030303
	x = (x | x>>6) & 0x000f000f000f000f
	x = (x | x>>12) & 0x000000ff000000ff
	return Bitboard((x | x>>24) & 0xffff)
}
