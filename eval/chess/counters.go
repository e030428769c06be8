package chess

import "kifu/games/chess"

// counter is a term defined by a count for each player. To add a term, write its function
// and add a line to counters: its name then works in weights files, --free, --zero, reports
// and fits; its weight is 0 until a file sets one.
type counter struct {
	group, name string
	// pawnsOnly marks a counter that depends on the pawns of both players alone and is
	// remembered with their structure.
	pawnsOnly bool
	// count returns the count of v's player, on a board turned so that its pawns go up.
	count func(v *view) int
}

var counters = []counter{
	{"pawns", "pawn_majority_wing", true, pawnMajorities},
}

// countersOf adds the counters that depend on the pawns alone, or the others.
func (e *evaluator) countersOf(pawnsOnly bool, w, b *view) (sum packed) {
	for i := range counters {
		if c := &counters[i]; c.pawnsOnly == pawnsOnly {
			sum += e.times(w, builtIn+i, c.count(w)) - e.times(b, builtIn+i, c.count(b))
		}
	}
	return sum
}

// pawnMajorities returns the number of wings (a–d, e–h) on which v has more pawns.
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
