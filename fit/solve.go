package fit

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"kifu/schemas"
)

// settings are the choices of one fit that do not concern the rows.
type settings struct {
	method   string  // MLM or LS
	l2       float64 // ridge on w_0·(weight - present weight), beside the mean loss
	scale    float64 // w_0 when it is fixed, 0 when it is fitted
	minGames int     // a weight from fewer games is left as it is
	workers  int
	// dense is the number of parameters up to which a Hessian is made, and with it
	// standard errors; 0 stands for denseLimit.
	dense int
}

func (s settings) loss() loss {
	if s.method == LS {
		return squares{}
	}
	return logistic{}
}

// estimate is a fitted model. It is in terms of theta: the score of a row is
// z = θ_0·e + Σ θ_j x_j, so that the fitted weight is the present one plus θ_j/θ_0;
// θ_0 = w_0 is the last.
type estimate struct {
	d        *design
	settings settings
	supports []support // of each parameter, of e(p) last
	status   []string  // of each parameter
	theta    []float64
	present  float64 // w_0 that suits e(p) as it is

	weights         []float64 // fitted
	errors          standardErrors
	minimum         minimum
	meanLoss        float64
	start           string
	notes           []schemas.FitNote
	games, rows     int
	gradientLargest float64 // |∂ mean objective/∂θ_j|, the largest
}

// standardErrors are those of the weights and, last, of w_0; NaN where there is
// none.
type standardErrors struct {
	model, robust []float64
}

const (
	denseLimit = 3000 // parameters above which no Hessian is made
	rankLimit  = 1e-8 // share of a column that the others must leave unexplained
	apartLimit = 1e-6 // information left in a direction, against the start's
	roundLimit = 25   // iterations before the Hessian is made anew
	rounds     = 8    // of them
	slowLimit  = 2000 // iterations without a Hessian
	weakLimit  = 1e-5 // eigenvalue of the scaled information under which a note is due
	weakScale  = 4.0  // standard errors of w_0 from zero under which a note is due
	fewGames   = 30   // under which robust errors are doubtful
)

// solve fits the weights of r's design.
func solve(ctx context.Context, r *rows, s settings) (*estimate, error) {
	e := &estimate{d: r.d, settings: s, games: r.games, rows: r.n}
	if e.settings.dense == 0 {
		e.settings.dense = denseLimit
	}
	k := r.d.scale() + 1
	e.status = make([]string, k)
	e.theta = make([]float64, k)
	if err := e.outcomes(r); err != nil {
		return nil, err
	}
	e.supports = r.supports(s.workers)
	if err := e.scaleStart(r); err != nil {
		return nil, err
	}
	active := e.choose(r)
	if err := e.allFree(r); err != nil {
		return nil, err
	}
	begin, err := e.information(r, active)
	if err != nil {
		return nil, err
	}
	near := begin
	if s.method == LS {
		// The valley that LS ends in depends on the start; MLM has one minimum.
		if err := e.descend(ctx, r, logistic{}, active, begin, roughly); err != nil {
			return nil, err
		}
		e.start = fmt.Sprintf("the MLM solution: w_0 %.6g, mean log-loss %.8f", e.theta[k-1], e.minimum.f)
		if begin != nil {
			if near, err = e.metric(r, squares{}, active); err != nil {
				near = begin // the weights run away; finish says why
			}
		}
	} else {
		e.start = fmt.Sprintf("the present weights with their best w_0 %.6g", e.theta[k-1])
	}
	if err := e.descend(ctx, r, s.loss(), active, near, tolerance); err != nil {
		return nil, err
	}
	return e, e.finish(ctx, r, active, begin)
}

// scaleStart sets w_0 to what suits the present weights.
func (e *estimate) scaleStart(r *rows) error {
	k := r.d.scale()
	value := e.supports[k]
	s, ok := r.fitScale(e.settings.loss(), e.settings.workers)
	if ok && !value.separated() {
		e.present = s
	} else {
		e.present = math.NaN()
	}
	switch {
	case e.settings.scale != 0:
		s = e.settings.scale
	case value.positions == 0:
		return unidentified("no value", nil, "e(p) is 0 in every position, so that w_0 and the weights cannot be told apart: keep some term in e(p), or fix w_0 with --scale")
	case value.separated() || !ok:
		return unidentified("separable", []string{"w_0"}, "e(p) alone tells every winner: w_0 grows without end; more games are needed, or a fixed w_0 with --scale")
	}
	e.theta[k] = s
	return nil
}

// choose decides which parameters are fitted, and says why the others are not.
func (e *estimate) choose(r *rows) (active []int) {
	s := e.settings
	var constant, never, thin, apart []string
	for j, x := range e.supports[:r.d.scale()] {
		name := r.d.name(j)
		switch {
		case x.positions == 0:
			e.status[j] = StatusNever
			never = append(never, name)
			continue
		case x.games < s.minGames:
			e.status[j] = StatusThin
			thin = append(thin, name)
			continue
		case x.separated() && s.l2 == 0:
			e.status[j] = StatusSeparated
			apart = append(apart, name)
			continue
		case x.constant(r.n):
			constant = append(constant, name)
		}
		e.status[j] = StatusFitted
		active = append(active, j)
	}
	e.note("never fires", never, "is zero in every position: left at its weight")
	e.note("thin", thin, fmt.Sprintf("is non-zero in fewer than %d games: left at its weight (--min-games)", s.minGames))
	e.note("separable", apart, "is always on the winner's side, or always on the loser's: its best weight is infinite. Left at its weight; more games are needed, or --l2")
	e.note("constant", constant, "has the same value in every position: it says how much the first player is ahead whatever the position")
	e.status[r.d.scale()] = StatusFixed
	if s.scale == 0 {
		e.status[r.d.scale()] = StatusFitted
		active = append(active, r.d.scale())
	}
	return active
}

// descend minimises l from e.theta over the active parameters. first is the Hessian to
// begin with, nil when there are too many parameters for one.
func (e *estimate) descend(ctx context.Context, r *rows, l loss, active []int, first *metric, tolerance float64) error {
	k := r.d.scale()
	theta := append([]float64(nil), e.theta...)
	grad := make([]float64, len(theta))
	fn := func(x, g []float64) float64 {
		for i, j := range active {
			theta[j] = x[i]
		}
		f := r.pass(l, theta, e.settings.workers, grad) / r.weight
		for i, j := range active {
			g[i] = grad[j] / r.weight
			if j != k {
				f += e.settings.l2 / 2 * x[i] * x[i]
				g[i] += e.settings.l2 * x[i]
			}
		}
		return f
	}
	x := make([]float64, len(active))
	for i, j := range active {
		x[i] = e.theta[j]
	}
	var total minimum
	m := first
	for round := range rounds {
		limit := roundLimit
		precondition := m.solve
		if m == nil {
			limit = slowLimit
			precondition = e.diagonal(r, l, active)
		} else if round > 0 {
			var err error
			if m, err = e.metric(r, l, active); err != nil {
				break // as above
			}
			precondition = m.solve
		}
		got, err := minimise(ctx, fn, x, precondition, tolerance, limit)
		if err != nil {
			return err
		}
		got.iterations += total.iterations
		got.passes += total.passes
		total, x = got, got.x
		for i, j := range active {
			e.theta[j] = x[i]
		}
		if got.status != exhausted || m == nil {
			break
		}
	}
	e.minimum = total
	e.gradientLargest = 0
	for _, g := range total.grad {
		e.gradientLargest = max(e.gradientLargest, math.Abs(g))
	}
	return nil
}

var errSingular = errors.New("the information matrix is singular: hold some of the weights, or use --l2")

// metric is a Cholesky factor of the mean objective's Hessian over the active
// parameters.
type metric struct {
	active []int
	h      *mat.SymDense // of the mean objective
	root   []float64     // of its diagonal
	chol   mat.Cholesky  // of h scaled to a unit diagonal
}

// metric makes a Hessian of l at e.theta: the exact one, or its positive part where
// that is not positive definite.
func (e *estimate) metric(r *rows, l loss, active []int) (*metric, error) {
	m, err := e.newMetric(r, r.hessian(e.theta, l, exact, e.settings.workers), active)
	if err != nil && !l.convex() {
		return e.newMetric(r, r.hessian(e.theta, l, positive, e.settings.workers), active)
	}
	return m, err
}

func (e *estimate) newMetric(r *rows, full *mat.SymDense, active []int) (*metric, error) {
	m := &metric{active: active, h: e.mean(r, full, active)}
	n := len(active)
	m.root = make([]float64, n)
	scaled := mat.NewSymDense(n, nil)
	for i := range n {
		if !(m.h.At(i, i) > 0) {
			return nil, errSingular
		}
		m.root[i] = math.Sqrt(m.h.At(i, i))
	}
	for i := range n {
		for j := i; j < n; j++ {
			v := m.h.At(i, j) / (m.root[i] * m.root[j])
			if i == j {
				v = 1 + 1e-12
			}
			scaled.SetSym(i, j, v)
		}
	}
	if !m.chol.Factorize(scaled) {
		return nil, errSingular
	}
	return m, nil
}

// mean is the Hessian of the mean objective over the active parameters, ridge
// included, of the sum over the rows.
func (e *estimate) mean(r *rows, full *mat.SymDense, active []int) *mat.SymDense {
	h := mat.NewSymDense(len(active), nil)
	for i, p := range active {
		for j := i; j < len(active); j++ {
			h.SetSym(i, j, full.At(p, active[j])/r.weight)
		}
		if p != r.d.scale() {
			h.SetSym(i, i, h.At(i, i)+e.settings.l2)
		}
	}
	return h
}

// solve overwrites v with the inverse of the Hessian times v. A nil metric is not
// used.
func (m *metric) solve(v []float64) {
	for i := range v {
		v[i] /= m.root[i]
	}
	x := mat.NewVecDense(len(v), v)
	// The factor was made with a positive diagonal; a bad condition is only a warning.
	_ = m.chol.SolveVecTo(x, x)
	for i := range v {
		v[i] /= m.root[i]
	}
}

// diagonal is the precondition of a fit that is too large for a Hessian.
func (e *estimate) diagonal(r *rows, l loss, active []int) func([]float64) {
	inverse := make([]float64, len(active))
	for i, j := range active {
		// The curvature of MLM and LS is largest at z = 0: 1/4 and 1/8.
		c := l.at(0, 0.5).positive
		inverse[i] = 1 / (c*e.supports[j].squares/r.weight + e.settings.l2)
	}
	return func(v []float64) {
		for i := range v {
			v[i] *= inverse[i]
		}
	}
}
