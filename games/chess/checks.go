package chess

import "kifu/games"

var _ games.Checker[Position] = Rules{}

// AppendChecks appends the legal moves that give check, in ascending order.
func (Rules) AppendChecks(dst []games.Move, p Position) []games.Move {
	base := len(dst)
	dst = p.AppendMoves(dst)
	kept := dst[:base]
	for _, m := range dst[base:] {
		if next := p.Play(m); next.InCheck() {
			kept = append(kept, m)
		}
	}
	return kept
}

// Block is 0: pieces come from the board, so that each interposition is one of its own.
func (Rules) Block(games.Move) uint8 { return 0 }
