package computed

import (
	"kifu/datasets/columns"
	"kifu/fit/rows"
	"kifu/schemas"
)

// Why a row is left out, and what is noted of one.
const (
	ForcedWin = "forced win"
	HeldOut   = "held out"
)

// ResultOf returns the results of the games of row i.
func ResultOf(i int, result, firstWins, draws, secondWins *columns.Vec) rows.Results {
	if firstWins != nil {
		return rows.Results{First: float64(firstWins.Int32[i]), Draws: float64(draws.Int32[i]), Second: float64(secondWins.Int32[i])}
	}
	if result == nil {
		return rows.Results{}
	}
	switch schemas.OutcomeOf(result.Value(i)) {
	case schemas.FirstWon:
		return rows.Results{First: 1}
	case schemas.Drawn:
		return rows.Results{Draws: 1}
	case schemas.SecondWon:
		return rows.Results{Second: 1}
	}
	return rows.Results{}
}
