package sheet

// Pointwise is the sentence that a report has on its intervals: what they allow for, and what they do not. Each is of one number;
// of many that are shown one in twenty misses its truth.
func Pointwise(allowed, not string) string {
	return "Each 95 % interval is pointwise, for its own number alone. It allows for " + allowed + ", but not for " + not + "."
}

// Recorded is the note of a report that takes the cost of moves from values in records.
const Recorded = "Values are those in the records. If each player recorded its own, as in matches of engines, a move also costs what the players' values differ by."

// What intervals allow for, or do not.
const (
	OneGame   = "the dependence of positions of one game"
	OnePlayer = "the dependence of games of one player"
	Others    = "what games of other players or times would show"
)
