package rows

import (
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kifu/internal/ordered"
)

// Meat returns Σ u_g u_gᵀ over the games, u_g being the sum over game g of weight times
// the loss's derivative times x, for the unknowns.
func (r *Store) Meat(l Loss, theta []float64, un *Unknowns, workers int) *mat.SymDense {
	n := len(un.Columns)
	total := mat.NewSymDense(n, nil)
	s, at := r.Scorer(theta), r.Layout()
	const batch = 64 // games: a line of the sum stays in the cache for all of them
	type scratch struct {
		sum, u, grad, z, d, dt []float64
	}
	all := make([]scratch, max(1, workers))
	ordered.Merge(workers, len(r.Chunks), func(w, i int) {
		x := &all[w]
		if x.sum == nil {
			x.sum, x.u, x.grad = make([]float64, n*n), make([]float64, batch*n), make([]float64, r.Design.Size())
		}
		clear(x.sum)
		filled := 0
		empty := func() {
			Outer(x.u[:filled*n], n, x.sum)
			filled = 0
		}
		for _, b := range r.Blocks[r.Chunks[i].From:r.Chunks[i].To] {
			x.z = s.Scores(b, x.z[:0])
			x.d, x.dt = r.derivatives(l, b, x.z, r.Design.Draw(theta), x.d, x.dt)
			from := 0
			for _, run := range b.Games {
				clear(x.grad)
				at.Gather(b, Span{from, run.End}, x.d, x.grad)
				if r.Design.Drawn {
					x.grad[r.Design.Width()] = floats.Sum(x.dt[from:run.End])
				}
				un.Project(x.grad, x.u[filled*n:(filled+1)*n])
				from = run.End
				if filled++; filled == batch {
					empty()
				}
			}
		}
		empty()
	}, func(w, _ int) {
		raw := total.RawSymmetric()
		for i, v := range all[w].sum {
			raw.Data[i] += v
		}
	})
	return total
}

// derivatives overwrites d, and with a draw width dt, with the derivatives of each row's
// weighted loss by its score and by the draw width.
func (r *Store) derivatives(l Loss, b *Block, z []float64, t float64, d, dt []float64) (byScore, byWidth []float64) {
	d = slices.Grow(d[:0], len(z))[:len(z)]
	l.Sum(z, b.Y, b.Weight, t, d)
	if !r.Design.Drawn {
		return d, nil
	}
	dt = dt[:0]
	for i, zi := range z {
		dt = append(dt, b.WeightOf(i)*l.At(zi, float64(b.Y[i]), t).T)
	}
	return d, dt
}

// Outer adds u_l u_lᵀ for every line u_l of u, n long, to the upper half of sum.
func Outer(u []float64, n int, sum []float64) {
	for i := range n {
		line := blas64.Vector{N: n - i, Data: sum[i*n+i : (i+1)*n], Inc: 1}
		for l := 0; l < len(u); l += n {
			if v := u[l+i]; v != 0 {
				blas64.Axpy(v, blas64.Vector{N: n - i, Data: u[l+i : l+n], Inc: 1}, line)
			}
		}
	}
}
