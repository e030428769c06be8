package fit

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"kifu/eval"
	"kifu/schemas"
)

// A forecaster gives every row a score: its loss turns that into probabilities.
type forecaster struct {
	method  string
	theta   []float64 // nil: score 0
	offset  float64   // added to every score
	factors []float64 // by level, that scores are multiplied with; nil: 1
	t       float64   // draw width
}

// base forecasts the mean result of r, whatever the position; with draws its shares of
// wins, draws and losses.
func (r *rows) base(s settings) forecaster {
	if r.d.decided != nil {
		return forecaster{method: s.method} // any move as likely as another
	}
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

// fitted and original forecast by the fit, and by e(p) as it was.
func (e *estimate) fitted() forecaster {
	return forecaster{method: e.settings.method, theta: e.theta, t: e.d.draw(e.theta), factors: e.factors}
}

func (e *estimate) original() forecaster {
	return forecaster{method: e.settings.method, theta: e.present, t: e.d.draw(e.present), factors: e.presentFactors}
}

// report says what the evaluators foretell of s, the positions fitted to.
func (s *sample) report(e *estimate, base forecaster) *schemas.FitSample {
	out := &schemas.FitSample{Positions: s.rows.positions(), Games: s.rows.games,
		FirstWins: s.results.first, Draws: s.results.draws, SecondWins: s.results.second}
	if e.d.decided != nil {
		out.Alternatives = s.rows.n - out.Positions
	}
	out.Base = s.rows.metrics(base, e.settings.workers)
	if e.present != nil {
		original := s.rows.metrics(e.original(), e.settings.workers)
		out.Original = &original
	}
	out.Fitted = s.rows.metrics(e.fitted(), e.settings.workers)
	return out
}

// heldReport is report for positions held out: with the order agreement, by bands.
func (s *sample) heldReport(e *estimate, base forecaster, m *eval.Model) *schemas.FitSample {
	out := s.report(e, base)
	if e.present != nil {
		var v evaluation
		v.add(s.rows, e.original())
		out.Original.Order = v.metrics().Order
	}
	var v evaluation
	v.add(s.rows, e.fitted())
	out.Fitted, out.Bands = v.metrics(), v.bands(m)
	return out
}

// metrics scores f on r.
func (r *rows) metrics(f forecaster, workers int) schemas.FitMetrics {
	if r.d.decided != nil {
		return r.decisionMetrics(f, workers)
	}
	s := r.scorer(f.of(r))
	type scratch struct {
		t    tally
		z, d []float64
	}
	all := make([]scratch, max(1, workers))
	var total tally
	inOrder(workers, len(r.chunks), func(w, i int) {
		x := &all[w]
		x.t = tally{}
		for _, b := range r.blocks[r.chunks[i].from:r.chunks[i].to] {
			x.z = s.scores(b, x.z[:0])
			f.adjust(b, x.z)
			x.d = slices.Grow(x.d[:0], len(x.z))[:len(x.z)]
			x.t.addBlock(f, b, x.z, x.d)
		}
	}, func(w, _ int) { total.merge(all[w].t) })
	return total.metrics(f.method)
}

// of is the theta of f over r.
func (f forecaster) of(r *rows) []float64 {
	if f.theta == nil {
		return make([]float64, r.d.size())
	}
	return f.theta
}

// eachForecast calls do for every block with the scores of its rows.
func (r *rows) eachForecast(f forecaster, do func(b *block, z []float64)) {
	r.eachScore(f.of(r), func(b *block, z []float64) {
		f.adjust(b, z)
		do(b, z)
	})
}

// adjust turns the scores z of b's rows under theta into those of f. A level that was
// not fitted to has the scale of all.
func (f forecaster) adjust(b *block, z []float64) {
	floats.AddConst(f.offset, z)
	if f.factors == nil {
		return
	}
	for i, l := range b.level {
		if int(l) < len(f.factors) {
			z[i] *= f.factors[l]
		}
	}
}

// tally sums up how good forecasts are.
type tally struct {
	n                   int
	weight              float64
	logLoss, squares    float64
	right, decided      float64
	mean, about, errors float64 // of y, Σ w(y-mean)², Σ w(y-z)²
	inOrder, pairs      float64 // moves not played that are worse, and all of them
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
func (m *tally) addBlock(f forecaster, b *block, z, d []float64) {
	if f.method == Value || f.method == Ordered {
		for i, zi := range z {
			m.add(f, zi, float64(b.y[i]), b.weightOf(i))
		}
		return
	}
	// The derivative of the log-loss is w·(g-y): no second exponential is needed.
	loss, _ := logistic{}.sum(z, b.y, b.weight, 0, d)
	m.logLoss += loss
	m.n += len(z)
	for i, zi := range z {
		w := b.weightOf(i)
		m.weight += w
		m.squares += d[i] * d[i] / w
		m.decide(zi, float64(b.y[i]), w)
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
	m.errors += o.errors
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
	if m.pairs > 0 {
		out.Order = known(m.inOrder / m.pairs)
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
