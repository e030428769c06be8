package rows

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kifu/fit/losses"
	"kifu/internal/dyads"
	"kifu/internal/panels"
)

// GameScores is a pass over the games of a sample, split among workers into chunks. visit gets some games in the
// order of the rows. start is called before each chunk, merge after it in the order of the chunks.
type GameScores func(start func(w int), visit func(w int, g Games), merge func(w int))

// Games has the scores of games, which visit may change.
type Games struct {
	First int       // number of the first of them
	N     int       // numbers of a score
	U     []float64 // a line a game: its score, the derivative of its part of the loss by the unknowns
	// Along returns vᵀA_g v, A_g being the part of game i of these in the Hessian, as long as visit has not returned.
	Along func(i int, v []float64) float64
}

// Len is the number of games.
func (g Games) Len() int { return len(g.U) / g.N }

// Score is the score of game i of these.
func (g Games) Score(i int) []float64 { return g.U[i*g.N : (i+1)*g.N] }

// together is how many games' scores are multiplied at once, or some more: the matrix is read once for all of them.
const together = 256

// GameScores returns the pass for loss l at theta.
func (r *Store) GameScores(l losses.Loss, theta []float64, un *Unknowns, workers int) GameScores {
	pass := r.gameScores(l, theta, un, workers)
	if len(un.Columns) == 1 {
		return pass.kept(workers)
	}
	return pass
}

// kept is the pass over the scores of one unknown, which are made once.
func (pass GameScores) kept(workers int) GameScores {
	type run struct {
		first     int
		u, curves []float64
	}
	var chunks [][]run
	return func(start func(w int), visit func(w int, g Games), merge func(w int)) {
		if chunks == nil {
			all, one := make([][]run, max(1, workers)), []float64{1}
			pass(func(w int) { all[w] = nil }, func(w int, g Games) {
				r := run{g.First, slices.Clone(g.U), make([]float64, g.Len())}
				for i := range r.curves {
					r.curves[i] = g.Along(i, one)
				}
				all[w] = append(all[w], r)
			}, func(w int) { chunks = append(chunks, all[w]) })
		}
		var u []float64
		for _, chunk := range chunks {
			start(0)
			for _, r := range chunk {
				u = append(u[:0], r.u...)
				visit(0, Games{r.first, 1, u, func(i int, v []float64) float64 { return r.curves[i] * v[0] * v[0] }})
			}
			merge(0)
		}
	}
}

func (r *Store) gameScores(l losses.Loss, theta []float64, un *Unknowns, workers int) GameScores {
	return func(start func(w int), visit func(w int, g Games), merge func(w int)) {
		s, at, before, n := r.Scorer(theta), r.Layout(), r.GamesBefore(), len(un.Columns)
		type scratch struct {
			u, grad, d, dt []float64
			blocks         []*scored
			games          []Span // of the rows of their blocks
			of             []*scored
			curve          curvature
		}
		all := make([]scratch, max(1, workers))
		stretches := r.stretches()
		r.merge(workers, len(stretches), func(w, i int) {
			x := &all[w]
			if x.grad == nil {
				x.grad = make([]float64, r.Design.Size())
				x.curve = curvature{at: at, l: l, t: r.Design.Draw(theta), un: un, direction: make([]float64, r.Design.Size())}
			}
			start(w)
			used := 0
			for j := stretches[i].From; j < stretches[i].To; j++ {
				if r.stopped() {
					return
				}
				if used == len(x.blocks) {
					x.blocks = append(x.blocks, new(scored))
				}
				c, b := x.blocks[used], r.Blocks[j]
				used++
				c.b, c.z, c.exact = b, s.Scores(b, c.z[:0]), c.exact[:0]
				x.d, x.dt = r.derivatives(l, b, c.z, r.Design.Draw(theta), x.d, x.dt)
				from := 0
				for _, run := range b.Games {
					clear(x.grad)
					game := Span{From: from, To: run.End}
					at.Gather(b, game, x.d, x.grad)
					if r.Design.Drawn {
						x.grad[r.Design.Width()] = floats.Sum(x.dt[from:run.End])
					}
					k := len(x.u)
					x.u = slices.Grow(x.u, n)[:k+n]
					un.Project(x.grad, x.u[k:])
					x.games, x.of = append(x.games, game), append(x.of, c)
					from = run.End
				}
				if len(x.games) >= together || j+1 == stretches[i].To {
					along := func(k int, v []float64) float64 { return x.curve.along(x.of[k], x.games[k], v) }
					visit(w, Games{before[j] + len(b.Games) - len(x.games), n, x.u, along})
					x.u, x.games, x.of, used = x.u[:0], x.games[:0], x.of[:0], 0
				}
			}
		}, func(w, _ int) { merge(w) })
	}
}

// stretchRows is the number of rows after which a stretch of blocks ends.
const stretchRows = 1 << 17

// stretches cuts the blocks into pieces of work for games, each with a sum of its own.
func (r *Store) stretches() (out []Span) {
	from, n := 0, 0
	for j, b := range r.Blocks {
		if n += b.Rows(); n >= stretchRows || j+1 == len(r.Blocks) {
			out = append(out, Span{from, j + 1})
			from, n = j+1, 0
		}
	}
	return out
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

// Meats returns Σ u_g u_gᵀ over the games, u_g being the score of game g with n numbers, and, with clusters c, the
// covariance of the sum of the scores in which games that share a player depend on each other (package dyads), which
// may have negative eigenvalues.
//
// With the inverse of the Hessian A of the loss's sum and its penalties, u_g is divided by
// 1-h_g, h_g = vᵀA_g v / vᵀA v with v = A⁻¹u_g and A_g the part of game g in A. A game
// pulls the optimum towards itself, by h_g of the way along v, and so makes its own score
// smaller: without the division errors of many weights from few games are too small. It is
// what the estimate would move by without this game, the jackknife (CR3 of Bell and McCaffrey
// 2002), in the one direction that counts, at the cost of a product with A⁻¹ per game. Their CR2, the root of
// 1-h_g, leaves intervals too narrow where weights are many and games of unequal length (bench/simulation/fits, uneven
// games). inverse nil leaves the scores unchanged.
//
// The sum of a cluster is divided likewise, h being its leverage along its own influence: so it is the change that the estimate would
// move by without this player, the jackknife of players. A database has few players who play much, and these corrections are
// larger than games'. Sums are kept for as many clusters at once as mostNumbers allows, each with a pass, and with the
// inverse another.
//
// What the games and the players move the numbers of the fourths by is added to these, if not nil.
func (pass GameScores) Meats(n int, c *dyads.Clusters, inverse *mat.SymDense, games, players *Fourths, workers int) (byGame, byPlayer *mat.SymDense) {
	return pass.meats(n, c, inverse, games, players, workers, max(1, mostNumbers/max(1, n)))
}

// meats is Meats with sums of so many clusters at once.
func (pass GameScores) meats(n int, c *dyads.Clusters, inverse *mat.SymDense, games, players *Fourths, workers, most int) (byGame, byPlayer *mat.SymDense) {
	byGame = mat.NewSymDense(n, nil)
	var multiply func(w int, g Games) []float64
	if inverse != nil {
		multiply = times(inverse, workers)
	}
	type scratch struct {
		sum, own       *panels.Squares
		games, players *Fourths
		gathered       gathered
	}
	all := make([]scratch, max(1, workers))
	var sums *clusterSums
	base := 0.0 // the commonest factor: all games have it at first
	if c != nil {
		byPlayer, base = mat.NewSymDense(n, nil), c.Factor(c.Commonest())
		sums = newClusterSums(n, c, 0, most)
	}
	pass(func(w int) {
		x := &all[w]
		if x.sum == nil {
			x.sum, x.games, x.players = panels.NewSquares(n, 0), games.empty(), players.empty()
			if c != nil {
				x.own = panels.NewSquares(n, 0)
			}
		}
		x.games.clear()
		x.players.clear()
		x.gathered.reset()
	}, func(w int, g Games) {
		x := &all[w]
		x.gathered.take(sums, g)
		var v []float64
		if inverse != nil {
			v = multiply(w, g)
		}
		for i := range g.Len() {
			u := g.Score(i)
			rest, moves := 1.0, u
			if inverse != nil {
				moves = v[i*n : (i+1)*n]
				rest = 1 - Leverage(g.Along(i, moves)/floats.Dot(u, moves))
			}
			x.games.add(moves, 1/rest)
			if c != nil && c.Own[g.First+i] != 0 {
				x.players.add(moves, math.Sqrt(float64(c.Own[g.First+i].Players()))/rest)
			}
			if rest != 1 {
				floats.Scale(1/rest, u)
			}
			x.sum.AddLine(1, u)
			if c != nil && c.Factor(c.Own[g.First+i]) != base {
				x.own.AddLine(c.Factor(c.Own[g.First+i])-base, u)
			}
		}
	}, func(w int) {
		x := &all[w]
		take(byGame, x.sum)
		games.merge(x.games)
		if c != nil {
			take(byPlayer, x.own)
			players.merge(x.players)
			sums.add(&x.gathered)
		}
	})
	if c != nil {
		floats.AddScaled(byPlayer.RawSymmetric().Data, base, byGame.RawSymmetric().Data)
	}
	for c != nil {
		if inverse != nil {
			pass.spread(sums, multiply, workers)
		}
		sums.fourthsTo(players)
		sums.addTo(byPlayer, workers)
		if sums.to == len(c.Sums) {
			break
		}
		sums = newClusterSums(n, c, sums.to, most)
		pass.gather(sums, workers)
	}
	return byGame, byPlayer
}

// take takes a sum to a symmetric matrix.
func take(total *mat.SymDense, sum *panels.Squares) {
	raw := total.RawSymmetric()
	sum.Take(func(i, j int, v float64) { raw.Data[i*raw.Stride+j] += v })
}

// Groups returns the sums of the scores of n numbers over groups of games, a line a group, of at most most.
func (pass GameScores) Groups(n, most, workers int) *mat.Dense {
	total := mat.NewDense(most, n, nil)
	type scratch struct {
		games []int
		u     []float64
	}
	all := make([]scratch, max(1, workers))
	pass(func(w int) { all[w].games, all[w].u = all[w].games[:0], all[w].u[:0] }, func(w int, g Games) {
		for i := range g.Len() {
			all[w].games = append(all[w].games, g.First+i)
		}
		all[w].u = append(all[w].u, g.U...)
	}, func(w int) {
		for i, game := range all[w].games {
			floats.Add(total.RawRowView(game%most), all[w].u[i*n:(i+1)*n])
		}
	})
	return total
}

// Spread is the pass whose scores are divided by 1-h, h being the game's leverage by an inverse as in Meats.
func (pass GameScores) Spread(inverse mat.Matrix, workers int) GameScores {
	n, _ := inverse.Dims()
	multiply := times(inverse, workers)
	return func(start func(w int), visit func(w int, g Games), merge func(w int)) {
		pass(start, func(w int, g Games) {
			v := multiply(w, g)
			for i := range g.Len() {
				v, u := v[i*n:(i+1)*n], g.Score(i)
				floats.Scale(1/(1-Leverage(g.Along(i, v)/floats.Dot(u, v))), u)
			}
			visit(w, g)
		}, merge)
	}
}

// Times is the pass whose scores are lines times pass's, without Along. lines has a column per
// unknown.
func (pass GameScores) Times(lines mat.Matrix, workers int) GameScores {
	k, _ := lines.Dims()
	multiply := times(lines, workers)
	return func(start func(w int), visit func(w int, g Games), merge func(w int)) {
		pass(start, func(w int, g Games) { visit(w, Games{First: g.First, N: k, U: multiply(w, g)}) }, merge)
	}
}

// times returns a function that multiplies m by the scores of some games; worker w keeps the lines until the next time.
func times(m mat.Matrix, workers int) func(w int, g Games) []float64 {
	product := panels.NewProduct(m)
	k, _ := m.Dims()
	type scratch struct {
		sparse panels.Sparse
		out    []float64
	}
	all := make([]scratch, max(1, workers))
	return func(w int, g Games) []float64 {
		x := &all[w]
		x.sparse.Set(g.U, g.N)
		x.out = slices.Grow(x.out[:0], g.Len()*k)[:g.Len()*k]
		product.Multiply(&x.sparse, x.out)
		return x.out
	}
}

// Adding is the pass, whose first walk adds the scores to lines of sums: each game's to the line that of names.
func (pass GameScores) Adding(sums []float64, of func(game int) int, workers int) GameScores {
	done := false
	return func(start func(w int), visit func(w int, g Games), merge func(w int)) {
		if done {
			pass(start, visit, merge)
			return
		}
		all := make([][]float64, max(1, workers))
		for w := range all {
			all[w] = make([]float64, len(sums))
		}
		pass(func(w int) {
			clear(all[w])
			start(w)
		}, func(w int, g Games) {
			for i := range g.Len() {
				at := of(g.First+i) * g.N
				floats.Add(all[w][at:at+g.N], g.Score(i))
			}
			visit(w, g)
		}, func(w int) {
			floats.Add(sums, all[w])
			merge(w)
		})
		done = true
	}
}

// derivatives overwrites d, and with a draw width dt, with the derivatives of each row's
// weighted loss by its score and by the draw width.
func (r *Store) derivatives(l losses.Loss, b *Block, z []float64, t float64, d, dt []float64) (byScore, byWidth []float64) {
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
