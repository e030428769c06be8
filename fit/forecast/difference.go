package forecast

import (
	"kifu/fit/losses"
	"kifu/fit/rows"
	"kifu/internal/dyads"
	"kifu/schemas"
)

// Difference returns the mean log-loss of forecast a less b's on the same rows, and its standard
// error, with clusters by one of dyads.Ways. Differences are summed by game. What makes a game hard
// to predict is the same for both forecasts, so the error is much smaller than either log-loss's.
// It is nil for method value, which has no log-loss, and for one game.
func Difference(r *rows.Store, a, b Forecaster, way string) *schemas.FitDifference {
	if a.Method == losses.Value || r.Games < 2 {
		return nil
	}
	first, second := r.Scorer(a.thetas(r)), r.Scorer(b.thetas(r))
	var za, zb []float64
	var differences, weights []float64 // by game
	for _, block := range r.Blocks {
		za, zb = first.Scores(block, za[:0]), second.Scores(block, zb[:0])
		a.adjust(block, za)
		b.adjust(block, zb)
		from := 0
		for _, run := range block.Games {
			var d, w float64
			for next := from; from < run.End; from = next {
				next = from + 1
				if r.Design.Decided != nil {
					next = losses.DecisionEnd(block.Y[:run.End], from)
				}
				weight := block.WeightOf(from)
				d += weight * (a.loss(block, from, za[from:next]) - b.loss(block, from, zb[from:next]))
				w += weight
			}
			differences, weights = append(differences, d), append(weights, w)
		}
	}
	var sum, weight float64
	for g, d := range differences {
		sum, weight = sum+d, weight+weights[g]
	}
	mean := sum / weight
	for g := range differences {
		differences[g] -= mean * weights[g]
	}
	spread := dyads.SpreadOf(differences, weights)
	effective := spread.Degrees + 1
	if c := r.Clusters(); way != dyads.ByGame && c != nil && c.Usable() {
		spread = c.Ratio(differences, weights, way)
	}
	return &schemas.FitDifference{LogLoss: mean, SE: spread.Error(), CILow: mean - spread.Reach(), CIHigh: mean + spread.Reach(), EffectiveGames: effective}
}

// loss returns the log-loss of row i of b, or of the decision that begins there, whose
// scores are z.
func (f Forecaster) loss(b *rows.Block, i int, z []float64) float64 {
	y := float64(b.Y[i])
	switch f.Method {
	case losses.Choice, losses.Pairs:
		return losses.ChoiceLogit{}.Of(z, y/losses.PlayedRow, make([]float64, len(z)))
	case losses.Ordered:
		return losses.OrderedLogit{}.At(z[0], y, f.T).F
	}
	return losses.Logistic{}.At(z[0], y, 0).F
}
