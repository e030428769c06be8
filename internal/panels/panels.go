// Package panels multiplies sparse lines of numbers: by each other (Squares) and by a matrix (Product). What else is in assembly is here
// too: sums of pairs that codes name, in lists (SumPairs) or by bits (SumHeld), and the comparisons of Within.
//
// A matrix lies as panels, each of width of its columns, line after line. Both products use add, which keeps a line of a
// panel's sums in registers: some 15 to 20 products a nanosecond with AVX2, three to four times what gonum's sums of lines reach. Every
// product is added without being rounded before (math.FMA), so that all machines have the same sums to the last bit.
package panels

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"kifu/internal/ordered"
)

// width is the number of columns of a panel.
const width = 32

// Line is a line of a panel.
type Line [width]float64

// addEach adds the products of times with the lines of panel that at names, which has to have them, to sum, one after the other.
func addEach(sum *Line, times []float64, at []uint16, panel []Line) {
	for k, t := range times {
		line := &panel[at[k]]
		for i := range sum {
			sum[i] = math.FMA(t, line[i], sum[i])
		}
	}
}

// Add adds the products of times with the lines of panel that at names to sum, one after the other.
func Add(sum *Line, times []float64, at []uint16, panel []Line) {
	if len(times) != len(at) {
		panic("panels: not as many places as numbers")
	}
	add(sum, times, at, panel)
}

// panelsOf is the number of panels of n columns.
func panelsOf(n int) int { return (n + width - 1) / width }

// block is the number of lines of two panels that the first cache of a processor holds.
const block = 64

// blocksOf is the number of blocks of n lines.
func blocksOf(n int) int { return (n + block - 1) / block }

// Sparse has the numbers of lines that are not 0.
type Sparse struct {
	times []float64
	at    []uint16
	ends  []int  // of each line's blocks
	sums  []Line // of each line, in two panels
}

// Set makes s the lines of u, n numbers each.
func (s *Sparse) Set(u []float64, n int) {
	s.times, s.at = slices.Grow(s.times[:0], len(u))[:len(u)], slices.Grow(s.at[:0], len(u))[:len(u)]
	s.ends = s.ends[:0]
	k := 0
	for ; len(u) >= n; u = u[n:] {
		for from := 0; from < n; from += block {
			for j, v := range u[from:min(from+block, n)] {
				s.times[k], s.at[k] = v, uint16(from+j)
				if v != 0 {
					k++ // no jump, which could not be foreseen
				}
			}
			s.ends = append(s.ends, k)
		}
	}
}

// Reset makes s no lines.
func (s *Sparse) Reset() { s.times, s.at, s.ends = s.times[:0], s.at[:0], s.ends[:0] }

// Append appends the places of a line of n numbers, in ascending order; With has the numbers.
func (s *Sparse) Append(at []uint16, n int) {
	begun := len(s.at)
	s.at = append(s.at, at...)
	b := 1
	for k, j := range at {
		for ; int(j) >= b*block; b++ {
			s.ends = append(s.ends, begun+k)
		}
	}
	for ; b <= blocksOf(n); b++ {
		s.ends = append(s.ends, len(s.at))
	}
}

// With returns s with these numbers at its places.
func (s *Sparse) With(times []float64) *Sparse {
	s.times = times
	return s
}

// Product multiplies lines by a matrix.
type Product struct {
	rows, columns int // of the matrix
	lines         []Line
}

// NewProduct returns the product with a matrix of less than 65,536 columns.
func NewProduct(m mat.Matrix) *Product {
	p := &Product{}
	p.rows, p.columns = m.Dims()
	p.lines = make([]Line, panelsOf(p.rows)*p.columns)
	for i := range p.rows {
		for j := range p.columns {
			p.lines[i/width*p.columns+j][i%width] = m.At(i, j)
		}
	}
	return p
}

// panel returns the lines of panel c, none after the last.
func (p *Product) panel(c int) []Line {
	return p.lines[min(c*p.columns, len(p.lines)):min((c+1)*p.columns, len(p.lines))]
}

// Multiply overwrites out with the matrix times each line of u.
func (p *Product) Multiply(u *Sparse, out []float64) {
	blocks := blocksOf(p.columns)
	if blocks == 0 {
		clear(out)
		return
	}
	lines := len(u.ends) / blocks
	u.sums = slices.Grow(u.sums[:0], 2*lines)[:2*lines]
	for c := 0; c < panelsOf(p.rows); c += 2 {
		clear(u.sums)
		left, right := p.panel(c), p.panel(c+1)
		for b := range blocks {
			for l := range lines {
				from, to := 0, u.ends[l*blocks+b]
				if l+b > 0 {
					from = u.ends[l*blocks+b-1]
				}
				times, at := u.times[from:to], u.at[from:to]
				if len(right) > 0 {
					both(&u.sums[2*l], &u.sums[2*l+1], times, at, left, right)
				} else {
					add(&u.sums[2*l], times, at, left)
				}
			}
		}
		for l := range lines {
			line := out[l*p.rows : (l+1)*p.rows]
			copy(line[c*width:], u.sums[2*l][:])
			if len(right) > 0 {
				copy(line[(c+1)*width:], u.sums[2*l+1][:])
			}
		}
	}
}

// TimesTransposed returns the product of a and the transpose of b, which have equally many columns, less than 65,536.
func TimesTransposed(a, b mat.Matrix, workers int) *mat.Dense {
	const chunk = 64 // lines of a for which a block of b stays in the first cache
	rows, n := a.Dims()
	k, _ := b.Dims()
	product, out := NewProduct(b), mat.NewDense(rows, k, nil)
	type scratch struct {
		sparse Sparse
		lines  []float64
	}
	all := make([]scratch, max(1, workers))
	ordered.Merge(workers, (rows+chunk-1)/chunk, func(w, piece int) {
		x, from, to := &all[w], piece*chunk, min((piece+1)*chunk, rows)
		x.lines = slices.Grow(x.lines[:0], chunk*n)[:(to-from)*n]
		for i := from; i < to; i++ {
			mat.Row(x.lines[(i-from)*n:(i-from+1)*n], i, a)
		}
		x.sparse.Set(x.lines, n)
		product.Multiply(&x.sparse, out.RawMatrix().Data[from*k:to*k])
	}, func(int, int) {})
	return out
}
