package fit

import (
	"slices"

	"gonum.org/v1/gonum/mat"
)

// unknowns are the numbers that a fit looks for. They move theta:
//
//	theta = base + Σ x_i·columns[i]
//
// A free parameter is moved by its own unknown; tied parameters share one; a parameter
// whose weight is held at some w moves with w_0, since theta_j = (w - present)·w_0; a
// held w_0 is part of the base.
type unknowns struct {
	d       *design
	columns [][]entry // the parameters that an unknown moves, its own first
	of      [][]entry // the same by parameter: the unknowns that move it
	base    []float64
}

// entry is a place with a factor.
type entry struct {
	at    int
	share float64
}

func newUnknowns(d *design, base []float64, columns [][]entry) *unknowns {
	u := &unknowns{d: d, base: base, columns: columns, of: make([][]entry, len(base))}
	for i, column := range columns {
		for _, e := range column {
			u.of[e.at] = append(u.of[e.at], entry{i, e.share})
		}
	}
	return u
}

// name is that of the parameters that unknown i stands for.
func (u *unknowns) name(i int) string {
	own := u.columns[i][0].at
	name := u.d.name(own)
	if own < u.d.scale() {
		for _, e := range u.columns[i][1:] {
			name += " = " + u.d.name(e.at)
		}
	}
	return name
}

// theta overwrites dst with theta at x.
func (u *unknowns) theta(x, dst []float64) {
	copy(dst, u.base)
	for i, column := range u.columns {
		for _, e := range column {
			dst[e.at] += e.share * x[i]
		}
	}
}

// start is the x that belongs to theta. w_0 and the draw width are the last unknowns,
// and move the own parameters of others but are not moved by them.
func (u *unknowns) start(theta []float64) []float64 {
	x := make([]float64, len(u.columns))
	for i, column := range slices.Backward(u.columns) {
		own := column[0].at
		v := theta[own] - u.base[own]
		for _, e := range u.of[own] {
			if e.at != i {
				v -= e.share * x[e.at]
			}
		}
		x[i] = v / column[0].share
	}
	return x
}

// project overwrites dst with the gradient by x that belongs to a gradient by theta.
func (u *unknowns) project(grad, dst []float64) {
	for i, column := range u.columns {
		dst[i] = 0
		for _, e := range column {
			dst[i] += e.share * grad[e.at]
		}
	}
}

// matrix is factor times a second derivative by theta, with ridge on its diagonal, as
// one by x.
func (u *unknowns) matrix(full *mat.SymDense, factor float64, ridge []float64) *mat.SymDense {
	n := len(u.columns)
	h := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			v := 0.0
			for _, a := range u.columns[i] {
				for _, b := range u.columns[j] {
					v += a.share * b.share * full.At(a.at, b.at)
				}
			}
			h.SetSym(i, j, factor*v)
		}
	}
	for p, r := range ridge {
		if r == 0 {
			continue
		}
		for _, a := range u.of[p] {
			for _, b := range u.of[p] {
				if a.at <= b.at {
					h.SetSym(a.at, b.at, h.At(a.at, b.at)+r*a.share*b.share)
				}
			}
		}
	}
	return h
}
