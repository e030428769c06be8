package fit

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
)

// objective is the mean of l over the rows with the ridge, as a function of the
// unknowns.
func (e *estimate) objective(r *rows, l loss) objective {
	theta, grad := make([]float64, len(e.theta)), make([]float64, len(e.theta))
	return func(x, g []float64) float64 {
		e.u.theta(x, theta)
		f := r.pass(l, theta, e.settings.workers, grad) / r.weight
		for j := range grad {
			grad[j] /= r.weight
		}
		for j, ridge := range e.ridge {
			f += ridge / 2 * theta[j] * theta[j]
			grad[j] += ridge * theta[j]
		}
		e.u.project(grad, g)
		return f
	}
}

// descend minimises l from e.theta over the unknowns. first is the Hessian to begin
// with, nil when there are too many parameters for one.
func (e *estimate) descend(ctx context.Context, r *rows, l loss, first *metric, tolerance float64) error {
	fn := e.objective(r, l)
	x := e.u.start(e.theta)
	var total minimum
	m := first
	for round := range rounds {
		limit := roundLimit
		precondition := m.solve
		if m == nil {
			limit = slowLimit
			precondition = e.diagonal(r, l)
		} else if round > 0 {
			var err error
			if m, err = e.metric(r, l); err != nil {
				break // as above
			}
			precondition = m.solve
		}
		got, err := minimise(ctx, fn, x, precondition, tolerance*e.unit, limit)
		if err != nil {
			return err
		}
		got.iterations += total.iterations
		got.passes += total.passes
		total, x = got, got.x
		e.u.theta(x, e.theta)
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

// metric is a Cholesky factor of the mean objective's Hessian over the unknowns.
type metric struct {
	h    *mat.SymDense // of the mean objective
	root []float64     // of its diagonal
	chol mat.Cholesky  // of h scaled to a unit diagonal
}

// metric makes a Hessian of l at e.theta: the exact one, or its positive part where
// that is not positive definite.
func (e *estimate) metric(r *rows, l loss) (*metric, error) {
	m, err := e.newMetric(r, r.hessian(e.theta, l, exact, e.settings.workers))
	if err != nil && !l.convex() {
		return e.newMetric(r, r.hessian(e.theta, l, positive, e.settings.workers))
	}
	return m, err
}

func (e *estimate) newMetric(r *rows, full *mat.SymDense) (*metric, error) {
	return metricOf(e.u.matrix(full, 1/r.weight, e.ridge))
}

// metricOf factors a Hessian of the mean objective.
func metricOf(h *mat.SymDense) (*metric, error) {
	m := &metric{h: h}
	n := h.SymmetricDim()
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
func (e *estimate) diagonal(r *rows, l loss) func([]float64) {
	// The curvature of MLM and LS is largest at z = 0: 1/4 and 1/8.
	c := l.at(0, 0.5, r.d.draw(e.theta))
	inverse := make([]float64, len(e.u.columns))
	for i, column := range e.u.columns {
		sum := 0.0
		for _, p := range column {
			h := c.tt
			if p.at <= r.d.scale() {
				h = c.positive * e.supports[p.at].squares / r.weight
			}
			if p.at < r.d.scale() {
				h += e.ridge[p.at]
			}
			sum += p.share * p.share * h
		}
		inverse[i] = 1 / sum
	}
	return func(v []float64) {
		for i := range v {
			v[i] *= inverse[i]
		}
	}
}
