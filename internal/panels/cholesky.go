package panels

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Cholesky is the factor L of a positive definite matrix L L'.
type Cholesky struct {
	n int
	l []float64 // n lines of n numbers; those right of the diagonal mean nothing
}

// Factorize makes c the factor of a, and reports whether a is positive definite. Columns are made a panel at a time, from
// those on their left (Golub and Van Loan, Matrix Computations, section 4.2).
func (c *Cholesky) Factorize(a *mat.SymDense) bool {
	of := a.RawSymmetric() // its upper triangle
	n := of.N
	c.n, c.l = n, slices.Grow(c.l[:0], n*n)[:n*n]
	panel, at := make([]Line, n), ascending(n)
	for from := 0; from < n; from += width {
		for j := from; j < min(from+width, n); j++ {
			for k, v := range c.line(j)[:from] {
				panel[k][j-from] = v
			}
		}
		for i := from; i < n; i++ {
			line := c.line(i)
			var sum Line
			add(&sum, line[:from], at[:from], panel[:from])
			for j := from; j < min(from+width, i+1); j++ {
				v := of.Data[j*of.Stride+i] - sum[j-from] - floats.Dot(line[from:j], c.line(j)[from:j])
				switch {
				case j < i:
					line[j] = v / c.line(j)[j]
				case v > 0:
					line[j] = math.Sqrt(v)
				default:
					return false
				}
			}
		}
	}
	return true
}

// ascending returns the first n places.
func ascending(n int) []uint16 {
	at := make([]uint16, n)
	for k := range at {
		at[k] = uint16(k)
	}
	return at
}

func (c *Cholesky) line(i int) []float64 { return c.l[i*c.n:][:c.n] }

// Forward changes x to L⁻¹ x.
func (c *Cholesky) Forward(x []float64) {
	for i := range x {
		line := c.line(i)
		x[i] = (x[i] - floats.Dot(line[:i], x[:i])) / line[i]
	}
}

// Back changes x to L'⁻¹ x.
func (c *Cholesky) Back(x []float64) {
	for i := len(x) - 1; i >= 0; i-- {
		line := c.line(i)
		x[i] /= line[i]
		floats.AddScaled(x[:i], -x[i], line[:i])
	}
}

// Solve changes x to (L L')⁻¹ x.
func (c *Cholesky) Solve(x []float64) {
	c.Forward(x)
	c.Back(x)
}

// Inverse returns (L L')⁻¹, which is W'W for W = L⁻¹. A panel of W's columns is made a line at a time, and multiplied with the
// columns on its left and its own.
func (c *Cholesky) Inverse() *mat.SymDense {
	n := c.n
	inverse, at := mat.NewSymDense(n, nil), ascending(n)
	panel, columns := make([]Line, n), make([]float64, n*n)
	for from := 0; from < n; from += width {
		end := min(from+width, n)
		for i := from; i < n; i++ {
			line := c.line(i)
			var sum Line
			add(&sum, line[from:i], at[from:i], panel)
			for j := range sum {
				sum[j] = -sum[j] / line[i]
			}
			if i < end {
				sum[i-from] = 1 / line[i]
			}
			panel[i] = sum
			for j := from; j < end; j++ {
				columns[j*n+i] = sum[j-from]
			}
		}
		for i := range end {
			var sum Line
			first := max(i, from)
			add(&sum, columns[i*n:][first:n], at[first:], panel)
			for j := first; j < end; j++ {
				inverse.SetSym(i, j, sum[j-from])
			}
		}
	}
	return inverse
}
