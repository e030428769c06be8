package chess

import (
	"kifu/games"
	"kifu/games/chess/openings"
)

var _ games.ListedOpenings[Position] = Rules{}

// OpeningName returns the name that lichess' list has for p, however it was reached.
func (Rules) OpeningName(p Position) string {
	_, name := openings.At(p.hash)
	return name
}

// OpeningCode returns the ECO code of p in that list.
func (Rules) OpeningCode(p Position) string {
	code, _ := openings.At(p.hash)
	return code
}
