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
	"kifu/schemas"
)

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
		got, err := minimise.Boxed(ctx, e.objective(r, l), hessian, e.u.Start(e.theta), b, minimise.Tolerance*e.Unit, 50)
		if err != nil {
			return err
		}
		e.u.Theta(got.X, e.theta)
		e.Minimum = got
		if !e.turn() {
			e.settle(got.X, b)
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
func (e *Estimate) box() (minimise.Box, error) {
	n := len(e.u.Columns)
	b := minimise.Box{Low: make([]float64, n), High: make([]float64, n), L1: make([]float64, n)}
	for i, column := range e.u.Columns {
		b.Low[i], b.High[i] = math.Inf(-1), math.Inf(1)
		j := column[0].At
		if j >= e.Design.Scale() {
			continue
		}
		p := &e.Design.Params[j]
		if p.Side < 0 {
			b.Low[i] = 0
		}
		if p.Side > 0 || p.Low == p.High {
			b.High[i] = 0
		}
		b.L1[i] = e.settings.L1 * float64(len(column))
		if p.Side != 0 && b.L1[i] > 0 && p.Bound() != p.Initial {
			return b, fmt.Errorf("--l1 pulls %s to %v, but its bound is %v: with --l1 a bound must be at the present weight", p, p.Initial, p.Bound())
		}
	}
	return b, nil
}

// settle removes the unknowns at a limit.
func (e *Estimate) settle(x []float64, b minimise.Box) {
	var left []int
	for i, column := range e.u.Columns {
		j := column[0].At
		if j > e.Design.Scale() {
			continue // the draw width, which free puts in
		}
		status := ""
		switch {
		case x[i] == b.Low[i] || x[i] == b.High[i]:
			status = schemas.StatusBound
		case x[i] == 0 && b.L1[i] > 0:
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
