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
