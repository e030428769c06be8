package fit

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A box limits every unknown, and draws it to 0 with a force: beside the objective
// stands Σ l1·|x|.
type box struct{ low, high, l1 []float64 }

// minimiseBoxed minimises fn plus the box's penalty within the box: proximal Newton
// steps (Lee, Sun & Saunders 2014) whose quadratic models are minimised by coordinate
// descent. hessian is that of fn at x, positive definite or nearly so. The gradient norm
// is sqrt(dᵀHd) of the step d that the model asks for, the Newton decrement when nothing
// is limited.
func minimiseBoxed(ctx context.Context, fn objective, hessian func(x []float64) *mat.SymDense, x0 []float64, b box, tolerance float64, limit int) (minimum, error) {
	n := len(x0)
	m := minimum{x: append([]float64(nil), x0...), grad: make([]float64, n), status: exhausted}
	for i := range m.x {
		m.x[i] = min(b.high[i], max(b.low[i], m.x[i]))
	}
	m.f = fn(m.x, m.grad) + b.penalty(m.x)
	m.passes = 1
	next, nextGrad := make([]float64, n), make([]float64, n)
	for {
		h := hessian(m.x)
		d := b.step(m.x, m.grad, h)
		hd := mat.NewVecDense(n, nil)
		hd.MulVec(h, mat.NewVecDense(n, d))
		m.norm = math.Sqrt(max(0, floats.Dot(d, hd.RawVector().Data)))
		if m.norm <= tolerance {
			m.status = converged
			return m, nil
		}
		if m.iterations == limit {
			return m, nil
		}
		m.iterations++
		floats.AddTo(next, m.x, d)
		slope := floats.Dot(m.grad, d) + b.penalty(next) - b.penalty(m.x)
		step, found, f := 1.0, false, 0.0
		for range 40 {
			if err := ctx.Err(); err != nil {
				return m, err
			}
			floats.AddScaledTo(next, m.x, step, d)
			f = fn(next, nextGrad) + b.penalty(next)
			m.passes++
			if found = f <= m.f+1e-4*step*slope+1e-14*math.Abs(m.f); found {
				break
			}
			step /= 2
		}
		if !found {
			m.status = stalled
			return m, nil
		}
		m.x, next = next, m.x
		m.grad, nextGrad = nextGrad, m.grad
		m.f = f
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
// coordinate descent would only come near to.
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

// clamp is the point of the box nearest to v, after a pull by l1 towards 0.
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
func (e *estimate) descendBoxed(ctx context.Context, r *rows, active []int) error {
	const most = 20
	for j := range e.d.params {
		e.d.params[j].setSide()
	}
	for range most {
		e.u = e.free(active)
		b, err := e.box(active)
		if err != nil {
			return err
		}
		l := e.settings.loss()
		hessian := func(x []float64) *mat.SymDense {
			theta := make([]float64, len(e.theta))
			e.u.theta(x, theta)
			if !l.convex() {
				h := e.u.matrix(r.hessian(theta, l, exact, e.settings.workers), 1/r.weight, e.ridge)
				if new(mat.Cholesky).Factorize(h) {
					return h
				}
			}
			return e.u.matrix(r.hessian(theta, l, positive, e.settings.workers), 1/r.weight, e.ridge)
		}
		got, err := minimiseBoxed(ctx, e.objective(r, l), hessian, e.u.start(e.theta), b, tolerance*e.unit, 50)
		if err != nil {
			return err
		}
		e.u.theta(got.x, e.theta)
		e.minimum = got
		if !e.turn() {
			e.settle(got.x, active, b)
			return nil
		}
	}
	return errors.New("the bounds of some weights cannot be told from each other: give fewer --bound, or hold the scale with --scale")
}

// setSide chooses the bound from which a weight is measured first.
func (p *param) setSide() {
	switch {
	case math.IsInf(p.low, 0) && math.IsInf(p.high, 0):
		p.side = 0
	case math.IsInf(p.high, 0) || !math.IsInf(p.low, 0) && math.Abs(p.initial-p.low) <= math.Abs(p.initial-p.high):
		p.side = -1
	default:
		p.side = 1
	}
}

// turn measures weights from the other bound that have passed it, and says whether
// there were some.
func (e *estimate) turn() (turned bool) {
	w0 := e.theta[e.d.scale()]
	for j := range e.d.params {
		p := &e.d.params[j]
		w := p.initial + e.theta[j]/w0
		slack := 1e-12 * (1 + math.Abs(w))
		if p.side < 0 && w > p.high+slack || p.side > 0 && w < p.low-slack {
			p.side, turned = -p.side, true
		}
	}
	return turned
}

// bound is the one that p is measured from.
func (p *param) bound() float64 {
	if p.side < 0 {
		return p.low
	}
	return p.high
}

// box says what the unknowns may be. Those of bounded weights are 0 at the bound.
func (e *estimate) box(active []int) (box, error) {
	n := len(e.u.columns)
	b := box{make([]float64, n), make([]float64, n), make([]float64, n)}
	for i, column := range e.u.columns {
		b.low[i], b.high[i] = math.Inf(-1), math.Inf(1)
		j := column[0].at
		if j >= e.d.scale() {
			continue
		}
		p := &e.d.params[j]
		if p.side < 0 {
			b.low[i] = 0
		}
		if p.side > 0 || p.low == p.high {
			b.high[i] = 0
		}
		b.l1[i] = e.settings.l1 * float64(len(column))
		if p.side != 0 && b.l1[i] > 0 && p.bound() != p.initial {
			return b, fmt.Errorf("--l1 pulls %s to %v, where its bound is %v: only a bound at the present weight goes with --l1", p, p.initial, p.bound())
		}
	}
	return b, nil
}

// settle takes the unknowns at a limit out.
func (e *estimate) settle(x []float64, active []int, b box) {
	var left []int
	for i, column := range e.u.columns {
		j := column[0].at
		if j > e.d.scale() {
			continue // the draw width, which free puts in
		}
		status := ""
		switch {
		case x[i] == b.low[i] || x[i] == b.high[i]:
			status = StatusBound
		case x[i] == 0 && b.l1[i] > 0:
			status = StatusKept
		default:
			left = append(left, j)
			continue
		}
		for _, c := range column {
			e.status[c.at] = status
		}
	}
	e.u = e.free(left)
}
