package forecast

import (
	"kifu/fit/losses"
	"kifu/fit/rows"
)

// choose adds a decision with the scores z, the move played first.
func (m *tally) choose(z []float64, sign, w float64, scratch []float64) {
	m.n++
	m.weight += w
	m.decided += w
	m.logLoss += w * losses.ChoiceLogit{}.Of(z, sign, scratch)
	better, equal := 0, 0
	for _, zi := range z[1:] {
		switch {
		case sign*zi > sign*z[0]:
			better++
		case zi == z[0]:
			equal++
		}
	}
	if better == 0 {
		m.right += w / float64(1+equal)
	}
	others := len(z) - 1
	m.pairs += w * float64(others)
	m.inOrder += w * (float64(others-better-equal) + float64(equal)/2)
}

// eachDecision calls do for the rows of each decision of b, with its sign and weight.
func eachDecision(b *rows.Block, do func(from, to int, sign, w float64)) {
	for from, to := 0, 0; from < len(b.Y); from = to {
		to = losses.DecisionEnd(b.Y, from)
		do(from, to, float64(b.Y[from])/losses.PlayedRow, b.WeightOf(from))
	}
}

// addDecisions is add for decisions. Their strata belong to the moves played.
func (v *Evaluation) addDecisions(r *rows.Store, f Forecaster) {
	eachForecast(r, f, func(b *rows.Block, z []float64) {
		d := make([]float64, len(z))
		eachDecision(b, func(from, to int, sign, w float64) {
			var one tally
			one.choose(z[from:to], sign, w, d[from:to])
			v.total.merge(one)
			if s := b.Stratum[from]; s != rows.NoStratum {
				v.plies[s/phaseBands].merge(one)
				v.phases[s%phaseBands].merge(one)
			}
		})
	})
}
