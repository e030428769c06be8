package minimise

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"kifu/internal/panels"
)

// ErrSingular: a Hessian has no inverse, as the rows do not determine all unknowns.
var ErrSingular = errors.New("the information matrix is singular: hold some of the weights, or use --l2")

// Metric is a Cholesky factor of the mean objective's Hessian over the unknowns.
type Metric struct {
	H    *mat.SymDense   // of the mean objective
	Root []float64       // of its diagonal
	chol panels.Cholesky // of h scaled to a unit diagonal
}

// MetricOf factors a Hessian of the mean objective.
func MetricOf(h *mat.SymDense) (*Metric, error) {
	m := &Metric{H: h}
	n := h.SymmetricDim()
	m.Root = make([]float64, n)
	scaled := mat.NewSymDense(n, nil)
	for i := range n {
		if !(m.H.At(i, i) > 0) {
			return nil, ErrSingular
		}
		m.Root[i] = math.Sqrt(m.H.At(i, i))
	}
	for i := range n {
		for j := i; j < n; j++ {
			v := m.H.At(i, j) / (m.Root[i] * m.Root[j])
			if i == j {
				v = 1 + 1e-12
			}
			scaled.SetSym(i, j, v)
		}
	}
	if !m.chol.Factorize(scaled) {
		return nil, ErrSingular
	}
	return m, nil
}

// Solve overwrites v with the inverse of the Hessian times v. A nil metric is not
// used.
func (m *Metric) Solve(v []float64) {
	for i := range v {
		v[i] /= m.Root[i]
	}
	m.chol.Solve(v)
	for i := range v {
		v[i] /= m.Root[i]
	}
}

// Inverse returns the inverse of the Hessian of the sum, which is weight times the Hessian of
// the mean.
func (m *Metric) Inverse(weight float64) *mat.SymDense {
	inverse := m.chol.Inverse()
	for i := range m.Root {
		for j := i; j < len(m.Root); j++ {
			inverse.SetSym(i, j, inverse.At(i, j)/(m.Root[i]*m.Root[j]*weight))
		}
	}
	return inverse
}

// Weakest returns the direction of the smallest eigenvalue of the scaled Hessian, and that, by inverse iteration.
func (m *Metric) Weakest() (direction []float64, eigenvalue float64) {
	n := len(m.Root)
	x := mat.NewVecDense(n, nil)
	for i := range n {
		x.SetVec(i, 1+float64(i%7)/10)
	}
	x.ScaleVec(1/mat.Norm(x, 2), x)
	size := 0.0
	for range 30 {
		m.chol.Solve(x.RawVector().Data)
		size = mat.Norm(x, 2)
		x.ScaleVec(1/size, x)
	}
	return x.RawVector().Data, 1 / size
}

// Growth returns the largest eigenvalue of m⁻¹·first by the power method, and its direction in the units of first's
// columns.
func (m *Metric) Growth(first *Metric) (eigenvalue float64, direction []float64) {
	n := len(m.Root)
	v := make([]float64, n)
	for i := range v {
		// No structure of the columns can be orthogonal to this by accident.
		v[i] = (1 + float64(i%7)/10) / first.Root[i]
	}
	x, y := mat.NewVecDense(n, v), mat.NewVecDense(n, nil)
	for range 50 {
		y.MulVec(first.H, x)
		before := mat.Dot(x, y)
		m.Solve(y.RawVector().Data)
		t := mat.NewVecDense(n, nil)
		t.MulVec(first.H, y)
		after := mat.Dot(y, t)
		eigenvalue = math.Sqrt(after / before)
		x.ScaleVec(1/math.Sqrt(after), y)
	}
	for i := range v {
		v[i] *= first.Root[i]
	}
	return eigenvalue, v
}
