package board

import "kifu/games"

// Numbered returns m, a move of b after ply others, as players write it, with its number: "12. Nf3", "12... Nc6",
// "24 Q16"; western asks for Latin letters.
func Numbered(b Board, m Move, ply int, western bool) string {
	return b.Layout().MoveNumber(ply, b.ToMove()) + " " + string(m.AppendShown(nil, western))
}

// NumberInLine returns the number before a move of b after ply others in a line of moves; it is empty before a move of
// the second side that does not begin the line: "1. e4 Nc6 2. Nf3".
func NumberInLine(b Board, ply int, begins bool) string {
	if b.ToMove() == games.Second && !begins {
		return ""
	}
	return b.Layout().MoveNumber(ply, b.ToMove())
}
