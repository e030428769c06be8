package games

// OpeningNames is implemented by Rules of games whose openings have names that a position
// tells, whatever the order of the moves that led to it. They are the text of the positions'
// column opening_name.
type OpeningNames[P any] interface {
	// OpeningName returns the name of the opening that p shows, in the game's own language,
	// "" when it shows none (yet, or no more).
	OpeningName(p P) string
}

// ListedOpenings is implemented, beside OpeningNames, by Rules that find names in a list of
// positions: in a game, a position outside the list has the name of the last one before it
// that is listed.
type ListedOpenings[P any] interface {
	OpeningNames[P]
	// OpeningCode returns the code by which records name the opening that p shows (ECO), ""
	// when it is not listed.
	OpeningCode(p P) string
}
