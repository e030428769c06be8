package games

import (
	"fmt"
	"strings"
)

// OpeningNames is implemented by Rules of games whose openings have names that a position
// shows, whatever the order of the moves that led to it. They are the text of the positions'
// column opening_name.
type OpeningNames[P any] interface {
	// OpeningName returns the name of the opening that p shows, in the game's own language,
	// "" when it shows none (yet, or no more).
	OpeningName(p P) string
}

// ListedOpenings is implemented, in addition to OpeningNames, by Rules that find names in a list of
// positions: in a game, a position outside the list has the name of the last one before it
// that is listed.
type ListedOpenings[P any] interface {
	OpeningNames[P]
	// OpeningCode returns the code by which records name the opening that p shows (ECO), its name
	// where openings have no codes, "" when it is not listed.
	OpeningCode(p P) string
}

// EachOpening calls add for the openings of a list: a line has a name, a tab, and the moves that
// lead from start to the position p that is named. An error names the line and the move that
// cannot be played.
func EachOpening[P Position[P]](list string, rules Notation[P], start P, add func(p P, name string)) error {
	for line := range strings.Lines(list) {
		name, moves, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		p := start
		for _, text := range strings.Fields(moves) {
			m, err := rules.ParseMove(p, []byte(text))
			if err != nil {
				return fmt.Errorf("opening %q: %s: %w", name, text, err)
			}
			p = p.Play(m)
		}
		add(p, name)
	}
	return nil
}
