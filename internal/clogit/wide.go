package clogit

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"kifu/internal/logit"
)

const (
	// near is the slope at which a wide fit ends, in each of the unknowns, in units of about a standard error.
	near = 0.01
	// someDecisions is about how many decisions the curvature is taken from, and aRound how many steps are gone by it.
	someDecisions, aRound, mostRounds = 4096, 30, 40
	// memory is how many steps L-BFGS remembers.
	memory = 15
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
	_, _, hessian := m.derivatives(1+m.Len()/someDecisions, true)
	if !m.factor.Factorize(hessian) {
		return false, errors.New("the curvature is not positive")
	}
	here, slope := make([]float64, n), make([]float64, n)
	_, err = logit.Climb(n, memory, aRound, near, func(x, slopes []float64) (float64, error) {
		copy(here, x)
		m.factor.Back(here)
		floats.Add(here, beta)
		copy(m.beta, here)
		value, gradient, _ := m.derivatives(1, false)
		copy(slope, gradient)
		m.factor.Forward(slope)
		copy(slopes, slope)
		return value, step()
	})
	if err != nil {
		return false, err
	}
	copy(beta, here)
	return floats.Norm(slope, math.Inf(1)) < near, nil
}
