package rows

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kifu/internal/ordered"
)

// gameScores calls visit with the score u of every game, the sum over its rows of weight
// times the loss's derivative times x, for the unknowns, and with the scores z of the rows
// of its block. start is called before each chunk, merge after it in the order of the
// chunks.
func (r *Store) gameScores(l Loss, theta []float64, un *Unknowns, workers int, start func(w int), visit func(w int, b *Block, game Span, z, u []float64), merge func(w int)) {
	s, at := r.Scorer(theta), r.Layout()
	type scratch struct{ u, grad, z, d, dt []float64 }
	all := make([]scratch, max(1, workers))
	ordered.Merge(workers, len(r.Chunks), func(w, i int) {
		x := &all[w]
		if x.u == nil {
			x.u, x.grad = make([]float64, len(un.Columns)), make([]float64, r.Design.Size())
		}
		start(w)
		for _, b := range r.Blocks[r.Chunks[i].From:r.Chunks[i].To] {
			x.z = s.Scores(b, x.z[:0])
			x.d, x.dt = r.derivatives(l, b, x.z, r.Design.Draw(theta), x.d, x.dt)
			from := 0
			for _, run := range b.Games {
				clear(x.grad)
				game := Span{From: from, To: run.End}
				at.Gather(b, game, x.d, x.grad)
				if r.Design.Drawn {
					x.grad[r.Design.Width()] = floats.Sum(x.dt[from:run.End])
				}
				un.Project(x.grad, x.u)
				visit(w, b, game, x.z, x.u)
				from = run.End
			}
		}
	}, func(w, _ int) { merge(w) })
}

// Meat returns Σ u_g u_gᵀ over the games, u_g being the score of game g (gameScores).
//
// With the inverse of the Hessian A of the loss's sum and its penalties, u_g is divided by
// √(1-h_g), h_g = vᵀA_g v / vᵀA v with v = A⁻¹u_g and A_g the part of game g in A. A game
// pulls the optimum towards itself, by h_g of the way along v, and so makes its own score
// smaller: without the division errors of many weights from few games are too small. It is
// the correction CR2 of Bell and McCaffrey (2002) in the one direction that counts, at the
// cost of a product with A⁻¹ per game. inverse nil leaves the scores as they are.
func (r *Store) Meat(l Loss, theta []float64, un *Unknowns, inverse *mat.SymDense, workers int) *mat.SymDense {
	n := len(un.Columns)
	total := mat.NewSymDense(n, nil)
	const batch = 64 // games: a line of the sum stays in the cache for all of them
	type scratch struct {
		sum, u   []float64
		filled   int
		leverage leverage
	}
	all := make([]scratch, max(1, workers))
	at := r.Layout()
	empty := func(x *scratch) {
		Outer(x.u[:x.filled*n], n, x.sum)
		x.filled = 0
	}
	r.gameScores(l, theta, un, workers, func(w int) {
		x := &all[w]
		if x.sum == nil {
			x.sum, x.u = make([]float64, n*n), make([]float64, batch*n)
			x.leverage = leverage{at: at, l: l, t: r.Design.Draw(theta), un: un, inverse: inverse}
		}
		clear(x.sum)
	}, func(w int, b *Block, game Span, z, u []float64) {
		x := &all[w]
		if x.filled == batch {
			empty(x)
		}
		kept := x.u[x.filled*n : (x.filled+1)*n]
		copy(kept, u)
		if inverse != nil {
			floats.Scale(1/math.Sqrt(1-x.leverage.of(b, game, z, u)), kept)
		}
		x.filled++
	}, func(w int) {
		empty(&all[w])
		raw := total.RawSymmetric()
		for i, v := range all[w].sum {
			raw.Data[i] += v
		}
	})
	return total
}

// Moments returns the sums over the games of t and of t·tᵀ, t being lines times the game's
// score. lines has a column per unknown.
func (r *Store) Moments(l Loss, theta []float64, un *Unknowns, lines *mat.Dense, workers int) (sum []float64, squares *mat.SymDense) {
	k, n := lines.Dims()
	sum, squares = make([]float64, k), mat.NewSymDense(k, nil)
	type scratch struct{ sum, squares, t []float64 }
	all := make([]scratch, max(1, workers))
	r.gameScores(l, theta, un, workers, func(w int) {
		x := &all[w]
		if x.sum == nil {
			x.sum, x.squares, x.t = make([]float64, k), make([]float64, k*k), make([]float64, k)
		}
		clear(x.sum)
		clear(x.squares)
	}, func(w int, _ *Block, _ Span, _, u []float64) {
		x := &all[w]
		mat.NewVecDense(k, x.t).MulVec(lines, mat.NewVecDense(n, u))
		floats.Add(x.sum, x.t)
		Outer(x.t, k, x.squares)
	}, func(w int) {
		floats.Add(sum, all[w].sum)
		raw := squares.RawSymmetric()
		for i, v := range all[w].squares {
			raw.Data[i] += v
		}
	})
	return sum, squares
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
