package chess

import "kifu/games/chess"

// counter is a term that is a count for either player. To add a term, write its
// function and add a line to counters: its name then works in weights files, --free,
// --zero, reports and fits, and until a file gives it a weight it weighs nothing.
type counter struct {
	group, name string
	// pawnsOnly: it depends on the pawns of both players alone, and is remembered with
	// their structure.
	pawnsOnly bool
	// count is what the player of v has, on a board turned so that his pawns go up.
	count func(v *view) int
}

var counters = []counter{
	{"pawns", "pawn_majority_wing", true, pawnMajorities},
}

// countersOf adds the counters that depend on the pawns alone, or the others.
func (e *Evaluator) countersOf(pawnsOnly bool, w, b *view) (sum packed) {
	for i := range counters {
		if c := &counters[i]; c.pawnsOnly == pawnsOnly {
			sum += e.times(w, builtIn+i, c.count(w)) - e.times(b, builtIn+i, c.count(b))
		}
	}
	return sum
}

// pawnMajorities is on how many wings (a–d, e–h) v has more pawns.
func pawnMajorities(v *view) int {
	const queenside = 0x0f0f0f0f0f0f0f0f
	n := 0
	for _, wing := range [2]chess.Bitboard{queenside, ^chess.Bitboard(queenside)} {
		if (v.men[chess.Pawn] & wing).Count() > (v.foe[chess.Pawn] & wing).Count() {
			n++
		}
	}
	return n
}
