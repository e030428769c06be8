// Package minimise finds the minimum of a smooth function: L-BFGS preconditioned by a Hessian, and proximal Newton steps with bounds or
// a lasso (Boxed).
//
// In: the function with its gradient, and Hessians. Out: the minimum, with why it ended. It does not know what is minimised. Kept by
// hand: gonum's optimize has neither a metric for its L-BFGS nor bounds, and its gradient norm depends on the units of the columns.
package minimise

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/floats"
)

// Objective returns the value at x and writes the gradient.
type Objective func(x, grad []float64) float64

// Minimum is where a minimisation ended.
type Minimum struct {
	X, Grad    []float64
	F          float64
	Norm       float64 // of the gradient, in the metric of the preconditioner
	Iterations int
	Passes     int // evaluations of the objective
	Status     string
}

// The statuses of a minimum.
const (
	Converged = "converged: the gradient norm is below the tolerance"
	stalled   = "stopped at the precision of the sums: no step lowers the objective any more"
	Exhausted = "stopped at the limit of iterations"
)

const (
	Tolerance = 1e-9 // of Minimum.Norm
	Roughly   = 1e-5 // the same, for a point to start from
	memory    = 20   // pairs of L-BFGS
	// roundLimit is the number of iterations before the Hessian is made again: one of 1,354 weights takes as long as twelve passes.
	roundLimit = 24
	rounds     = 16 // of them
)

// LBFGS is L-BFGS (Nocedal & Wright, Numerical Optimization, algorithms 7.4 and 7.5)
// whose initial matrix is the inverse of a Hessian at a nearby point instead of a
// multiple of the identity: precondition overwrites its argument with that inverse
// times it. The gradient norm is sqrt(gᵀH⁻¹g), the Newton decrement; it does not
// depend on the columns' units.
//
// Steps are cut by backtracking until the objective falls enough (Armijo); pairs
// without positive curvature are left out, so that the directions are always downhill. After each step told hears
// how far it is, and an estimate of the time left; it may be nil.
func LBFGS(ctx context.Context, fn Objective, x0 []float64, precondition func([]float64), tolerance float64, limit int, told func(m *Minimum, left string)) (Minimum, error) {
	n := len(x0)
	begun, first := time.Now(), 0.0
	m := Minimum{X: append([]float64(nil), x0...), Grad: make([]float64, n), Status: Exhausted}
	m.F = fn(m.X, m.Grad)
	m.Passes = 1
	var history pairs
	dir, next, nextGrad := make([]float64, n), make([]float64, n), make([]float64, n)
	for {
		copy(dir, m.Grad)
		precondition(dir)
		m.Norm = math.Sqrt(max(0, floats.Dot(m.Grad, dir)))
		if told != nil {
			if m.Iterations == 0 {
				first = m.Norm
			}
			told(&m, TimeLeft(time.Since(begun), m.Iterations, limit, first, m.Norm, tolerance))
		}
		if m.Norm <= tolerance {
			m.Status = Converged
			return m, nil
		}
		if m.Iterations == limit {
			return m, nil
		}
		m.Iterations++
		copy(dir, m.Grad)
		history.direction(dir, precondition)
		floats.Scale(-1, dir)
		slope := floats.Dot(m.Grad, dir)

		step, f, found := 1.0, 0.0, false
		// The objective is a sum of many terms: differences below noise mean nothing.
		noise := 1e-14 * math.Abs(m.F)
		for range 40 {
			if err := ctx.Err(); err != nil {
				return m, err
			}
			floats.AddScaledTo(next, m.X, step, dir)
			f = fn(next, nextGrad)
			m.Passes++
			if f <= m.F+1e-4*step*slope+noise {
				found = true
				break
			}
			// The minimum of the parabola through what is known, kept within reason.
			cut := 0.5
			if curve := f - m.F - step*slope; curve > 0 && !math.IsInf(curve, 0) {
				cut = min(0.5, max(0.1, -slope*step/(2*curve)))
			}
			step *= cut
		}
		if !found {
			m.Status = stalled
			return m, nil
		}
		history.add(m.X, next, m.Grad, nextGrad)
		m.X, next = next, m.X
		m.Grad, nextGrad = nextGrad, m.Grad
		m.F = f
	}
}

// Rounds is LBFGS in rounds, each with a metric of its own, until one converges. at returns the metric of a round at x (rounds count
// from 0) and the greatest number of its iterations (0: the usual number). If at fails, Rounds returns the minimum of the round before.
// told is called with the passes of all rounds.
func Rounds(ctx context.Context, fn Objective, x []float64, at func(round int, x []float64) (m *Metric, limit int, err error), tolerance float64, told func(m *Minimum, left string)) (total Minimum, err error) {
	for round := range rounds {
		metric, limit, err := at(round, x)
		if err != nil {
			return total, err
		}
		before, known := total, round > 0
		got, err := LBFGS(ctx, func(x, grad []float64) float64 {
			if known {
				known = false
				copy(grad, before.Grad)
				return before.F
			}
			return fn(x, grad)
		}, x, metric.Solve, tolerance, cmp.Or(limit, roundLimit), func(m *Minimum, left string) {
			if told != nil {
				all := *m
				all.Passes += max(0, before.Passes-1)
				told(&all, left)
			}
		})
		if err != nil {
			return total, err
		}
		got.Iterations += before.Iterations
		got.Passes += max(0, before.Passes-1) // the first one is the last of the round before
		total, x = got, got.X
		if got.Status != Exhausted {
			break
		}
	}
	return total, nil
}

// TimeLeft is the time to the tolerance if the norm goes on to fall by the same factor a step, or to the limit of steps if it comes
// before.
func TimeLeft(since time.Duration, steps, limit int, first, now, tolerance float64) string {
	fallen, wanted := math.Log(first/now), math.Log(now/tolerance)
	if steps == 0 || !(fallen > 0) || !(wanted > 0) {
		return ""
	}
	left := time.Duration(float64(since) * min(wanted/fallen, float64(limit-steps)/float64(steps)))
	return fmt.Sprintf(", about %s left", left.Round(time.Second))
}

// pairs are the last steps and changes of the gradient.
type pairs struct {
	s, y  [][]float64
	sy    []float64
	alpha [memory]float64
}

func (p *pairs) add(x, next, grad, nextGrad []float64) {
	s, y := make([]float64, len(x)), make([]float64, len(x))
	floats.SubTo(s, next, x)
	floats.SubTo(y, nextGrad, grad)
	sy := floats.Dot(s, y)
	if sy <= 1e-12*floats.Norm(s, 2)*floats.Norm(y, 2) {
		return
	}
	if len(p.s) == memory {
		p.s, p.y, p.sy = p.s[1:], p.y[1:], p.sy[1:]
	}
	p.s, p.y, p.sy = append(p.s, s), append(p.y, y), append(p.sy, sy)
}

// direction overwrites g with the inverse Hessian's approximation times g.
func (p *pairs) direction(g []float64, precondition func([]float64)) {
	for i := len(p.s) - 1; i >= 0; i-- {
		p.alpha[i] = floats.Dot(p.s[i], g) / p.sy[i]
		floats.AddScaled(g, -p.alpha[i], p.y[i])
	}
	precondition(g)
	for i := range p.s {
		beta := floats.Dot(p.y[i], g) / p.sy[i]
		floats.AddScaled(g, p.alpha[i]-beta, p.s[i])
	}
}
