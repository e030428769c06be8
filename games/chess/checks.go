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

// Answers returns the number of legal moves.
func (Rules) Answers(p Position) int {
	var moves [256]games.Move
	return len(p.AppendMoves(moves[:0]))
}

// HasCheck reports whether some legal move gives check.
func (r Rules) HasCheck(p Position) bool {
	var moves [256]games.Move
	return len(r.AppendChecks(moves[:0], p)) > 0
}

// Held returns the hash and an empty hand.
func (Rules) Held(p Position, _ games.Side) (board uint64, hand uint32) { return p.Hash(), 0 }

// Guard is 0.
func (Rules) Guard() uint32 { return 0 }

// GiveBack returns nothing, as there are no drops.
func (Rules) GiveBack(Position, games.Move, games.Move) (next Position, ok bool) { return }
