package solve

import (
	"context"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/floats"
)

// objective returns the value at x and writes the gradient.
type objective func(x, grad []float64) float64

// Minimum is where a minimisation ended.
type Minimum struct {
	x, grad    []float64
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
	exhausted = "stopped at the limit of iterations"
)

const (
	Tolerance = 1e-9 // of minimum.norm
	roughly   = 1e-5 // the same, for a point to start from
	memory    = 20   // pairs of L-BFGS
)

// minimise is L-BFGS (Nocedal & Wright, Numerical Optimization, algorithms 7.4 and 7.5)
// whose initial matrix is the inverse of a Hessian at a nearby point instead of a
// multiple of the identity: precondition overwrites its argument with that inverse
// times it. The gradient norm is sqrt(gᵀH⁻¹g), the Newton decrement; it does not
// depend on the columns' units.
//
// Steps are cut by backtracking until the objective falls enough (Armijo); pairs
// without positive curvature are left out, so that the directions are always downhill. After each step told hears
// how far it is, and an estimate of the time left; it may be nil.
//
// Kept by hand: gonum's optimize.LBFGS begins with a multiple of the identity alone and stops by the
// largest entry of the gradient, which depends on the columns' units.
func minimise(ctx context.Context, fn objective, x0 []float64, precondition func([]float64), tolerance float64, limit int, told func(m *Minimum, left string)) (Minimum, error) {
	n := len(x0)
	begun, first := time.Now(), 0.0
	m := Minimum{x: append([]float64(nil), x0...), grad: make([]float64, n), Status: exhausted}
	m.F = fn(m.x, m.grad)
	m.Passes = 1
	var history pairs
	dir, next, nextGrad := make([]float64, n), make([]float64, n), make([]float64, n)
	for {
		copy(dir, m.grad)
		precondition(dir)
		m.Norm = math.Sqrt(max(0, floats.Dot(m.grad, dir)))
		if told != nil {
			if m.Iterations == 0 {
				first = m.Norm
			}
			told(&m, timeLeft(time.Since(begun), m.Iterations, first, m.Norm, tolerance))
		}
		if m.Norm <= tolerance {
			m.Status = Converged
			return m, nil
		}
		if m.Iterations == limit {
			return m, nil
		}
		m.Iterations++
		copy(dir, m.grad)
		history.direction(dir, precondition)
		floats.Scale(-1, dir)
		slope := floats.Dot(m.grad, dir)

		step, f, found := 1.0, 0.0, false
		// The objective is a sum of many terms: differences below noise mean nothing.
		noise := 1e-14 * math.Abs(m.F)
		for range 40 {
			if err := ctx.Err(); err != nil {
				return m, err
			}
			floats.AddScaledTo(next, m.x, step, dir)
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
		history.add(m.x, next, m.grad, nextGrad)
		m.x, next = next, m.x
		m.grad, nextGrad = nextGrad, m.grad
		m.F = f
	}
}

// timeLeft is the time to the tolerance if the norm goes on to fall by the same factor a step.
func timeLeft(since time.Duration, steps int, first, now, tolerance float64) string {
	fallen, wanted := math.Log(first/now), math.Log(now/tolerance)
	if steps == 0 || !(fallen > 0) || !(wanted > 0) {
		return ""
	}
	left := time.Duration(float64(since) * wanted / fallen)
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
