package board

import "strings"

// Sides returns the names of a game's sides, White and Black; "the first player" and "the second player" where g is nil.
func Sides(g Game) [2]string {
	if g == nil {
		return [2]string{"the first player", "the second player"}
	}
	return g.Layout().Sides
}

// SecondMark returns what the texts of positions with the second player to move have for this side, in small letters, as the macro second_begins
// reads it: b, w or o; "" where texts do not name the side (tic-tac-toe), or g is nil.
func SecondMark(g Game) string {
	if g == nil {
		return ""
	}
	at, err := g.Start("", "")
	if err != nil {
		return ""
	}
	text := string(at.Moves()[0].Play().AppendText(nil))
	if len(text) > 1 && text[1] == ':' {
		return strings.ToLower(text[:1])
	}
	fields := strings.Split(text, " ")
	if len(fields) < 2 {
		return ""
	}
	return strings.ToLower(fields[1])
}
