package games

// BlackFirst is implemented by Rules of games whose records call the player who moves
// first Black; in all other games White is the first player.
type BlackFirst interface {
	BlackMovesFirst() bool
}

// Passer is implemented by Rules of games in which a side without a move has to pass.
// Some records leave such passes out.
type Passer[P any] interface {
	// ForcedPass returns the pass if it is the only move in p.
	ForcedPass(p P) (m Move, forced bool)
}
