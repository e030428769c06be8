package nnue

import (
	"encoding/binary"
	"math/bits"

	"kifu/games"
	"kifu/games/chess"
)

// BulletSize is the length of a board of bullet (ChessBoard of the crate bulletformat):
//
//	 8 bytes  the occupied squares, little-endian
//	16 bytes  four bits for each man in the order of the squares, the first in the low half of
//	          a byte: the kind (pawn 0 to king 5), and 8 for the side not to move
//	 2 bytes  the value
//	 1 byte   the result: 0 lost, 1 drawn, 2 won
//	 2 bytes  the squares of the own king, and of the other king as its side sees it
//	 3 bytes  unused
//
// All is as the side to move sees it: with Black to move the board is turned upside down and
// the colours are exchanged. Castling, en passant and counters are missing.
const BulletSize = 32

// AppendBullet appends a board with the value and the result (1, 0, -1) of the side to move.
func AppendBullet(dst []byte, p *chess.Position, value int16, result int8) []byte {
	var men [16]byte
	us := p.ToMove()
	occ, other := p.Occupied(), p.Side(us^1)
	flip := chess.Square(0)
	if us == games.Second {
		occ, flip = occ.Flip(), 56
	}
	i := 0
	for rest := occ; rest != 0 && i < 32; rest = rest.Rest() {
		s := rest.First() ^ flip
		code := byte(p.KindAt(s) - chess.Pawn)
		if other.Has(s) {
			code |= 8
		}
		men[i>>1] |= code << (i & 1 * 4)
		i++
	}
	dst = append(binary.LittleEndian.AppendUint64(dst, uint64(occ)), men[:]...)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(value))
	return append(dst, byte(result+1), byte(p.King(us)^flip), byte(p.King(us^1)^flip^56), 0, 0, 0)
}

// ReadBullet reads a board as a packed board of package chess, White being the side to move.
func ReadBullet(board *[chess.BoardSize]byte, b []byte) (value int16, result int8, err error) {
	*board = [chess.BoardSize]byte{}
	occ := binary.LittleEndian.Uint64(b)
	if n := bits.OnesCount64(occ); n < 2 || n > 32 {
		return 0, 0, errPosition
	}
	kings := [2]byte{64, 64}
	i := 0
	for rest := occ; rest != 0; rest &= rest - 1 {
		s := bits.TrailingZeros64(rest)
		code := b[8+i>>1] >> (i & 1 * 4) & 15
		kind := code & 7
		if kind > 5 {
			return 0, 0, errPosition
		}
		if kind == 5 {
			kings[code>>3] = byte(s)
		}
		board[s>>4<<3|s&7] |= (kind + 1 | code&8) << (s >> 3 & 1 * 4)
		i++
	}
	switch {
	case i < 32 && i&1 == 1 && b[8+i>>1]>>4 != 0, kings[0] != b[27], kings[1]^56 != b[28]:
		return 0, 0, errPosition
	case b[26] > 2:
		return 0, 0, errResult
	}
	return int16(binary.LittleEndian.Uint16(b[24:])), int8(b[26]) - 1, nil
}
