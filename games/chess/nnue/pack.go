package nnue

import (
	"encoding/binary"

	"kifu/games"
	"kifu/games/chess"
)

// A packed position has the set of occupied squares in eight bytes, big-endian. Then come four
// bits for each man in the order of the squares, the first in the low half of a byte: twice the
// kind (pawn 0, knight 1, bishop 2, rook 3, queen 4, king 5) plus one for Black; or
//
//	12  a pawn that has just gone two squares and can be taken in passing
//	13  a white rook that may still castle, 14 a black one
//	15  the black king when Black is to move
const (
	codePassed     = 12
	codeWhiteRook  = 13
	codeBlackRook  = 14
	codeBlackMoves = 15
)

// positionSize is the length of a packed position.
const positionSize = 24

func appendPosition(dst []byte, p *chess.Position) []byte {
	var men [16]byte
	occ, second, castle := p.Occupied(), p.Side(games.Second), p.CastlingRooks()
	passed := chess.NoSquare
	if ep := p.EnPassant(); ep != chess.NoSquare {
		passed = ep ^ 8
	}
	i := 0
	for rest := occ; rest != 0 && i < 32; rest = rest.Rest() {
		s := rest.First()
		code := byte(p.KindAt(s)-chess.Pawn)<<1 | byte(second>>s&1)
		switch {
		case s == passed:
			code = codePassed
		case castle.Has(s):
			code = codeWhiteRook + code&1
		case code == 11 && p.ToMove() == games.Second:
			code = codeBlackMoves
		}
		men[i>>1] |= code << (i & 1 * 4)
		i++
	}
	return append(binary.BigEndian.AppendUint64(dst, uint64(occ)), men[:]...)
}

// boardCode has the four bits that package chess packs a man into (chess.Position.AppendBoard), by the
// four bits in a packed position.
var boardCode = [16]byte{1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 8, 7, 7, 15}

// unpackBoard turns the 24 bytes of a packed position into a packed board of package chess.
func unpackBoard(board *[chess.BoardSize]byte, b []byte) error {
	*board = [chess.BoardSize]byte{}
	occ := chess.Bitboard(binary.BigEndian.Uint64(b))
	if occ.Count() > 32 {
		return errPosition
	}
	i := 0
	for ; occ != 0; occ = occ.Rest() {
		s := occ.First()
		board[int(s>>4)<<3|int(s&7)] |= boardCode[b[8+i>>1]>>(i&1*4)&15] << (s >> 3 & 1 * 4)
		i++
	}
	return nil
}

// Kinds of moves, in the two highest bits of a packed one; then from and to in six bits each,
// and the piece that a pawn becomes, from the knight on. Castling goes to the own rook.
const (
	movePlain = iota
	movePromotion
	moveCastle
	movePassing
)

func packMove(_ *chess.Position, m games.Move) uint16 {
	if m == 0 {
		return 0
	}
	kind, becomes := movePlain, chess.Knight
	switch promo := chess.Promotion(m); {
	case promo != chess.NoKind:
		kind, becomes = movePromotion, promo
	case chess.IsCastling(m):
		kind = moveCastle
	case chess.IsPassing(m):
		kind = movePassing
	}
	return uint16(kind)<<14 | uint16(chess.From(m))<<8 | uint16(chess.To(m))<<2 | uint16(becomes-chess.Knight)
}

func unpackMove(p *chess.Position, code uint16) (games.Move, error) {
	from, to := chess.Square(code>>8&63), chess.Square(code>>2&63)
	if from == to {
		return 0, nil
	}
	promo := chess.NoKind
	if code>>14 == movePromotion {
		promo = chess.Knight + chess.Kind(code&3)
	}
	return moveOf(p, from, to, promo)
}

// moveOf returns the move between two squares. That it is legal is left to the rules.
func moveOf(p *chess.Position, from, to chess.Square, promo chess.Kind) (games.Move, error) {
	m, err := chess.Rules{}.UnpackMove(*p, uint16(from)|uint16(to)<<6|uint16(promo)<<12)
	if err != nil {
		return 0, errMove
	}
	return m, nil
}
