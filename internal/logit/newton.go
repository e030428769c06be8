// Package logit maximises log-likelihoods of logit models, which are concave, by Newton's
// method: the one loop for the fits of curves, of conditions, of a player's choices and of
// ratings. Each of these brings its own likelihood (Model); Fit has the one of wins and
// losses, of which several are made.
package logit

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kifu/internal/panels"
)

// Model is a strictly concave function of some unknowns: the logarithm of a likelihood in
// nats, less a penalty where the likelihood alone has no finite maximum.
type Model interface {
	// Set moves to the unknowns, which it may keep until the next call, and returns the
	// function's value there.
	Set(theta []float64) float64
	// Step writes Newton's step from there, minus the inverse Hessian times the gradient,
	// and returns its product with the gradient (the square of the Newton decrement:
	// twice the rise that the step promises).
	Step(step []float64) (rise float64, err error)
}

const (
	// done is the promised rise, in nats, of the last step. The distance to the maximum
	// before it is the root of that in standard errors, and after it about the square.
	done = 1e-14
	// ulp is the rounding of a number near 1: below it a value cannot show a rise.
	ulp       = 0x1p-52
	mostSteps = 200
)

// ErrNone means that no maximum was reached.
var ErrNone = errors.New("the likelihood has no maximum within 200 steps")

// Maximise returns the unknowns with the largest value, from a starting point: full steps
// where they rise by a share of what they promise (Armijo), else halved ones (Boyd and
// Vandenberghe, Convex Optimization, 2004, algorithm 9.5). The model is left at the
// maximum. With an error it returns the last place.
func Maximise(m Model, start []float64) ([]float64, error) {
	theta, next := slices.Clone(start), make([]float64, len(start))
	step := make([]float64, len(start))
	value := m.Set(theta)
	for range mostSteps {
		rise, err := m.Step(step)
		if err != nil {
			return theta, err
		}
		for share := 1.0; ; share /= 2 {
			for j := range next {
				next[j] = theta[j] + share*step[j]
			}
			got := m.Set(next)
			// Near the maximum the rise is below the rounding of the value.
			if got >= value+1e-4*share*rise-1e-12*math.Abs(value) {
				theta, next, value = next, theta, got
				break
			}
			if share < 1e-12 {
				m.Set(theta)
				return theta, nil
			}
		}
		if rise < done+ulp*math.Abs(value) {
			return theta, nil
		}
	}
	return theta, ErrNone
}

// Solve writes the step of a gradient and minus the Hessian, whose factor it makes, and returns their product, as
// Model.Step does.
func Solve(factor *panels.Cholesky, step, gradient []float64, hessian *mat.SymDense) (rise float64, err error) {
	if !factor.Factorize(hessian) {
		return 0, errors.New("the likelihood has no curvature")
	}
	copy(step, gradient)
	factor.Solve(step)
	return floats.Dot(step, gradient), nil
}
