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
