package solve

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kifu/fit/losses"
	"kifu/fit/rows"
	"kifu/schemas"
)

// box limits every unknown and penalises its distance from 0: the objective has a term
// Σ l1·|x| added.
type box struct{ low, high, l1 []float64 }

// minimiseBoxed minimises fn plus the penalty of the box, within the box. It makes proximal Newton
// steps (Lee, Sun & Saunders 2014), and minimises their quadratic models by coordinate descent.
// hessian returns fn's at x, positive definite or nearly so. The gradient norm is sqrt(dᵀHd) of the
// step d of the model, the Newton decrement when nothing is limited.
func minimiseBoxed(ctx context.Context, fn objective, hessian func(x []float64) *mat.SymDense, x0 []float64, b box, tolerance float64, limit int) (Minimum, error) {
	n := len(x0)
	m := Minimum{x: append([]float64(nil), x0...), grad: make([]float64, n), Status: exhausted}
	for i := range m.x {
		m.x[i] = min(b.high[i], max(b.low[i], m.x[i]))
	}
	m.F = fn(m.x, m.grad) + b.penalty(m.x)
	m.Passes = 1
	next, nextGrad := make([]float64, n), make([]float64, n)
	for {
		h := hessian(m.x)
		d := b.step(m.x, m.grad, h)
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
		floats.AddTo(next, m.x, d)
		slope := floats.Dot(m.grad, d) + b.penalty(next) - b.penalty(m.x)
		step, found, f := 1.0, false, 0.0
		for range 40 {
			if err := ctx.Err(); err != nil {
				return m, err
			}
			floats.AddScaledTo(next, m.x, step, d)
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
		m.x, next = next, m.x
		m.grad, nextGrad = nextGrad, m.grad
		m.F = f
	}
}

func (b box) penalty(x []float64) float64 {
	sum := 0.0
	for i, l := range b.l1 {
		sum += l * math.Abs(x[i])
	}
	return sum
}

// step minimises gᵀd + dᵀHd/2 + Σ l1·|x+d| within the box. Coordinate descent finds
// which unknowns are at a limit; the others then solve a linear system, which ends what
// coordinate descent would only approach.
func (b box) step(x, g []float64, h *mat.SymDense) []float64 {
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
			to := b.clamp(i, x[i]+d[i]-(g[i]+hd[i])/hii, b.l1[i]/hii)
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
func (b box) clamp(i int, v, l1 float64) float64 {
	switch {
	case v > l1:
		v -= l1
	case v < -l1:
		v += l1
	default:
		v = 0
	}
	return min(b.high[i], max(b.low[i], v))
}

// exactly replaces the entries of d that are not at a limit by the solution of their
// linear system, if that leaves them between the limits.
func (b box) exactly(x, g []float64, h *mat.SymDense, d []float64) {
	var free []int
	for i := range x {
		if v := x[i] + d[i]; v > b.low[i] && v < b.high[i] && (v != 0 || b.l1[i] == 0) {
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
		if b.l1[i] > 0 {
			v -= math.Copysign(b.l1[i], x[i]+d[i])
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
		if to <= b.low[i] || to >= b.high[i] || b.l1[i] > 0 && to*(x[i]+d[i]) <= 0 {
			return
		}
	}
	for a, i := range free {
		d[i] = right.AtVec(a)
	}
}

// descendBoxed is descend for weights with bounds or a lasso. Then the unknowns at a
// limit are unknowns no more.
//
// A weight between two bounds is measured from one of them; when the other is passed,
// it is measured from that. The problem is convex (LS near its start), so that a
// solution within all bounds is the solution.
func (e *Estimate) descendBoxed(ctx context.Context, r *rows.Store, active []int) error {
	const most = 20
	for j := range e.Design.Params {
		e.Design.Params[j].SetSide()
	}
	for range most {
		e.u = e.free(active)
		b, err := e.box()
		if err != nil {
			return err
		}
		l := e.settings.Loss()
		hessian := func(x []float64) *mat.SymDense {
			theta := make([]float64, len(e.theta))
			e.u.Theta(x, theta)
			if !l.Convex() {
				h := e.u.Matrix(r.Hessian(theta, l, losses.Exact, e.settings.Workers), 1/r.Weight, e.ridge)
				if new(mat.Cholesky).Factorize(h) {
					return h
				}
			}
			return e.u.Matrix(r.Hessian(theta, l, losses.Positive, e.settings.Workers), 1/r.Weight, e.ridge)
		}
		got, err := minimiseBoxed(ctx, e.objective(r, l), hessian, e.u.Start(e.theta), b, Tolerance*e.Unit, 50)
		if err != nil {
			return err
		}
		e.u.Theta(got.x, e.theta)
		e.Minimum = got
		if !e.turn() {
			e.settle(got.x, b)
			return nil
		}
	}
	return errors.New("the bounds of some weights cannot be distinguished: give fewer --bound, or hold the scale with --scale")
}

// turn measures weights that have passed their other bound from that one, and reports
// whether there were any.
func (e *Estimate) turn() (turned bool) {
	w0 := e.theta[e.Design.Scale()]
	for j := range e.Design.Params {
		p := &e.Design.Params[j]
		w := p.Initial + e.theta[j]/w0
		slack := 1e-12 * (1 + math.Abs(w))
		if p.Side < 0 && w > p.High+slack || p.Side > 0 && w < p.Low-slack {
			p.Side, turned = -p.Side, true
		}
	}
	return turned
}

// box returns the limits of the unknowns. Unknowns of bounded weights are 0 at the bound.
func (e *Estimate) box() (box, error) {
	n := len(e.u.Columns)
	b := box{make([]float64, n), make([]float64, n), make([]float64, n)}
	for i, column := range e.u.Columns {
		b.low[i], b.high[i] = math.Inf(-1), math.Inf(1)
		j := column[0].At
		if j >= e.Design.Scale() {
			continue
		}
		p := &e.Design.Params[j]
		if p.Side < 0 {
			b.low[i] = 0
		}
		if p.Side > 0 || p.Low == p.High {
			b.high[i] = 0
		}
		b.l1[i] = e.settings.L1 * float64(len(column))
		if p.Side != 0 && b.l1[i] > 0 && p.Bound() != p.Initial {
			return b, fmt.Errorf("--l1 pulls %s to %v, but its bound is %v: with --l1 a bound must be at the present weight", p, p.Initial, p.Bound())
		}
	}
	return b, nil
}

// settle removes the unknowns at a limit.
func (e *Estimate) settle(x []float64, b box) {
	var left []int
	for i, column := range e.u.Columns {
		j := column[0].At
		if j > e.Design.Scale() {
			continue // the draw width, which free puts in
		}
		status := ""
		switch {
		case x[i] == b.low[i] || x[i] == b.high[i]:
			status = schemas.StatusBound
		case x[i] == 0 && b.l1[i] > 0:
			status = schemas.StatusKept
		default:
			left = append(left, j)
			continue
		}
		for _, c := range column {
			e.Status[c.At] = status
		}
	}
	e.u = e.free(left)
}
