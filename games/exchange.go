package games

// Exchanger is implemented by Rules of games that can exchange the sides of a position: the other player has
// the same pieces, in the same place as seen from there, and the same rights.
type Exchanger[P any] interface {
	Exchange(p P) P
	// ExchangeMove returns a move of p as one of Exchange(p).
	ExchangeMove(p P, m Move) Move
}
