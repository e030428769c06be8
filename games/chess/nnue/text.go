package nnue

import (
	"bytes"
	"errors"
	"strconv"

	"kifu/games"
	"kifu/games/chess"
)

// ErrCastling is why a position of Chess960 has no place in the format.
var ErrCastling = errors.New("castling rooks or kings that are not where standard chess has them")

// NewEntry makes an entry of a packed board of package chess and the move played there in
// coordinates, nil for none; values, result and counters are the caller's.
func NewEntry(board, move []byte) (e Entry, err error) {
	if e.Position, err = chess.UnpackBoard(board); err != nil {
		return e, errPosition
	}
	if !fits(&e.Position) {
		return e, ErrCastling
	}
	if move == nil {
		return e, nil
	}
	e.Move, err = parseMove(&e.Position, move)
	return e, err
}

// parseMove reads e2e4, e7e8q, and castling as the king's two squares or to the own rook.
func parseMove(p *chess.Position, text []byte) (games.Move, error) {
	if len(text) < 4 {
		return 0, errMove
	}
	from, to := parseSquare(text), parseSquare(text[2:])
	if from == chess.NoSquare || to == chess.NoSquare {
		return 0, errMove
	}
	promo := chess.NoKind
	if len(text) > 4 {
		i := bytes.IndexByte([]byte("nbrq"), text[4])
		if i < 0 {
			return 0, errMove
		}
		promo = chess.Knight + chess.Kind(i)
	}
	if p.KindAt(from) == chess.King && from.Rank() == to.Rank() && (to == from+2 || to+2 == from) {
		corner := from.Rank() << 3
		if to > from {
			corner += 7
		}
		to = chess.Square(corner)
	}
	return moveOf(p, from, to, promo)
}

func parseSquare(text []byte) chess.Square {
	if text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8' {
		return chess.NoSquare
	}
	return chess.SquareAt(int(text[0]-'a'), int(text[1]-'1'))
}

// AppendFEN appends the entry's FEN with its counters.
func (e *Entry) AppendFEN(dst []byte) []byte {
	from := len(dst)
	dst = e.Position.AppendFEN(dst)
	for range 2 { // without the counters of the position
		dst = dst[:from+bytes.LastIndexByte(dst[from:], ' ')]
	}
	dst = strconv.AppendUint(append(dst, ' '), uint64(e.Clock), 10)
	return strconv.AppendUint(append(dst, ' '), uint64(e.Ply/2+1), 10)
}

// AppendPlain appends e as the text of Stockfish's tools.
func (e *Entry) AppendPlain(dst []byte) []byte {
	dst = e.AppendFEN(append(dst, "fen "...))
	dst = chess.Rules{}.AppendCoordinates(append(dst, "\nmove "...), e.Position, e.Move)
	dst = strconv.AppendInt(append(dst, "\nscore "...), int64(e.Value), 10)
	dst = strconv.AppendUint(append(dst, "\nply "...), uint64(e.Ply), 10)
	dst = strconv.AppendInt(append(dst, "\nresult "...), int64(e.Result), 10)
	return append(dst, "\ne\n"...)
}

// AppendBar appends e as bullet's text: the FEN, the value and the result (1.0, 0.5, 0.0, or what
// is expected between them) in White's eyes, with bars between.
func (e *Entry) AppendBar(dst []byte, expected float32) []byte {
	value := int64(e.Value)
	if e.Position.ToMove() == chess.Black {
		value = -value
	}
	dst = append(strconv.AppendInt(append(e.AppendFEN(dst), " | "...), value, 10), " | "...)
	switch expected {
	case 0, 1:
		dst = strconv.AppendFloat(dst, float64(expected), 'f', 1, 32)
	default:
		dst = strconv.AppendFloat(dst, float64(expected), 'f', -1, 32)
	}
	return append(dst, '\n')
}
