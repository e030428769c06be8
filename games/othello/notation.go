package othello

import (
	"strings"

	"kifu/games"
)

// Errors that only a record of Othello can have.
const (
	earlyPass        games.Reason = "pass where a move is legal"
	unreadableText   games.Reason = "unreadable position: want 64 squares of X, O and - and the side to move"
	unreadableBoard  games.Reason = "unreadable packed board"
	movesAfterTheEnd games.Reason = "move after the end of the game"
)

// ParseMove resolves a move: a square in letters of either case (f5, F5), or a pass,
// written pass, pa, ps, --, -, @@ or, as in SGF, as nothing. The error is a
// games.Reason.
func (Rules) ParseMove(p Position, text []byte) (games.Move, error) {
	if isPass(text) {
		switch {
		case p.MustPass():
			return Pass, nil
		case p.Outcome() != games.Undecided:
			return 0, movesAfterTheEnd
		}
		return 0, earlyPass
	}
	if len(text) != 2 {
		return 0, games.UnreadableMove
	}
	column, row := text[0]|0x20-'a', text[1]-'1'
	if column > 7 || row > 7 {
		return 0, games.UnreadableMove
	}
	s := SquareAt(int(column), int(row))
	if !p.Empty().Has(s) || flips(s, p.own, p.opp) == 0 {
		if p.Outcome() != games.Undecided {
			return 0, movesAfterTheEnd
		}
		return 0, games.IllegalMove
	}
	return Move(s), nil
}

func isPass(text []byte) bool {
	switch len(text) {
	case 0:
		return true
	case 1:
		return text[0] == '-'
	case 2:
		return text[0]|0x20 == 'p' && (text[1]|0x20 == 'a' || text[1]|0x20 == 's') || string(text) == "--" || string(text) == "@@"
	}
	return strings.EqualFold(string(text), "pass")
}

// AppendMove appends "f5" or "pass".
func (r Rules) AppendMove(dst []byte, p Position, m games.Move) []byte {
	return r.AppendCoordinates(dst, p, m)
}

// AppendCoordinates appends "f5" or "pass".
func (Rules) AppendCoordinates(dst []byte, _ Position, m games.Move) []byte {
	if m == Pass {
		return append(dst, "pass"...)
	}
	s := To(m)
	return append(dst, 'a'+byte(s&7), '1'+byte(s>>3))
}

// ForcedPass returns the pass when it is p's only move. Some records (WTHOR) leave
// forced passes out; whoever replays them plays it before a move that p does not allow.
func (Rules) ForcedPass(p Position) (m games.Move, forced bool) {
	if p.MustPass() {
		return Pass, true
	}
	return 0, false
}

// ParsePosition reads 64 squares from a1 to h1 to h8 and the side to move, as in
//
//	---------------------------OX------XO--------------------------- X
//
// Black is X, * or B, White O or W, in either case; an empty square is -, . or _.
// Blanks between the squares are passed over, and so are GGF's number before them (8,
// the size of the board) and what follows a semicolon.
func (Rules) ParsePosition(text string) (Position, error) {
	text, _, _ = strings.Cut(text, ";")
	text = strings.TrimSpace(text)
	if rest, found := strings.CutPrefix(text, "8"); found {
		text = rest
	}
	var discs [2]Bitboard
	n := 0
	for i := range len(text) {
		c := text[i]
		side, disc := sideOf(c)
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			continue
		case n < 64 && (c == '-' || c == '.' || c == '_'):
		case n < 64 && disc:
			discs[side] |= Square(n).Bit()
		case n == 64 && disc && i == len(text)-1:
			return Position{own: discs[side], opp: discs[side^1], side: side}, nil
		default:
			return Position{}, unreadableText
		}
		n++
	}
	return Position{}, unreadableText
}

func sideOf(c byte) (side games.Side, ok bool) {
	switch c {
	case 'X', 'x', '*', 'B', 'b':
		return Black, true
	case 'O', 'o', 'W', 'w':
		return White, true
	}
	return 0, false
}

// AppendPosition appends the text that ParsePosition shows.
func (Rules) AppendPosition(dst []byte, p Position) []byte {
	const letters = "XO"
	for s := range Square(64) {
		switch {
		case p.own.Has(s):
			dst = append(dst, letters[p.side&1])
		case p.opp.Has(s):
			dst = append(dst, letters[p.side&1^1])
		default:
			dst = append(dst, '-')
		}
	}
	return append(dst, ' ', letters[p.side&1])
}
