package games

// MotifPlies is the greatest number of plies after a move that its motifs depend on.
const MotifPlies = 16

// Motifs recognizes the tactical motifs of moves in a game that was played.
type Motifs[P any] interface {
	// Motifs returns the motifs, at most 64, with their names as of columns and their definitions.
	Motifs() []Column
	// MotifsOf returns the motifs of move i of a game as bits, in the order of Motifs. positions[i] is the
	// position before moves[i]; there is one position more than there are moves.
	MotifsOf(positions []P, moves []Move, i int) uint64
}
