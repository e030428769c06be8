package fit

import (
	"math"

	"kifu/schemas"
)

// report says what the evaluators foretell of s, whose fit had the mean result mean.
func (s *sample) report(e *estimate, mean float64) *schemas.FitSample {
	out := &schemas.FitSample{Positions: s.rows.n, Games: s.rows.games,
		FirstWins: s.results.first, Draws: s.results.draws, SecondWins: s.results.second}
	constant := math.Log(mean / (1 - mean))
	k := e.d.scale()
	zero := make([]float64, k+1)
	out.Base = s.rows.metrics(zero, constant)
	if !math.IsNaN(e.present) {
		zero[k] = e.present
		original := s.rows.metrics(zero, 0)
		out.Original = &original
	}
	out.Fitted = s.rows.metrics(e.theta, 0)
	return out
}

// metrics scores theta, with offset added to every score.
func (r *rows) metrics(theta []float64, offset float64) schemas.FitMetrics {
	var m schemas.FitMetrics
	var sure float64
	r.eachScore(theta, func(b *block, z []float64) {
		for i, zi := range z {
			zi += offset
			y, w := float64(b.y[i]), b.weightOf(i)
			m.LogLoss += w * logistic{}.at(zi, y).f
			m.Brier += w * squares{}.at(zi, y).f
			if y == 0.5 {
				continue
			}
			sure += w
			switch {
			case zi > 0:
				m.Accuracy += w * y
			case zi < 0:
				m.Accuracy += w * (1 - y)
			default:
				m.Accuracy += w / 2
			}
		}
	})
	if r.weight > 0 {
		m.LogLoss /= r.weight
		m.Brier /= r.weight
	}
	if sure > 0 {
		m.Accuracy /= sure
	}
	return m
}

// mean is the mean result.
func (r *rows) mean() float64 {
	sum := 0.0
	for _, b := range r.blocks {
		for i, y := range b.y {
			sum += b.weightOf(i) * float64(y)
		}
	}
	return sum / r.weight
}
