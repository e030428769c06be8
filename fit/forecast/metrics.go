// Package forecast measures how well scores of rows predict their results.
//
// In: rows, and theta with what turns scores into probabilities. Out: log-loss, accuracy, order and other figures, by band, and paired
// differences with errors. It fits nothing.
package forecast

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"kifu/schemas"

	"kifu/fit/losses"
	"kifu/fit/rows"
	"kifu/internal/ordered"
)

// Forecaster gives every row a score, which its loss turns into probabilities.
type Forecaster struct {
	Method  string
	Theta   []float64 // nil: score 0
	offset  float64   // added to every score
	Factors []float64 // by level, that scores are multiplied with; nil: 1
	T       float64   // draw width
}

// Mean returns the forecast, by the same method, of the mean result of r for every position; of method
// ordered, of its shares of wins, draws and losses.
func (f Forecaster) Mean(r *rows.Store) Forecaster {
	if r.Design.Decided != nil {
		return Forecaster{Method: f.Method} // any move as likely as another
	}
	var share [3]float64
	for _, b := range r.Blocks {
		for i, y := range b.Y {
			share[min(2, max(0, int(2*y)))] += b.WeightOf(i) / r.Weight
		}
	}
	mean := r.Mean()
	switch f.Method {
	case losses.Ordered:
		lost, won := math.Log(share[0]/(1-share[0])), math.Log(share[2]/(1-share[2]))
		return Forecaster{Method: losses.Ordered, offset: (won - lost) / 2, T: -(won + lost) / 2}
	case losses.Value:
		return Forecaster{Method: losses.Value, offset: mean}
	}
	return Forecaster{Method: f.Method, offset: math.Log(mean / (1 - mean))}
}

// Measure scores f on r.
func Measure(r *rows.Store, f Forecaster, workers int) schemas.FitMetrics {
	if f.Factors == nil {
		r = r.Counted(workers)
	}
	s := r.Scorer(f.thetas(r))
	type scratch struct {
		t    tally
		z, d []float64
	}
	all := make([]scratch, max(1, workers))
	var total tally
	ordered.Merge(workers, len(r.Chunks), func(w, i int) {
		x := &all[w]
		x.t = tally{}
		for _, b := range r.Blocks[r.Chunks[i].From:r.Chunks[i].To] {
			x.z = s.Scores(b, x.z[:0])
			f.adjust(b, x.z)
			x.d = slices.Grow(x.d[:0], len(x.z))[:len(x.z)]
			if r.Design.Decided != nil {
				eachDecision(b, func(from, to int, sign, w float64) { x.t.choose(x.z[from:to], sign, w, x.d[from:to]) })
			} else {
				x.t.addBlock(f, b, x.z, x.d)
			}
		}
	}, func(w, _ int) { total.merge(all[w].t) })
	return total.metrics(f.Method)
}

// thetas returns the theta of f over r.
func (f Forecaster) thetas(r *rows.Store) []float64 {
	if f.Theta == nil {
		return make([]float64, r.Design.Size())
	}
	return f.Theta
}

// eachForecast calls do for every block with the scores of its rows.
func eachForecast(r *rows.Store, f Forecaster, do func(b *rows.Block, z []float64)) {
	r.EachScore(f.thetas(r), func(b *rows.Block, z []float64) {
		f.adjust(b, z)
		do(b, z)
	})
}

// adjust turns the scores z of b's rows under theta into f's. A level that was
// not fitted to has the scale of all.
func (f Forecaster) adjust(b *rows.Block, z []float64) {
	floats.AddConst(f.offset, z)
	if f.Factors == nil {
		return
	}
	for i, l := range b.Level {
		if int(l) < len(f.Factors) {
			z[i] *= f.Factors[l]
		}
	}
}

// tally accumulates the quality of forecasts.
type tally struct {
	n                     int
	weight                float64
	logLoss, squares      float64
	right, decided        float64
	mean, about, residual float64 // of y, Σ w(y-mean)², Σ w(y-z)²
	inOrder, pairs        float64 // moves not played that are worse, and all of them
}

func (m *tally) add(f Forecaster, z, y, w float64) {
	m.n++
	m.weight += w
	if f.Method == losses.Value {
		before := y - m.mean
		m.mean += w / m.weight * before
		m.about += w * before * (y - m.mean)
		m.residual += w * (y - z) * (y - z)
		return
	}
	if f.Method == losses.Ordered {
		m.logLoss += w * losses.OrderedLogit{}.At(z, y, f.T).F
	} else {
		m.logLoss += w * losses.Logistic{}.At(z, y, 0).F
	}
	miss := y - losses.Expected(z, f.T)
	m.squares += w * miss * miss
	m.decide(z, y, w)
}

// decide counts whether z names the winner.
func (m *tally) decide(z, y, w float64) {
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

// addBlock adds the rows of b, whose scores are z; d is overwritten.
func (m *tally) addBlock(f Forecaster, b *rows.Block, z, d []float64) {
	if f.Method == losses.Value || f.Method == losses.Ordered {
		for i, zi := range z {
			m.add(f, zi, float64(b.Y[i]), b.WeightOf(i))
		}
		return
	}
	// The derivative of the log-loss is w·(g-y): no second exponential is needed.
	loss, _ := losses.Logistic{}.Sum(z, b.Y, b.Weight, 0, d)
	m.logLoss += loss
	m.n += len(z)
	for i, zi := range z {
		w := b.WeightOf(i)
		m.weight += w
		m.squares += d[i] * d[i] / w
		m.decide(zi, float64(b.Y[i]), w)
	}
}

// merge adds o, which is of other rows. Means and squares about them are put together
// as by Chan, Golub & LeVeque (1979).
func (m *tally) merge(o tally) {
	if o.weight == 0 {
		return
	}
	apart, all := o.mean-m.mean, m.weight+o.weight
	m.about += o.about + apart*apart*m.weight*o.weight/all
	m.mean += apart * o.weight / all
	m.n += o.n
	m.weight = all
	m.residual += o.residual
	m.logLoss += o.logLoss
	m.squares += o.squares
	m.right += o.right
	m.decided += o.decided
	m.inOrder, m.pairs = m.inOrder+o.inOrder, m.pairs+o.pairs
}

func (m *tally) metrics(method string) schemas.FitMetrics {
	var out schemas.FitMetrics
	if m.weight == 0 {
		return out
	}
	if method == losses.Value {
		out.RMSE = math.Sqrt(m.residual / m.weight)
		if m.about > 0 {
			out.R2 = schemas.Number(1 - m.residual/m.about)
		}
		return out
	}
	out.LogLoss = m.logLoss / m.weight
	out.Brier = m.squares / m.weight
	if m.decided > 0 {
		out.Accuracy = m.right / m.decided
	}
	if m.pairs > 0 {
		out.Order = schemas.Number(m.inOrder / m.pairs)
	}
	return out
}
