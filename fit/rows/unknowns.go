package rows

import (
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Unknowns are the numbers that a solver moves, x. They determine theta:
//
//	theta = base + Σ x_i·columns[i]
//
// A free parameter is moved by its own unknown; tied parameters share one. A parameter whose weight is held
// at some w moves with w_0, because theta_j = (w - present)·w_0. A held w_0 is part of the base.
type Unknowns struct {
	d       *Design
	Columns [][]Entry // the parameters that an unknown moves, its own first
	Of      [][]Entry // the same by parameter: the unknowns that move it
	base    []float64
	alone   []int32 // by unknown: the one parameter that it is; -1 with others or a share
}

// Entry is an index with a factor.
type Entry struct {
	At    int
	Share float64
}

// NewUnknowns returns the unknowns with the given columns, from base.
func NewUnknowns(d *Design, base []float64, columns [][]Entry) *Unknowns {
	u := &Unknowns{d: d, base: base, Columns: columns, Of: make([][]Entry, len(base))}
	for i, column := range columns {
		for _, e := range column {
			u.Of[e.At] = append(u.Of[e.At], Entry{i, e.Share})
		}
		alone := int32(-1)
		if len(column) == 1 && column[0].Share == 1 {
			alone = int32(column[0].At)
		}
		u.alone = append(u.alone, alone)
	}
	return u
}

// Only returns the unknowns with the given numbers; the others are 0.
func (u *Unknowns) Only(numbers []int) *Unknowns {
	columns := make([][]Entry, len(numbers))
	for i, n := range numbers {
		columns[i] = u.Columns[n]
	}
	return NewUnknowns(u.d, u.base, columns)
}

// Name returns the names of the parameters that unknown i moves.
func (u *Unknowns) Name(i int) string {
	own := u.Columns[i][0].At
	name := u.d.Name(own)
	if own < u.d.Scale() {
		for _, e := range u.Columns[i][1:] {
			name += " = " + u.d.Name(e.At)
		}
	}
	return name
}

// Theta overwrites dst with theta at x.
func (u *Unknowns) Theta(x, dst []float64) {
	copy(dst, u.base)
	for i, column := range u.Columns {
		for _, e := range column {
			dst[e.At] += e.Share * x[i]
		}
	}
}

// Direction overwrites dst with the change of theta when x changes by dx.
func (u *Unknowns) Direction(dx, dst []float64) {
	clear(dst)
	for i, at := range u.alone {
		if at >= 0 {
			dst[at] += dx[i]
			continue
		}
		for _, e := range u.Columns[i] {
			dst[e.At] += e.Share * dx[i]
		}
	}
}

// Start returns the x of a given theta. w_0 and the draw width are the last unknowns,
// and move the own parameters of others but are not moved by them.
func (u *Unknowns) Start(theta []float64) []float64 {
	x := make([]float64, len(u.Columns))
	for i, column := range slices.Backward(u.Columns) {
		own := column[0].At
		v := theta[own] - u.base[own]
		for _, e := range u.Of[own] {
			if e.At != i {
				v -= e.Share * x[e.At]
			}
		}
		x[i] = v / column[0].Share
	}
	return x
}

// Project overwrites dst with the gradient by x, given one by theta.
func (u *Unknowns) Project(grad, dst []float64) {
	for i, at := range u.alone {
		if at >= 0 {
			dst[i] = grad[at]
			continue
		}
		dst[i] = 0
		for _, e := range u.Columns[i] {
			dst[i] += e.Share * grad[e.At]
		}
	}
}

// Matrix returns the second derivative by x, given one by theta: factor times full plus
// ridge on its diagonal.
func (u *Unknowns) Matrix(full *mat.SymDense, factor float64, ridge []float64) *mat.SymDense {
	n := len(u.Columns)
	h := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			v := 0.0
			for _, a := range u.Columns[i] {
				for _, b := range u.Columns[j] {
					v += a.Share * b.Share * full.At(a.At, b.At)
				}
			}
			h.SetSym(i, j, factor*v)
		}
	}
	for p, r := range ridge {
		if r == 0 {
			continue
		}
		for _, a := range u.Of[p] {
			for _, b := range u.Of[p] {
				if a.At <= b.At {
					h.SetSym(a.At, b.At, h.At(a.At, b.At)+r*a.Share*b.Share)
				}
			}
		}
	}
	return h
}
