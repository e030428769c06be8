package search

// valueTable remembers static values by the position's hash. The searches of a game's
// consecutive positions, and several searches of one position, see much the same
// positions: about half of all evaluations are found here.
type valueTable [1 << valueBits]remembered

const valueBits = 11

type remembered struct {
	hash  uint64
	value int32 // for the first player
	known bool
	quiet bool // the position is not forced; false: not known
	going bool // the position has not ended; false: not known
}

func (t *valueTable) at(hash uint64) *remembered { return &t[hash>>(64-valueBits)] }

// value is the static value of p for the first player, kept within ±Decisive lest
// outsized weights look like a forced win.
func (s *Searcher[P]) value(p P, e *remembered, hash uint64) int32 {
	if !e.known || e.hash != hash {
		*e = remembered{hash: hash, value: min(max(s.static.Value(p), -Decisive), Decisive), known: true}
	}
	return e.value
}
