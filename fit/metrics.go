package fit

import (
	"math"

	"kifu/eval"
	"kifu/schemas"
)

// A forecaster gives every row a score: its loss turns that into probabilities.
type forecaster struct {
	method string
	theta  []float64 // nil: score 0
	offset float64   // added to every score
	t      float64   // draw width
}

// base forecasts the mean result of r, whatever the position; with draws its shares of
// wins, draws and losses.
func (r *rows) base(s settings) forecaster {
	var share [3]float64
	for _, b := range r.blocks {
		for i, y := range b.y {
			share[min(2, max(0, int(2*y)))] += b.weightOf(i) / r.weight
		}
	}
	mean := r.mean()
	switch s.method {
	case Ordered:
		lost, won := math.Log(share[0]/(1-share[0])), math.Log(share[2]/(1-share[2]))
		return forecaster{method: Ordered, offset: (won - lost) / 2, t: -(won + lost) / 2}
	case Value:
		return forecaster{method: Value, offset: mean}
	}
	return forecaster{method: s.method, offset: math.Log(mean / (1 - mean))}
}

func (e *estimate) forecaster(theta []float64) forecaster {
	return forecaster{method: e.settings.method, theta: theta, t: e.d.draw(theta)}
}

// report says what the evaluators foretell of s, the positions fitted to.
func (s *sample) report(e *estimate, base forecaster) *schemas.FitSample {
	out := &schemas.FitSample{Positions: s.rows.n, Games: s.rows.games,
		FirstWins: s.results.first, Draws: s.results.draws, SecondWins: s.results.second}
	out.Base = s.rows.metrics(base)
	if e.present != nil {
		original := s.rows.metrics(e.forecaster(e.present))
		out.Original = &original
	}
	out.Fitted = s.rows.metrics(e.forecaster(e.theta))
	return out
}

// heldReport is report for positions held out: with the order agreement, by bands.
func (s *sample) heldReport(e *estimate, base forecaster, m *eval.Model) *schemas.FitSample {
	out := s.report(e, base)
	if e.present != nil {
		var v evaluation
		v.add(s.rows, e.forecaster(e.present))
		out.Original.Order = agreement(v.points)
	}
	var v evaluation
	v.add(s.rows, e.forecaster(e.theta))
	out.Fitted, out.Bands = v.metrics(), v.bands(m)
	return out
}

// metrics scores f on r.
func (r *rows) metrics(f forecaster) schemas.FitMetrics {
	var t tally
	r.eachForecast(f, func(b *block, z []float64) {
		for i, zi := range z {
			t.add(f, zi, float64(b.y[i]), b.weightOf(i))
		}
	})
	return t.metrics(f.method)
}

// eachForecast calls do for every block with the scores of its rows.
func (r *rows) eachForecast(f forecaster, do func(b *block, z []float64)) {
	theta := f.theta
	if theta == nil {
		theta = make([]float64, r.d.size())
	}
	r.eachScore(theta, func(b *block, z []float64) {
		for i := range z {
			z[i] += f.offset
		}
		do(b, z)
	})
}

// tally sums up how good forecasts are.
type tally struct {
	n                   int
	weight              float64
	logLoss, squares    float64
	right, decided      float64
	mean, about, errors float64 // of y, Σ w(y-mean)², Σ w(y-z)²
}

func (m *tally) add(f forecaster, z, y, w float64) {
	m.n++
	m.weight += w
	if f.method == Value {
		before := y - m.mean
		m.mean += w / m.weight * before
		m.about += w * before * (y - m.mean)
		m.errors += w * (y - z) * (y - z)
		return
	}
	if f.method == Ordered {
		m.logLoss += w * ordered{}.at(z, y, f.t).f
	} else {
		m.logLoss += w * logistic{}.at(z, y, 0).f
	}
	miss := y - expected(z, f.t)
	m.squares += w * miss * miss
	if y == 0.5 {
		return
	}
	m.decided += w
	switch {
	case z > 0:
		m.right += w * y
	case z < 0:
		m.right += w * (1 - y)
	default:
		m.right += w / 2
	}
}

func (m *tally) metrics(method string) schemas.FitMetrics {
	var out schemas.FitMetrics
	if m.weight == 0 {
		return out
	}
	if method == Value {
		out.RMSE = math.Sqrt(m.errors / m.weight)
		if m.about > 0 {
			out.R2 = known(1 - m.errors/m.about)
		}
		return out
	}
	out.LogLoss = m.logLoss / m.weight
	out.Brier = m.squares / m.weight
	if m.decided > 0 {
		out.Accuracy = m.right / m.decided
	}
	return out
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
