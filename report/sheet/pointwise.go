package sheet

// Pointwise is the sentence that a report has on its intervals: what they allow for, and what they do not. Each is of one number;
// of many that are shown one in twenty misses its truth.
func Pointwise(allowed, not string) string {
	return "Each 95 % interval is pointwise, for its own number alone. It allows for " + allowed + ", but not for " + not + "."
}

// What intervals allow for, or do not.
const (
	OneGame   = "the dependence of positions of one game"
	OnePlayer = "the dependence of games of one player"
	Others    = "what games of other players or times would show"
)
