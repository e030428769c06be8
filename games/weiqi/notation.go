package weiqi

import (
	"strings"

	"kifu/games"
)

// Errors that only a record of Go can have.
const (
	occupied         games.Reason = "move on an occupied point"
	retaken          games.Reason = "ko retaken at once"
	suicide          games.Reason = "suicide"
	offBoard         games.Reason = "move off the board"
	movesAfterTheEnd games.Reason = "move after the end of the game"
)

// Letters of the columns in coordinates: there is no I.
const columns = "ABCDEFGHJKLMNOPQRST"

// ParseMove resolves a move: a point as SGF writes it (pd: column and row from the top
// left), as GTP does (Q16: column without I, and row from the bottom), in either case; or
// a pass, written pass, tt on these boards, --, or as nothing. The error is a
// games.Reason.
func (Rules) ParseMove(p Position, text []byte) (games.Move, error) {
	if p.ended() {
		return 0, movesAfterTheEnd
	}
	if isPass(text) {
		return Pass, nil
	}
	column, row, ok := parsePoint(text, int(p.size))
	switch {
	case !ok:
		return 0, games.UnreadableMove
	case column < 0 || column >= int(p.size) || row < 0 || row >= int(p.size):
		return 0, offBoard
	}
	at := PointAt(column, row)
	if p.legal(at) {
		return Move(at), nil
	}
	empty := p.Empty()
	switch {
	case !empty.Has(at):
		return 0, occupied
	case at == p.ko:
		return 0, retaken
	}
	return 0, suicide
}

func isPass(text []byte) bool {
	switch len(text) {
	case 0:
		return true
	case 2:
		return string(text) == "tt" || string(text) == "--"
	}
	return strings.EqualFold(string(text), "pass")
}

// parsePoint reads a point, which may be off the board.
func parsePoint(text []byte, size int) (column, row int, ok bool) {
	if len(text) < 2 || len(text) > 3 {
		return 0, 0, false
	}
	first := text[0] | 0x20
	if first < 'a' || first > 'z' {
		return 0, 0, false
	}
	if second := text[1] | 0x20; second >= 'a' && second <= 'z' {
		return int(first - 'a'), int(second - 'a'), len(text) == 2
	}
	number := 0
	for _, c := range text[1:] {
		if c < '0' || c > '9' {
			return 0, 0, false
		}
		number = 10*number + int(c-'0')
	}
	return strings.IndexByte(columns, first&^0x20), size - number, first != 'i'
}

// AppendMove appends the move as SGF writes it: pd, and nothing for a pass.
func (Rules) AppendMove(dst []byte, _ Position, m games.Move) []byte {
	if m == Pass {
		return dst
	}
	return append(dst, 'a'+byte(To(m).Column()), 'a'+byte(To(m).Row()))
}

// AppendCoordinates appends the move as GTP writes it: Q16 or pass.
func (Rules) AppendCoordinates(dst []byte, p Position, m games.Move) []byte {
	if m == Pass {
		return append(dst, "pass"...)
	}
	return appendPoint(dst, To(m), int(p.size))
}

// AppendShown implements games.Shower: Q16.
func (r Rules) AppendShown(dst []byte, p Position, m games.Move, _ bool) []byte {
	return r.AppendCoordinates(dst, p, m)
}

func appendPoint(dst []byte, at Point, size int) []byte {
	dst = append(dst, columns[at.Column()%len(columns)])
	row := size - at.Row()
	if row >= 10 {
		dst = append(dst, '1')
	}
	return append(dst, '0'+byte(row%10))
}
