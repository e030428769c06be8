package find

// Sequence is the way in which conditions follow one another in a game: condition 0 holds in the first position,
// the next in a later one, and so on.
type Sequence struct {
	Steps    int  // conditions, at least one
	Within   int  // each at most so many plies after the one before
	SameSide bool // all with the same side to move
	Without  bool // condition number Steps holds in no position in between
	Before   int  // condition 0 holds at no ply from here on; 0: it may
}

// First returns the least ply at which the sequence begins in a game whose positions are numbered from 0 up to
// last. holds reports whether a condition holds at a ply.
func (s Sequence) First(last func(ply int) bool, holds func(condition, ply int) bool) (ply int, ok bool) {
	for ply = 0; (s.Before == 0 || ply < s.Before) && last(ply); ply++ {
		if holds(0, ply) && s.goesOn(1, ply, last, holds) {
			return ply, true
		}
	}
	return 0, false
}

// goesOn reports whether the conditions from number step on follow a position.
func (s Sequence) goesOn(step, ply int, last func(ply int) bool, holds func(condition, ply int) bool) bool {
	if step == s.Steps {
		return true
	}
	for next := ply + 1; next <= ply+s.Within && last(next); next++ {
		if !(s.SameSide && (next-ply)%2 != 0) && holds(step, next) && s.goesOn(step+1, next, last, holds) {
			return true
		}
		if s.Without && holds(s.Steps, next) {
			return false
		}
	}
	return false
}
