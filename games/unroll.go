package games

import (
	"encoding/binary"
	"errors"
)

// undecodable is the Reason for stored moves that decode to no move of the game.
const undecodable Reason = "moves that do not decode"

// ReasonOf returns the Reason that err is or wraps, or undecodable for any other error.
func ReasonOf(err error) Reason {
	if r, ok := errors.AsType[Reason](err); ok {
		return r
	}
	return undecodable
}

// Unroller plays stored games: it unpacks the moves column of the games dataset and plays
// the moves one after the other. It is for one goroutine.
type Unroller[P Position[P]] struct {
	rules  Rules[P]
	starts map[string]P // usual start positions by variant
}

// NewUnroller returns an Unroller of the game.
func NewUnroller[P Position[P]](rules Rules[P]) *Unroller[P] {
	return &Unroller[P]{rules: rules, starts: map[string]P{}}
}

// Start returns the start of a game from its columns variant and start_position; an empty
// position means the usual start of the variant, which is parsed once.
func (u *Unroller[P]) Start(variant, position []byte) (P, error) {
	if len(position) > 0 {
		p, _, err := u.rules.Start(string(variant), string(position))
		return p, err
	}
	if p, known := u.starts[string(variant)]; known {
		return p, nil
	}
	p, _, err := u.rules.Start(string(variant), "")
	if err == nil {
		u.starts[string(variant)] = p
	}
	return p, err
}

// Play plays the codes, two bytes per move as packed by Rules.PackMove, from start on and
// calls visit with every move and the position before it. It returns the position after the
// last move. For codes that decode to no move it returns an error that ReasonOf names,
// after visit has seen the moves before it.
func (u *Unroller[P]) Play(start P, codes []byte, visit func(p P, m Move)) (P, error) {
	p := start
	if len(codes)%2 != 0 {
		return p, undecodable
	}
	for ; len(codes) > 0; codes = codes[2:] {
		m, err := u.rules.UnpackMove(p, binary.LittleEndian.Uint16(codes))
		if err != nil {
			return p, err
		}
		visit(p, m)
		p = p.Play(m)
	}
	return p, nil
}
