package games

// Dialects is implemented by Rules of games whose moves are also written with other letters
// than ParseMove reads, as in other languages. One letter may mean different men in
// different dialects, so a single move does not identify the dialect; the whole game does.
type Dialects interface {
	// Dialects returns the names, in the order in which they are to be tried.
	Dialects() []string
	// Translate appends text, a move written in dialect i, in the form that ParseMove
	// reads; it appends nothing if text cannot be such a move. foreign reports that text
	// has a letter specific to the dialect: a game without any is no evidence for the
	// dialect.
	Translate(dst []byte, i int, text []byte) (translated []byte, foreign bool)
}
