package legal

import (
	"encoding/binary"
	"slices"

	"kifu/games"
)

// repeats finds repetitions that end a game. It is for one goroutine.
type repeats[P games.Position[P]] struct {
	occurrences int
	replay      games.Replay[P]
	hashes      []uint64
}

// find returns the outcome decided by the first repetition in the moves from start, and whether moves
// follow it. Hashes of positions rule out games without a repetition.
func (r *repeats[P]) find(rules games.Rules[P], start P, codes []byte) (o games.Outcome, goesOn bool) {
	r.hashes = append(r.hashes[:0], start.Hash())
	for p, i := start, 0; i < len(codes); i += 2 {
		m, err := rules.UnpackMove(p, binary.LittleEndian.Uint16(codes[i:]))
		if err != nil {
			return games.Undecided, false
		}
		p = p.Play(m)
		r.hashes = append(r.hashes, p.Hash())
	}
	if !r.repeated() {
		return games.Undecided, false
	}
	r.replay.Reset(start)
	for i := 0; i < len(codes); i += 2 {
		m, err := rules.UnpackMove(r.replay.Position(), binary.LittleEndian.Uint16(codes[i:]))
		if err != nil {
			break
		}
		r.replay.Play(m)
		if o, _ := r.replay.Outcome(); o != games.Undecided && r.replay.Position().Outcome() == games.Undecided {
			return o, i+2 < len(codes)
		}
	}
	return games.Undecided, false
}

// repeated reports whether a hash comes as often as ends a game.
func (r *repeats[P]) repeated() bool {
	slices.Sort(r.hashes)
	for i := r.occurrences - 1; i < len(r.hashes); i++ {
		if r.hashes[i] == r.hashes[i-r.occurrences+1] {
			return true
		}
	}
	return false
}
