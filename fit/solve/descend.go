package solve

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"kifu/fit/losses"
	"kifu/fit/rows"
	"kifu/internal/panels"
	"kifu/internal/progress"
)

// objective returns the mean of l over the rows with the ridge, as a function of the
// unknowns.
func (e *Estimate) objective(r *rows.Store, l losses.Loss) objective {
	theta, grad := make([]float64, len(e.theta)), make([]float64, len(e.theta))
	return func(x, g []float64) float64 {
		e.u.Theta(x, theta)
		f := r.Pass(l, theta, e.settings.Workers, grad) / r.Weight
		for j := range grad {
			grad[j] /= r.Weight
		}
		for j, ridge := range e.ridge {
			f += ridge / 2 * theta[j] * theta[j]
			grad[j] += ridge * theta[j]
		}
		e.u.Project(grad, g)
		return f
	}
}

// descend minimises l from e.theta over the unknowns. first is the Hessian to begin
// with, nil when there are too many parameters for one.
func (e *Estimate) descend(ctx context.Context, r *rows.Store, l losses.Loss, first *metric, tolerance float64) error {
	bar := progress.Phase(ctx, "fit: solve")
	defer bar.Done()
	fn := e.objective(r, l)
	x := e.u.Start(e.theta)
	var total Minimum
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
		got, err := minimise(ctx, fn, x, precondition, tolerance*e.Unit, limit, func(m *Minimum, left string) {
			bar.Note(fmt.Sprintf("pass %d, loss %.8f, gradient norm %.1e of %.0e%s", total.Passes+m.Passes, m.F, m.Norm, tolerance*e.Unit, left))
		})
		if err != nil {
			return err
		}
		got.Iterations += total.Iterations
		got.Passes += total.Passes
		total, x = got, got.x
		e.u.Theta(x, e.theta)
		if got.Status != exhausted || m == nil {
			break
		}
	}
	e.Minimum = total
	e.GradientLargest = 0
	for _, g := range total.grad {
		e.GradientLargest = max(e.GradientLargest, math.Abs(g))
	}
	return nil
}

var errSingular = errors.New("the information matrix is singular: hold some of the weights, or use --l2")

// metric is a Cholesky factor of the mean objective's Hessian over the unknowns.
type metric struct {
	h    *mat.SymDense   // of the mean objective
	root []float64       // of its diagonal
	chol panels.Cholesky // of h scaled to a unit diagonal
}

// metric makes a Hessian of l at e.theta: the exact one, or its positive part where
// that is not positive definite.
func (e *Estimate) metric(r *rows.Store, l losses.Loss) (*metric, error) {
	m, err := e.newMetric(r, r.Hessian(e.theta, l, losses.Exact, e.settings.Workers))
	if err != nil && !l.Convex() {
		return e.newMetric(r, r.Hessian(e.theta, l, losses.Positive, e.settings.Workers))
	}
	return m, err
}

func (e *Estimate) newMetric(r *rows.Store, full *mat.SymDense) (*metric, error) {
	return metricOf(e.u.Matrix(full, 1/r.Weight, e.ridge))
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
	m.chol.Solve(v)
	for i := range v {
		v[i] /= m.root[i]
	}
}

// diagonal returns the preconditioner of a fit that is too large for a Hessian.
func (e *Estimate) diagonal(r *rows.Store, l losses.Loss) func([]float64) {
	// The curvature of MLM and LS is largest at z = 0: 1/4 and 1/8.
	c := l.At(0, 0.5, r.Design.Draw(e.theta))
	inverse := make([]float64, len(e.u.Columns))
	for i, column := range e.u.Columns {
		sum := 0.0
		for _, p := range column {
			h := c.TT
			if p.At <= r.Design.Scale() {
				h = c.Positive * e.Supports[p.At].Squares / r.Weight
			}
			if p.At < r.Design.Scale() {
				h += e.ridge[p.At]
			}
			sum += p.Share * p.Share * h
		}
		inverse[i] = 1 / sum
	}
	return func(v []float64) {
		for i := range v {
			v[i] *= inverse[i]
		}
	}
}
