package schemas

// Outcome is how a game ended, as in column result of games, positions and labels.
type Outcome uint8

// The outcomes, and their number.
const (
	FirstWon Outcome = iota
	SecondWon
	Drawn
	Unfinished
	Outcomes
)

// OutcomeOf reads a value of column result; null, an empty text, is Unfinished.
func OutcomeOf(text []byte) Outcome {
	switch string(text) {
	case "first":
		return FirstWon
	case "second":
		return SecondWon
	case "draw":
		return Drawn
	}
	return Unfinished
}

// Halves returns the first player's points, two a win; ok is false for games without a result.
func (o Outcome) Halves() (points int, ok bool) {
	return [Outcomes]int{FirstWon: 2, Drawn: 1}[o], o != Unfinished
}

// A value column holds a forced win in n plies as Win-n for the first player and n-Win
// for the second. Every other value is within ±Decided; values from outside programs
// and records are clamped to that range.
const (
	Win     = 32000
	Decided = 31000
)

// Forced reports whether a value means a forced win of either player.
func Forced[T int32 | int64 | float32 | float64](v T) bool { return v > Decided || v < -Decided }
