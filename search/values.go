package search

// valueTable remembers static values by the position's hash, and, for Best, bounds of
// quiescence values. The searches of a game's consecutive positions, and several searches
// of one position, see much the same positions: about half of all evaluations are found
// here.
type valueTable [1 << valueBits]remembered

// valueBits keeps the table small: with four times as many entries label takes a tenth longer, as it waits for memory.
const valueBits = 12

type remembered struct {
	hash  uint64
	value int32 // for the first player, if known
	// low and high bound q(p, k) for the side to move, if enclosed, as found by a search
	// that went at most height plies beyond p.
	low, high int32
	height    uint8
	facts     facts
}

// facts are the known properties of a position.
type facts uint8

const (
	known    facts = 1 << iota // the static value
	quiet                      // it is not forced
	going                      // it has not ended
	enclosed                   // the bounds
)

func (t *valueTable) at(hash uint64) *remembered { return &t[hash>>(64-valueBits)] }

// has reports whether e is of that position, with those facts.
func (e *remembered) has(hash uint64, f facts) bool { return e.facts&f == f && e.hash == hash }

// value returns the static value of p for the first player, clamped to ±Decisive so that
// large weights do not look like a forced win.
func (s *Searcher[P]) value(p P, e *remembered, hash uint64) int32 {
	if !e.has(hash, known) {
		*e = remembered{hash: hash, value: min(max(s.static.Value(p), -Decisive), Decisive), facts: known}
	}
	return e.value
}

// recall returns a bound of the position's quiescence value that decides the window, if one
// is remembered, k plies from the beginning of the quiescence search. Where fewer moves are
// followed, k and the move before matter.
func (s *Searcher[P]) recall(e *remembered, hash uint64, alpha, beta int32, k int) (v int32, ok bool) {
	if !s.recalls || !e.has(hash, enclosed) || k+int(e.height) >= s.wide {
		return 0, false
	}
	if v = e.high; e.low >= beta {
		v = e.low
	} else if e.high > alpha && e.low < e.high {
		return 0, false
	}
	s.reach = k + int(e.height)
	return v, true
}

// enclose records the quiescence value v of a position, found in a window by a search that
// went at most height plies beyond it. Wins and losses, whose values depend on their
// distance, are not recorded.
func (e *remembered) enclose(hash uint64, v, alpha, beta int32, height int) {
	if v >= Decisive || v <= -Decisive {
		return
	}
	if e.hash != hash {
		*e = remembered{hash: hash}
	}
	if e.facts&enclosed == 0 {
		e.low, e.high, e.height, e.facts = -infinite, infinite, 0, e.facts|enclosed
	}
	e.height = max(e.height, uint8(height))
	if v < beta {
		e.high = min(e.high, v)
	}
	if v > alpha {
		e.low = max(e.low, v)
	}
}
