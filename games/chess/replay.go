package chess

import "kifu/games"

// replay follows a game. seen are the hashes of the positions since the last move that
// cannot be undone, the present one last.
type replay struct {
	now  Position
	seen []uint64
}

func (r *replay) Reset(p Position) {
	r.now = p
	r.seen = append(r.seen[:0], p.hash)
}

func (r *replay) Play(m games.Move) {
	r.now = r.now.Play(m)
	if r.now.clock == 0 { // what was seen cannot come again: this saves time
		r.seen = r.seen[:0]
	}
	r.seen = append(r.seen, r.now.hash)
}

func (r *replay) Position() Position { return r.now }

// Outcome gives checkmate and stalemate before the draws.
func (r *replay) Outcome() (games.Outcome, string) {
	switch o := r.now.Outcome(); {
	case o == games.Drawn:
		return o, "stalemate"
	case o != games.Undecided:
		return o, "checkmate"
	case r.now.InsufficientMaterial():
		return games.Drawn, "insufficient material"
	case r.repeated(3):
		return games.Drawn, "threefold repetition"
	case r.now.clock >= 100:
		return games.Drawn, "fifty moves"
	}
	return games.Undecided, ""
}

// repeated reports whether the present position has stood on the board times times.
func (r *replay) repeated(times int) bool {
	n := 0
	for i := len(r.seen) - 1; i >= 0; i -= 2 {
		if r.seen[i] == r.now.hash {
			n++
		}
	}
	return n >= times
}
