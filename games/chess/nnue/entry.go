// Package nnue packs positions of chess as the trainers of networks have them: binpack, the
// format of Stockfish's tools, in which positions that follow each other cost two or three
// bytes, and the boards of 32 bytes of bullet. Both are described, with what kifu makes of them,
// in docs/formats/training.md.
//
// It reads and writes bytes; files, columns and what is wrong with a position's game are the
// business of ingest and export.
package nnue

import (
	"encoding/binary"
	"errors"

	"kifu/games"
	"kifu/games/chess"
)

// EntrySize is the length of a packed entry in bytes: the position in 24, the move in two, the
// value in two, ply and result in two, the plies without progress in two; numbers big-endian.
const EntrySize = 32

// Faults of entries.
var (
	errPosition = errors.New("not a position")
	errMove     = errors.New("not a move")
	errResult   = errors.New("not a result")
	ErrEnd      = errors.New("the moves are cut short")
)

// MaxPly is the highest ply that an entry can have.
const MaxPly = 1<<14 - 1

// NoValue is the value of a position that has none: trainers pass over it.
const NoValue = 32002

// Entry is a position of a game with what a trainer wants to know of it.
type Entry struct {
	Position chess.Position
	Move     games.Move // zero for none
	Value    int16      // the side to move's
	Result   int8       // 1 if the side to move wins, 0 for a draw, -1 if it loses
	Ply      uint16     // since the game began
	Clock    uint8      // plies since the last capture or pawn move
}

// AppendEntry appends e packed. The castling rooks must be where they begin a game.
func AppendEntry(dst []byte, e *Entry) []byte {
	dst = appendPosition(dst, &e.Position)
	dst = binary.BigEndian.AppendUint16(dst, packMove(&e.Position, e.Move))
	dst = binary.BigEndian.AppendUint16(dst, zigzag(e.Value))
	dst = binary.BigEndian.AppendUint16(dst, e.Ply|zigzag(int16(e.Result))<<14)
	return binary.BigEndian.AppendUint16(dst, uint16(e.Clock))
}

// readEntry reads a packed entry.
func readEntry(b []byte) (e Entry, err error) {
	var board [chess.BoardSize]byte
	if err := unpackBoard(&board, b); err != nil {
		return e, err
	}
	if e.Position, err = chess.UnpackBoard(board[:]); err != nil {
		return e, errPosition
	}
	return e, e.readRest(b)
}

// readRest reads what follows the position.
func (e *Entry) readRest(b []byte) (err error) {
	if e.Move, err = unpackMove(&e.Position, binary.BigEndian.Uint16(b[24:])); err != nil {
		return err
	}
	e.Value = unzigzag(binary.BigEndian.Uint16(b[26:]))
	last := binary.BigEndian.Uint16(b[28:])
	result := unzigzag(last >> 14)
	if result < -1 || result > 1 {
		return errResult
	}
	e.Ply, e.Result, e.Clock = last&MaxPly, int8(result), uint8(binary.BigEndian.Uint16(b[30:]))
	return nil
}

// fits reports whether the format has room for a position: its castling rooks are in the
// corners and their kings on the e-file, as they do not in all of Chess960.
func fits(p *chess.Position) bool {
	rooks := p.CastlingRooks()
	if rooks == 0 {
		return true
	}
	const corners = chess.Bitboard(0x8100000000000081)
	return rooks&^corners == 0 &&
		(rooks&chess.Rank1 == 0 || p.King(games.First) == chess.SquareAt(4, 0)) &&
		(rooks&chess.Rank8 == 0 || p.King(games.Second) == chess.SquareAt(4, 7))
}

// zigzag gives a number near zero few bits: 0, 1, -1, 2, -2, … become 0, 2, 1, 4, 3, …; the sign
// is the lowest bit.
func zigzag(v int16) uint16 {
	u := uint16(v)
	if v < 0 {
		u ^= 0x7fff
	}
	return u<<1 | u>>15
}

// unzigzag is the inverse of zigzag.
func unzigzag(u uint16) int16 {
	v := u<<15 | u>>1
	if v&0x8000 != 0 {
		v ^= 0x7fff
	}
	return int16(v)
}
