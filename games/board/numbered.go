package board

import (
	"strings"

	"kifu/games"
)

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

// Line writes moves that are played from b on, after ply others, as players write them with numbers; from the first that
// cannot be played on they are unchanged.
func Line(b Board, ply int, moves []string, western bool) string {
	var words []string
	for i, text := range moves {
		m, err := b.Find(text)
		if err != nil {
			words = append(words, moves[i:]...)
			break
		}
		if number := NumberInLine(b, ply+i, i == 0); number != "" {
			words = append(words, number)
		}
		words, b = append(words, string(m.AppendShown(nil, western))), m.Play()
	}
	return strings.Join(words, " ")
}

// Shown writes a move of b as players write it; one that cannot be played, and none, is unchanged.
func Shown(b Board, move string, western bool) string {
	m, err := b.Find(move)
	if err != nil || move == "" {
		return move
	}
	return string(m.AppendShown(nil, western))
}
