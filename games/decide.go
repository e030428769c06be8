package games

import (
	"bytes"
	"slices"
)

// Reasons for which a position is not a decision.
const (
	NoMove     = "no move"
	ForcedMove = "forced"
	NotLegal   = "not legal"
)

// Decider finds the moves that were played in positions.
type Decider[P Position[P]] struct {
	Rules Rules[P]
	Moves []Move // the legal moves of the last position
	text  []byte
}

// Decide returns the position of a packed board and the index in Moves of the move played, which has these coordinates; empty: none. If
// the position is not a decision, it returns the reason.
func (d *Decider[P]) Decide(board, played []byte) (p P, chosen int, reason string, err error) {
	if len(played) == 0 {
		return p, -1, NoMove, nil
	}
	if p, err = d.Rules.UnpackBoard(board); err != nil {
		return p, -1, "", err
	}
	d.Moves = p.AppendMoves(d.Moves[:0])
	switch chosen = d.find(p, played); {
	case chosen < 0:
		reason = NotLegal
	case len(d.Moves) < 2:
		reason = ForcedMove
	}
	return p, chosen, reason, nil
}

// find returns the index of the move with these coordinates, -1 without one.
func (d *Decider[P]) find(p P, coordinates []byte) int {
	return slices.IndexFunc(d.Moves, func(m Move) bool {
		d.text = d.Rules.AppendCoordinates(d.text[:0], p, m)
		return bytes.Equal(d.text, coordinates)
	})
}
