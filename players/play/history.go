package play

import (
	"slices"

	"kifu/games"
	"kifu/search/engine"
)

// History is how a position was reached.
type History[P any] struct {
	start P
	Clock engine.Clock // before the next move, of a player that has one
	Moves []games.Move
	seen  []uint64 // hashes of the positions, the first one and the last included
	marks [1 << markBits / 64]uint64
	// Forbids reports whether a move loses because of earlier positions; nil in games
	// without superko. There is always another move.
	Forbids func(games.Move) bool
}

// allowed drops forbidden moves.
func (h *History[P]) allowed(moves []games.Move) []games.Move {
	if h == nil || h.Forbids == nil {
		return moves
	}
	return slices.DeleteFunc(moves, h.Forbids)
}

// markBits is the number of hash bits by which most new positions are recognised without a
// search.
const markBits = 12

// Reset begins a game.
func (h *History[P]) Reset(start P, hash uint64) {
	h.start, h.Moves, h.seen = start, h.Moves[:0], h.seen[:0]
	clear(h.marks[:])
	h.See(hash)
}

// See records a position.
func (h *History[P]) See(hash uint64) {
	h.seen = append(h.seen, hash)
	mark := hash >> (64 - markBits)
	h.marks[mark/64] |= 1 << (mark % 64)
}

// saw reports whether a position was on the board before.
func (h *History[P]) saw(hash uint64) bool {
	mark := hash >> (64 - markBits)
	return h.marks[mark/64]>>(mark%64)&1 != 0 && slices.Contains(h.seen, hash)
}
