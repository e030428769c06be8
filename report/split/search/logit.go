package search

import "kifu/internal/logit"

// fitLogit returns the maximum of the likelihood of logit P(win) = x·theta, from start. Half a win and
// half a loss at a unit of every regressor keep it finite and hardly move an estimate from many
// positions.
func fitLogit(rows []logit.Row, start []float64) []float64 {
	for i := range start {
		unit := make([]float64, len(start))
		unit[i] = 1
		rows = append(rows, logit.Row{X: unit, N: 1, Won: 0.5})
	}
	// With these there is always curvature and a maximum, so no error.
	theta, _ := logit.Fit(rows, start)
	return theta
}
