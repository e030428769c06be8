package solve

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"kifu/fit/losses"
	"kifu/fit/minimise"
	"kifu/fit/rows"
	"kifu/internal/progress"
)

// objective returns the mean of l over the rows with the ridge, as a function of the
// unknowns.
func (e *Estimate) objective(r *rows.Store, l losses.Loss) minimise.Objective {
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
// with, nil when there are too many parameters for one; some are the rows of the next.
func (e *Estimate) descend(ctx context.Context, r, some *rows.Store, l losses.Loss, first *minimise.Metric, tolerance float64) error {
	bar := progress.Phase(ctx, "fit: solve")
	defer bar.Done()
	fn := e.objective(r, l)
	x := e.u.Start(e.theta)
	told := func(m *minimise.Minimum, left string) {
		bar.Note(fmt.Sprintf("pass %d, loss %.8f, gradient norm %.1e of %.0e%s", m.Passes, m.F, m.Norm, tolerance*e.Unit, left))
	}
	var total minimise.Minimum
	var err error
	if first == nil {
		total, err = minimise.LBFGS(ctx, fn, x, e.diagonal(r, l), tolerance*e.Unit, slowLimit, told)
	} else {
		total, err = minimise.Rounds(ctx, fn, x, func(round int, x []float64) (m *minimise.Metric, limit int, err error) {
			if round == 0 {
				if some != r {
					limit = firstSteps
				}
				return first, limit, nil
			}
			e.u.Theta(x, e.theta)
			if round == 1 && some != r {
				if m, err = e.metric(some, l); err == nil {
					return m, 0, nil
				}
			}
			m, err = e.metric(r, l)
			return m, 0, err
		}, tolerance*e.Unit, told)
		if errors.Is(err, minimise.ErrSingular) { // finish explains why
			err = nil
		}
	}
	if err != nil {
		return err
	}
	e.u.Theta(total.X, e.theta)
	e.Minimum = total
	e.GradientLargest = 0
	for _, g := range total.Grad {
		e.GradientLargest = max(e.GradientLargest, math.Abs(g))
	}
	return nil
}

// Of many rows per weight a share makes the Hessians that only guide the steps. Such a Hessian costs little, so after a few
// steps it is made again.
const (
	guiding    = 8       // one row in so many
	manyRows   = 1 << 21 // from which on
	rowsWeight = 4000    // and from which on per weight
	firstSteps = 3
)

// guides returns rows whose Hessian guides the steps of a fit to r.
func (e *Estimate) guides(r *rows.Store) *rows.Store {
	n := len(e.u.Columns)
	if r.Design.Decided != nil || r.Design.Scale() == 0 || n > e.settings.dense || r.N < max(e.settings.many, rowsWeight*n) {
		return r
	}
	return r.Every(guiding)
}

// metric makes a Hessian of l at e.theta: the exact one, or its positive part where
// that is not positive definite.
func (e *Estimate) metric(r *rows.Store, l losses.Loss) (*minimise.Metric, error) {
	m, err := e.newMetric(r, r.Hessian(e.theta, l, losses.Exact, e.settings.Workers))
	if err != nil && !l.Convex() {
		return e.newMetric(r, r.Hessian(e.theta, l, losses.Positive, e.settings.Workers))
	}
	return m, err
}

func (e *Estimate) newMetric(r *rows.Store, full *mat.SymDense) (*minimise.Metric, error) {
	return minimise.MetricOf(e.u.Matrix(full, 1/r.Weight, e.ridge))
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
