package chess

import "bytes"

// written is a move as its text states it, before the position is looked at.
type written struct {
	kind       Kind // NoKind without a letter
	file, rank int8 // of the origin, -1 when absent
	to         Square
	promo      Kind
	takes      bool
}

// trimMarks removes the marks that may follow a move.
func trimMarks(text []byte) []byte {
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

func isNull(text []byte) bool {
	switch string(text) {
	case "--", "Z0", "@@@@", "<>", "null", "pass":
		return true
	}
	return false
}

// scanMove reads [piece] [file] [rank] [x or -] file rank [promotion].
func scanMove(text []byte) (written, bool) {
	w := written{file: -1, rank: -1}
	w.kind, text = scanPiece(text)
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
			w.takes = true
		case c == '-':
		default:
			break scan
		}
	}
	var ok bool
	if w.promo, ok = scanPromotion(text[i:]); !ok || n < 2 {
		return w, false
	}
	file, rank := coordinate[n-2], coordinate[n-1]
	if file < 'a' || rank > '8' {
		return w, false
	}
	w.to = SquareAt(int(file-'a'), int(rank-'1'))
	switch n {
	case 3:
		if c := coordinate[0]; c >= 'a' {
			w.file = int8(c - 'a')
		} else {
			w.rank = int8(c - '1')
		}
	case 4:
		if coordinate[0] < 'a' || coordinate[1] > '8' {
			return w, false
		}
		w.file, w.rank = int8(coordinate[0]-'a'), int8(coordinate[1]-'1')
	}
	return w, true
}

// scanPiece reads the letter or figurine of a piece, if there is one.
func scanPiece(text []byte) (Kind, []byte) {
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
			return King - Kind((text[2]-0x94)%6), text[3:]
		}
	}
	return NoKind, text
}

// scanPromotion reads "", Q, =Q, (Q), /Q in either case. What is left must be nothing
// else.
func scanPromotion(text []byte) (Kind, bool) {
	if len(text) == 0 {
		return NoKind, true
	}
	if text[0] == '=' || text[0] == '(' || text[0] == '/' {
		text = text[1:]
	}
	if len(text) == 2 && text[1] == ')' {
		text = text[:1]
	}
	if len(text) != 1 {
		return NoKind, false
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
	return NoKind, false
}
