package games

// Dialects is implemented by Rules of games whose moves are also written with other
// letters than ParseMove reads, as in other languages. One letter may mean different
// men in different dialects, so one move does not tell which it is: the whole game does.
type Dialects interface {
	// Dialects are the names, in the order in which they are to be tried.
	Dialects() []string
	// Translate appends text, a move written in dialect i, as ParseMove reads it; nothing
	// if it cannot be one. foreign says that text has a letter of the dialect's own: a
	// game without any is no evidence for the dialect.
	Translate(dst []byte, i int, text []byte) (translated []byte, foreign bool)
}
