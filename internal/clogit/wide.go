package clogit

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"kifu/internal/ordered"
)

const (
	// near is the slope at which a wide fit ends, in each of the unknowns, in units of about a standard error.
	near = 0.01
	// someDecisions is about how many decisions the curvature is taken from, and aRound how many steps are gone by it.
	someDecisions, aRound, mostRounds = 4096, 30, 40
)

// FitWide is Fit for many unknowns, each with a ridge above 0: the maximum by L-BFGS (Liu and Nocedal 1989), in coordinates
// in which the curvature of some of the decisions is even, anew every few steps. It needs one Hessian of all decisions,
// for the errors. step is called after each pass over the decisions; its error ends the fit.
func (d *Data[X]) FitWide(ridge []float64, workers int, step func() error) (*Fit, error) {
	if d.Len() == 0 {
		return nil, errors.New("no decision to fit to")
	}
	m := d.Model(ridge, workers)
	beta := make([]float64, len(ridge))
	for range mostRounds {
		ended, err := m.round(beta, step)
		if err != nil {
			return nil, fmt.Errorf("a conditional logit of %d weights and %d decisions: %w", len(ridge), d.Len(), err)
		}
		if ended {
			return m.at(beta), nil
		}
	}
	return nil, fmt.Errorf("a conditional logit of %d weights and %d decisions: no maximum after %d steps", len(ridge), d.Len(), mostRounds*aRound)
}

// round moves beta some steps towards the maximum, and reports whether it is there.
func (m *Model[X]) round(beta []float64, step func() error) (ended bool, err error) {
	n := len(beta)
	copy(m.beta, beta)
	_, hessian := m.derivatives(1 + m.Len()/someDecisions)
	var factor mat.Cholesky
	if !factor.Factorize(hessian) {
		return false, errors.New("the curvature is not positive")
	}
	var even mat.TriDense
	factor.UTo(&even)
	var value float64
	var at []float64
	here, slope := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	move := func(x []float64) {
		if err != nil || slices.Equal(x, at) {
			return
		}
		at = append(at[:0], x...)
		if err = here.SolveVec(&even, mat.NewVecDense(n, at)); err != nil {
			return
		}
		floats.Add(here.RawVector().Data, beta)
		var gradient []float64
		value, gradient = m.slopes(here.RawVector().Data)
		if err = slope.SolveVec(even.T(), mat.NewVecDense(n, gradient)); err == nil {
			err = step()
		}
	}
	r, failed := optimize.Minimize(optimize.Problem{
		Func: func(x []float64) float64 { move(x); return -value },
		Grad: func(g, x []float64) {
			move(x)
			for j := range g {
				g[j] = -slope.AtVec(j)
			}
		},
		Status: func() (optimize.Status, error) { return optimize.NotTerminated, err },
	}, make([]float64, n), &optimize.Settings{GradientThreshold: near, Converger: optimize.NeverTerminate{}, MajorIterations: aRound}, &optimize.LBFGS{})
	if err == nil && r == nil {
		err = failed
	}
	if err != nil {
		return false, err
	}
	move(r.X)
	copy(beta, here.RawVector().Data)
	return mat.Norm(slope, math.Inf(1)) < near, err
}

// slopes returns the function's value and gradient.
func (m *Model[X]) slopes(beta []float64) (value float64, gradient []float64) {
	copy(m.beta, beta)
	gradient = make([]float64, len(beta))
	all, logs := make([]*sums, m.workers), make([]float64, m.workers)
	for w := range all {
		all[w] = m.newSums(false)
	}
	ordered.Merge(m.workers, m.pieces(), func(w, piece int) {
		all[w].clear()
		logs[w] = 0
		m.each(piece, func(i int) { logs[w] += m.add(all[w], i) })
	}, func(w, _ int) {
		value += logs[w]
		for j, g := range all[w].gradient {
			gradient[j] += g
		}
	})
	for j, b := range beta {
		value -= m.ridge[j] * b * b / 2
		gradient[j] -= m.ridge[j] * b
	}
	return value, gradient
}
