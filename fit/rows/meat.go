package rows

import (
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kifu/internal/ordered"
)

// GameScores is a pass over the games of a sample, split among workers into chunks. visit
// gets the number of a game, in the order of the rows, its score u, the derivative of its
// part of the loss by the unknowns, and a function along, which returns vᵀA_g v, A_g being
// the part of game g in the Hessian. start is called before each chunk, merge after it in
// the order of the chunks. u and along are the pass's own and change with the next game.
type GameScores func(start func(w int), visit func(w, game int, u []float64, along func(v []float64) float64), merge func(w int))

// GameScores returns the pass for loss l at theta.
func (r *Store) GameScores(l Loss, theta []float64, un *Unknowns, workers int) GameScores {
	pass := r.gameScores(l, theta, un, workers)
	if len(un.Columns) == 1 {
		return pass.kept(workers)
	}
	return pass
}

// kept is the pass over the scores of one unknown, which are made once.
func (pass GameScores) kept(workers int) GameScores {
	type game struct {
		number   int
		u, curve float64
	}
	var chunks [][]game
	return func(start func(w int), visit func(w, game int, u []float64, along func(v []float64) float64), merge func(w int)) {
		if chunks == nil {
			all, one := make([][]game, max(1, workers)), []float64{1}
			pass(func(w int) { all[w] = nil }, func(w, number int, u []float64, along func(v []float64) float64) {
				all[w] = append(all[w], game{number, u[0], along(one)})
			}, func(w int) { chunks = append(chunks, all[w]) })
		}
		for _, chunk := range chunks {
			start(0)
			for _, g := range chunk {
				visit(0, g.number, []float64{g.u}, func(v []float64) float64 { return g.curve * v[0] * v[0] })
			}
			merge(0)
		}
	}
}

func (r *Store) gameScores(l Loss, theta []float64, un *Unknowns, workers int) GameScores {
	return func(start func(w int), visit func(w, game int, u []float64, along func(v []float64) float64), merge func(w int)) {
		s, at, before := r.Scorer(theta), r.Layout(), r.GamesBefore()
		type scratch struct {
			u, grad, z, d, dt []float64
			curve             curvature
		}
		all := make([]scratch, max(1, workers))
		ordered.Merge(workers, len(r.Chunks), func(w, i int) {
			x := &all[w]
			if x.u == nil {
				x.u, x.grad = make([]float64, len(un.Columns)), make([]float64, r.Design.Size())
				x.curve = curvature{at: at, l: l, t: r.Design.Draw(theta), un: un, direction: make([]float64, r.Design.Size())}
			}
			start(w)
			for j := r.Chunks[i].From; j < r.Chunks[i].To; j++ {
				b := r.Blocks[j]
				x.z = s.Scores(b, x.z[:0])
				x.d, x.dt = r.derivatives(l, b, x.z, r.Design.Draw(theta), x.d, x.dt)
				from := 0
				for number, run := range b.Games {
					clear(x.grad)
					game := Span{From: from, To: run.End}
					at.Gather(b, game, x.d, x.grad)
					if r.Design.Drawn {
						x.grad[r.Design.Width()] = floats.Sum(x.dt[from:run.End])
					}
					un.Project(x.grad, x.u)
					visit(w, before[j]+number, x.u, func(v []float64) float64 { return x.curve.along(b, game, x.z, v) })
					from = run.End
				}
			}
		}, func(w, _ int) { merge(w) })
	}
}

// GamesBefore returns the number of games before each block.
func (r *Store) GamesBefore() []int {
	before, n := make([]int, len(r.Blocks)), 0
	for i, b := range r.Blocks {
		before[i] = n
		n += len(b.Games)
	}
	return before
}

// Meat returns Σ u_g u_gᵀ over the games, u_g being the score of game g with n numbers.
//
// With the inverse of the Hessian A of the loss's sum and its penalties, u_g is divided by
// 1-h_g, h_g = vᵀA_g v / vᵀA v with v = A⁻¹u_g and A_g the part of game g in A. A game
// pulls the optimum towards itself, by h_g of the way along v, and so makes its own score
// smaller: without the division errors of many weights from few games are too small. It is
// what the estimate would move by without this game, the jackknife (CR3 of Bell and McCaffrey
// 2002), in the one direction that counts, at the cost of a product with A⁻¹ per game. Their CR2, the root of
// 1-h_g, leaves intervals too narrow where weights are many and games of unequal length (bench/simulation/fits, uneven
// games). inverse nil leaves the scores as they are.
//
// What the games move the numbers of fourths by is added to these, if not nil.
func (pass GameScores) Meat(n int, inverse *mat.SymDense, fourths *Fourths, workers int) *mat.SymDense {
	total := mat.NewSymDense(n, nil)
	const batch = 64 // games: a line of the sum stays in the cache for all of them
	type scratch struct {
		sum, u, v []float64
		filled    int
		fourths   *Fourths
	}
	all := make([]scratch, max(1, workers))
	empty := func(x *scratch) {
		Outer(x.u[:x.filled*n], n, x.sum)
		x.filled = 0
	}
	pass(func(w int) {
		x := &all[w]
		if x.sum == nil {
			x.sum, x.u, x.v, x.fourths = make([]float64, n*n), make([]float64, batch*n), make([]float64, n), fourths.empty()
		}
		clear(x.sum)
		x.fourths.clear()
	}, func(w, _ int, u []float64, along func(v []float64) float64) {
		x := &all[w]
		if x.filled == batch {
			empty(x)
		}
		kept := x.u[x.filled*n : (x.filled+1)*n]
		copy(kept, u)
		if inverse != nil {
			by := 1 / (1 - leverage(inverse, u, x.v, along))
			floats.Scale(by, kept)
			x.fourths.add(x.v, by)
		} else {
			x.fourths.add(u, 1)
		}
		x.filled++
	}, func(w int) {
		empty(&all[w])
		raw := total.RawSymmetric()
		for i, v := range all[w].sum {
			raw.Data[i] += v
		}
		fourths.merge(all[w].fourths)
	})
	return total
}

// Groups returns the sums of the scores of n numbers over groups of games, a line a group, of at most most.
func (pass GameScores) Groups(n, most, workers int) *mat.Dense {
	total := mat.NewDense(most, n, nil)
	type scratch struct {
		games []int
		u     []float64
	}
	all := make([]scratch, max(1, workers))
	pass(func(w int) { all[w].games, all[w].u = all[w].games[:0], all[w].u[:0] }, func(w, game int, u []float64, _ func(v []float64) float64) {
		all[w].games, all[w].u = append(all[w].games, game), append(all[w].u, u...)
	}, func(w int) {
		for i, game := range all[w].games {
			floats.Add(total.RawRowView(game%most), all[w].u[i*n:(i+1)*n])
		}
	})
	return total
}

// Spread is the pass whose scores are divided by 1-h, h being the game's leverage by an inverse as in Meat.
func (pass GameScores) Spread(inverse mat.Matrix, workers int) GameScores {
	return func(start func(w int), visit func(w, game int, u []float64, along func(v []float64) float64), merge func(w int)) {
		n, _ := inverse.Dims()
		all := make([][]float64, max(1, workers))
		for w := range all {
			all[w] = make([]float64, n)
		}
		pass(start, func(w, game int, u []float64, along func(v []float64) float64) {
			floats.Scale(1/(1-leverage(inverse, u, all[w], along)), u)
			visit(w, game, u, along)
		}, merge)
	}
}

// Times is the pass whose scores are lines times those of pass. lines has a column per
// unknown.
func (pass GameScores) Times(lines *mat.Dense, workers int) GameScores {
	k, n := lines.Dims()
	return func(start func(w int), visit func(w, game int, u []float64, along func(v []float64) float64), merge func(w int)) {
		all := make([][]float64, max(1, workers))
		for w := range all {
			all[w] = make([]float64, k)
		}
		pass(start, func(w, game int, u []float64, _ func(v []float64) float64) {
			mat.NewVecDense(k, all[w]).MulVec(lines, mat.NewVecDense(n, u))
			visit(w, game, all[w], nil)
		}, merge)
	}
}

// Adding is the pass, which adds the scores to sum on its way.
func (pass GameScores) Adding(sum []float64, workers int) GameScores {
	return func(start func(w int), visit func(w, game int, u []float64, along func(v []float64) float64), merge func(w int)) {
		all := make([][]float64, max(1, workers))
		for w := range all {
			all[w] = make([]float64, len(sum))
		}
		pass(func(w int) {
			clear(all[w])
			start(w)
		}, func(w, game int, u []float64, along func(v []float64) float64) {
			floats.Add(all[w], u)
			visit(w, game, u, along)
		}, func(w int) {
			floats.Add(sum, all[w])
			merge(w)
		})
	}
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
