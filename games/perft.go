package games

// Perft counts the leaves of the game tree depth plies below p, the standard test of a move
// generator with published counts. The last ply is counted, not played.
func Perft[P Position[P]](r Rules[P], p P, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	return perft(p, depth, make([]Move, 0, 640*depth), CountMoves(r))
}

// perft keeps the moves of all plies in one stack, which has room for the longest lists
// of moves known: where it grows, it does so again at every node.
func perft[P Position[P]](p P, depth int, stack []Move, count func(P) int) uint64 {
	if depth == 1 {
		return uint64(count(p))
	}
	base := len(stack)
	stack = p.AppendMoves(stack)
	var n uint64
	for _, m := range stack[base:] {
		n += perft(p.Play(m), depth-1, stack, count)
	}
	return n
}

// CountMoves returns a function that counts the legal moves of a position, for one goroutine.
func CountMoves[P Position[P]](r Rules[P]) func(p P) int {
	if c, ok := r.(MoveCounter[P]); ok {
		return c.CountMoves
	}
	var moves []Move
	return func(p P) int {
		moves = p.AppendMoves(moves[:0])
		return len(moves)
	}
}
