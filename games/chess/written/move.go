// Package written reads the texts of chess: moves, the letters of other languages, and the words of a FEN.
//
// In goes a text. Out come the piece, the squares and the promotion that it names, or the text in English. Does not
// know positions, nor which moves are legal.
package written

import "bytes"

// Piece is a kind of man: chess.Kind, whose bits matter there.
type Piece uint8

// None is no piece.
const (
	None Piece = iota
	Pawn
	Knight
	Bishop
	Rook
	Queen
	King
)

// Move is a move as its text states it, before the position is looked at.
type Move struct {
	Piece      Piece // None without a letter
	File, Rank int8  // of the origin, -1 when absent
	To         uint8 // the square: a1 is 0, b1 is 1, h8 is 63
	Promotion  Piece
	Takes      bool
}

// TrimMarks removes the marks that may follow a move.
func TrimMarks(text []byte) []byte {
	for n := len(text); n > 0; n = len(text) {
		switch c := text[n-1]; {
		case c >= '1' && c <= '8':
			return text
		case c == '+' || c == '#' || c == '!' || c == '?' || c == ' ' || c == '=' || c == '.':
			text = text[:n-1]
		case c == 'p' && n > 4 && (bytes.HasSuffix(text, []byte("e.p")) || bytes.HasSuffix(text, []byte("ep"))):
			text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("e.p")), []byte("ep"))
		default:
			return text
		}
	}
	return text
}

// IsNull reports whether text is a null move.
func IsNull(text []byte) bool {
	switch string(text) {
	case "--", "Z0", "@@@@", "<>", "null", "pass":
		return true
	}
	return false
}

// ScanMove reads [piece] [file] [rank] [x or -] file rank [promotion].
func ScanMove(text []byte) (Move, bool) {
	w := Move{File: -1, Rank: -1}
	w.Piece, text = scanPiece(text)
	var coordinate [4]byte
	n := 0
	i := 0
scan:
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case c >= 'a' && c <= 'h', c >= '1' && c <= '8':
			if n == 4 || c == 'b' && n >= 2 && i == len(text)-1 {
				break scan
			}
			coordinate[n] = c
			n++
		case c == 'x' || c == ':' || c == 'X':
			w.Takes = true
		case c == '-':
		default:
			break scan
		}
	}
	var ok bool
	if w.Promotion, ok = scanPromotion(text[i:]); !ok || n < 2 {
		return w, false
	}
	file, rank := coordinate[n-2], coordinate[n-1]
	if file < 'a' || rank > '8' {
		return w, false
	}
	w.To = (rank-'1')<<3 | (file - 'a')
	switch n {
	case 3:
		if c := coordinate[0]; c >= 'a' {
			w.File = int8(c - 'a')
		} else {
			w.Rank = int8(c - '1')
		}
	case 4:
		if coordinate[0] < 'a' || coordinate[1] > '8' {
			return w, false
		}
		w.File, w.Rank = int8(coordinate[0]-'a'), int8(coordinate[1]-'1')
	}
	return w, true
}

// scanPiece reads the letter or figurine of a piece, if there is one.
func scanPiece(text []byte) (Piece, []byte) {
	switch text[0] {
	case 'N', 'n':
		return Knight, text[1:]
	case 'B':
		return Bishop, text[1:]
	case 'R', 'r':
		return Rook, text[1:]
	case 'Q', 'q':
		return Queen, text[1:]
	case 'K', 'k':
		return King, text[1:]
	case 'P', 'p':
		return Pawn, text[1:]
	case 0xe2: // U+2654 white king … U+265F black pawn
		if len(text) > 3 && text[1] == 0x99 && text[2] >= 0x94 && text[2] <= 0x9f {
			return King - Piece((text[2]-0x94)%6), text[3:]
		}
	}
	return None, text
}

// scanPromotion reads "", Q, =Q, (Q), /Q in either case. What is left must be nothing
// else.
func scanPromotion(text []byte) (Piece, bool) {
	if len(text) == 0 {
		return None, true
	}
	if text[0] == '=' || text[0] == '(' || text[0] == '/' {
		text = text[1:]
	}
	if len(text) == 2 && text[1] == ')' {
		text = text[:1]
	}
	if len(text) != 1 {
		return None, false
	}
	switch text[0] {
	case 'N', 'n':
		return Knight, true
	case 'B', 'b':
		return Bishop, true
	case 'R', 'r':
		return Rook, true
	case 'Q', 'q':
		return Queen, true
	}
	return None, false
}
