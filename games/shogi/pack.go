package shogi

import "kifu/games"

// PackMove is promotion | to<<1 | from<<8; a drop has 80 plus its kind for from.
func (Rules) PackMove(_ Position, m games.Move) uint16 {
	if IsDrop(m) {
		return uint16(To(m))<<toShift | (80+uint16(Dropped(m)))<<fromShift
	}
	return uint16(m & (1<<classShift - 1))
}

// UnpackMove is the inverse of PackMove. It checks that the side to move has the piece,
// not that the move is legal.
func (Rules) UnpackMove(p Position, code uint16) (games.Move, error) {
	from, to := Square(code>>fromShift), Square(code>>toShift&127)
	if to >= NoSquare {
		return 0, games.IllegalMove
	}
	if from >= NoSquare {
		k := Kind(from - 80)
		if from > 80+Square(Gold) || code&1 != 0 || p.hands[p.side&1].Count(k) == 0 || p.KindAt(to) != NoKind {
			return 0, games.IllegalMove
		}
		return Drop(k, to), nil
	}
	k := p.KindAt(from)
	if k == NoKind || p.SideAt(from) != p.side || code&1 != 0 && !k.CanPromote() ||
		p.KindAt(to) != NoKind && (p.SideAt(to) == p.side || p.KindAt(to) == King) {
		return 0, games.IllegalMove
	}
	return classOf(k)<<classShift | games.Move(code), nil
}

// A packed board has a byte a square, then a byte for each count of pieces in hand (Black's
// seven kinds from pawn to gold, then White's), then the side to move. A square's byte is its
// Kind, plus 16 for White's.
//
// That is three times the size of a Huffman code, but smaller once Parquet has compressed
// successive positions: 4.6 bytes a position in the board column of 68,391 positions of 688
// games and of 63,294 of 555. Bytes a position for 67,703 positions with zstd at levels 3 and
// 19: this form 5.6 and 4.0, five bits a square 6.4 and 4.5, bit planes 8.4 and 6.3, the
// Huffman code 9.4 and 7.8.
const boardSize = 81 + 14 + 1

const unreadableBoard games.Reason = "unreadable packed board"

// BoardSize is 96.
func (Rules) BoardSize() int { return boardSize }

// AppendBoard appends p packed.
func (Rules) AppendBoard(dst []byte, p Position) []byte {
	at := len(dst)
	dst = append(dst, make([]byte, boardSize)...)
	b := dst[at:]
	for pieces := p.Occupied(); !pieces.Empty(); pieces = pieces.Rest() {
		s := pieces.First()
		b[s] = byte(p.KindAt(s)) | byte(p.SideAt(s))<<4
	}
	for side := Black; side <= White; side++ {
		for k := Pawn; k <= Gold; k++ {
			b[81+7*int(side)+int(k-Pawn)] = byte(p.hands[side].Count(k))
		}
	}
	b[95] = byte(p.side)
	return dst
}

// UnpackBoard is the inverse of AppendBoard.
func (Rules) UnpackBoard(b []byte) (Position, error) {
	if len(b) != boardSize || b[95] > byte(White) {
		return Position{}, unreadableBoard
	}
	var p Position
	for s, code := range b[:81] {
		if code == 0 {
			continue
		}
		k := Kind(code & 15)
		if code >= 32 || k == NoKind || k > Dragon {
			return Position{}, unreadableBoard
		}
		p.put(k, games.Side(code>>4), Square(s).Bit())
	}
	for side := Black; side <= White; side++ {
		for k := Pawn; k <= Gold; k++ {
			n := int(b[81+7*int(side)+int(k-Pawn)])
			if n > total[k] {
				return Position{}, unreadableBoard
			}
			p.hands[side] += Hand(n) * one(k)
		}
	}
	p.side = games.Side(b[95])
	if p.validate() != nil {
		return Position{}, unreadableBoard
	}
	return p, nil
}

// Letters unpacks a board as letters of SFEN: for each square the letter of its piece, with 128 added
// if it is promoted, and 0 for none; the pieces in hand by side, from pawn to gold as Kind has
// them. It is for those who write boards: whether the pieces make a position is left open.
func Letters(b []byte) (squares [81]byte, hands [2][7]byte, side games.Side, err error) {
	if len(b) != boardSize || b[95] > byte(White) {
		return squares, hands, 0, unreadableBoard
	}
	for s, code := range b[:81] {
		letter := squareLetters[code]
		if letter == noLetter {
			return squares, hands, 0, unreadableBoard
		}
		squares[s] = letter
	}
	copy(hands[Black][:], b[81:88])
	copy(hands[White][:], b[88:95])
	return squares, hands, games.Side(b[95]), nil
}

const noLetter = 255

// squareLetters are the letters of the bytes of a square.
var squareLetters = func() (of [256]byte) {
	for i := range of[1:] {
		of[1+i] = noLetter
	}
	for k := Pawn; k <= Dragon; k++ {
		letter := letters[k.Base()]
		if k != k.Base() {
			letter |= 128
		}
		of[k], of[k|16] = letter, letter|0x20
	}
	return of
}()
