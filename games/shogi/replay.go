package shogi

import "kifu/games"

// occurrences of a position end a game.
const occurrences = 4

// Occurrences is 4.
func (Rules) Occurrences() int { return occurrences }

// replay follows a game. seen are the hashes of all its positions, the present one
// last; checked marks those in which the side to move is in check.
type replay struct {
	now     Position
	seen    []uint64
	checked []bool
}

func (r *replay) Reset(p Position) {
	r.now = p
	r.seen = append(r.seen[:0], p.Hash())
	r.checked = append(r.checked[:0], p.InCheck())
}

func (r *replay) Play(m games.Move) {
	r.now = r.now.Play(m)
	r.seen = append(r.seen, r.now.Hash())
	r.checked = append(r.checked, r.now.InCheck())
}

func (r *replay) Position() Position { return r.now }

// Outcome gives the lack of a legal move before a repetition.
func (r *replay) Outcome() (games.Outcome, string) {
	if o := r.now.Outcome(); o != games.Undecided {
		if r.checked[len(r.checked)-1] {
			return o, "checkmate"
		}
		return o, "no legal move"
	}
	first, repeated := r.fourfold()
	if !repeated {
		return games.Undecided, ""
	}
	mover := r.now.side
	switch {
	case r.allChecks(first, 2): // the positions with the same side to move: the other side's moves
		return games.WinFor(mover), "perpetual check"
	case r.allChecks(first, 1):
		return games.WinFor(mover ^ 1), "perpetual check"
	}
	return games.Drawn, "fourfold repetition"
}

// fourfold returns the earliest of four occurrences of the present position, the latest
// ones, however far apart they are.
func (r *replay) fourfold() (first int, repeated bool) {
	last := len(r.seen) - 1
	n, hash := 0, r.seen[last]
	for i := last; i >= 0; i -= 2 {
		if r.seen[i] == hash {
			if n++; n == occurrences {
				return i, true
			}
		}
	}
	return 0, false
}

// allChecks reports whether every second position from first + offset on is a check.
func (r *replay) allChecks(first, offset int) bool {
	for i := first + offset; i < len(r.checked); i += 2 {
		if !r.checked[i] {
			return false
		}
	}
	return true
}
