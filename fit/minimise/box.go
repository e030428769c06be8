package minimise

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Box limits every unknown and penalises its distance from 0: the objective has a term
// Σ l1·|x| added.
type Box struct{ Low, High, L1 []float64 }

// Boxed minimises fn plus the penalty of the box, within the box. It makes proximal Newton
// steps (Lee, Sun & Saunders 2014), and minimises their quadratic models by coordinate descent.
// hessian returns fn's at x, positive definite or nearly so. The gradient norm is sqrt(dᵀHd) of the
// step d of the model, the Newton decrement when nothing is limited.
func Boxed(ctx context.Context, fn Objective, hessian func(x []float64) *mat.SymDense, x0 []float64, b Box, tolerance float64, limit int) (Minimum, error) {
	n := len(x0)
	m := Minimum{X: append([]float64(nil), x0...), Grad: make([]float64, n), Status: Exhausted}
	for i := range m.X {
		m.X[i] = min(b.High[i], max(b.Low[i], m.X[i]))
	}
	m.F = fn(m.X, m.Grad) + b.penalty(m.X)
	m.Passes = 1
	next, nextGrad := make([]float64, n), make([]float64, n)
	for {
		h := hessian(m.X)
		d := b.step(m.X, m.Grad, h)
		hd := mat.NewVecDense(n, nil)
		hd.MulVec(h, mat.NewVecDense(n, d))
		m.Norm = math.Sqrt(max(0, floats.Dot(d, hd.RawVector().Data)))
		if m.Norm <= tolerance {
			m.Status = Converged
			return m, nil
		}
		if m.Iterations == limit {
			return m, nil
		}
		m.Iterations++
		floats.AddTo(next, m.X, d)
		slope := floats.Dot(m.Grad, d) + b.penalty(next) - b.penalty(m.X)
		step, found, f := 1.0, false, 0.0
		for range 40 {
			if err := ctx.Err(); err != nil {
				return m, err
			}
			floats.AddScaledTo(next, m.X, step, d)
			f = fn(next, nextGrad) + b.penalty(next)
			m.Passes++
			found = f <= m.F+1e-4*step*slope+1e-14*math.Abs(m.F)
			if found {
				break
			}
			step /= 2
		}
		if !found {
			m.Status = stalled
			return m, nil
		}
		m.X, next = next, m.X
		m.Grad, nextGrad = nextGrad, m.Grad
		m.F = f
	}
}

func (b Box) penalty(x []float64) float64 {
	sum := 0.0
	for i, l := range b.L1 {
		sum += l * math.Abs(x[i])
	}
	return sum
}

// step minimises gᵀd + dᵀHd/2 + Σ l1·|x+d| within the box. Coordinate descent finds
// which unknowns are at a limit; the others then solve a linear system, which ends what
// coordinate descent would only approach.
func (b Box) step(x, g []float64, h *mat.SymDense) []float64 {
	const sweeps = 200
	n := len(x)
	d, hd := make([]float64, n), make([]float64, n)
	for range sweeps {
		moved := 0.0
		for i := range n {
			hii := h.At(i, i)
			if hii <= 0 {
				continue
			}
			to := b.clamp(i, x[i]+d[i]-(g[i]+hd[i])/hii, b.L1[i]/hii)
			by := to - x[i] - d[i]
			if by == 0 {
				continue
			}
			d[i] = to - x[i]
			for j := range n {
				hd[j] += by * h.At(i, j)
			}
			moved = max(moved, math.Abs(by)*math.Sqrt(hii))
		}
		if moved < 1e-12 {
			break
		}
	}
	b.exactly(x, g, h, d)
	return d
}

// clamp returns the point of the box nearest to v, moved towards 0 by l1.
func (b Box) clamp(i int, v, l1 float64) float64 {
	switch {
	case v > l1:
		v -= l1
	case v < -l1:
		v += l1
	default:
		v = 0
	}
	return min(b.High[i], max(b.Low[i], v))
}

// exactly replaces the entries of d that are not at a limit by the solution of their
// linear system, if that leaves them between the limits.
func (b Box) exactly(x, g []float64, h *mat.SymDense, d []float64) {
	var free []int
	for i := range x {
		if v := x[i] + d[i]; v > b.Low[i] && v < b.High[i] && (v != 0 || b.L1[i] == 0) {
			free = append(free, i)
		}
	}
	if len(free) == 0 {
		return
	}
	system, right := mat.NewSymDense(len(free), nil), mat.NewVecDense(len(free), nil)
	isFree := make([]bool, len(x))
	for _, i := range free {
		isFree[i] = true
	}
	for a, i := range free {
		v := -g[i]
		if b.L1[i] > 0 {
			v -= math.Copysign(b.L1[i], x[i]+d[i])
		}
		for j := range x {
			if !isFree[j] {
				v -= h.At(i, j) * d[j]
			}
		}
		right.SetVec(a, v)
		for c := a; c < len(free); c++ {
			system.SetSym(a, c, h.At(i, free[c]))
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(system) || chol.SolveVecTo(right, right) != nil {
		return
	}
	for a, i := range free {
		to := x[i] + right.AtVec(a)
		if to <= b.Low[i] || to >= b.High[i] || b.L1[i] > 0 && to*(x[i]+d[i]) <= 0 {
			return
		}
	}
	for a, i := range free {
		d[i] = right.AtVec(a)
	}
}
