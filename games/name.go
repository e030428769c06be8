package games

// OpeningNames is implemented by Rules of games whose openings have names that a position
// tells, whatever the order of the moves that led to it. They are the text of the positions'
// column opening_name.
type OpeningNames[P any] interface {
	// OpeningName returns the name of the opening that p shows, in the game's own language,
	// "" when it shows none (yet, or no more).
	OpeningName(p P) string
}
