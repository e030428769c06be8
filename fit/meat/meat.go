// Package meat sums the squares of scores by game and by player: the meat of sandwich errors.
//
// In: the rows of a fit with an optimum, or a pass over scores of another origin. Out: covariances of the sum of the scores, corrected
// for leverage, their degrees of freedom, and the same under hypotheses. It neither finds the optimum nor forms errors of weights.
package meat

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kifu/fit/losses"
	"kifu/fit/rows"
	"kifu/internal/dyads"
	"kifu/internal/panels"
)

// GameScores is a pass over games of a sample, split among workers into chunks. visit gets some games in the
// order of the rows. start is called before each chunk, merge after it in the order of the chunks.
type GameScores func(of Wanted, start func(w int), visit func(w int, g Games), merge func(w int))

// Wanted limits a pass; the zero value wants everything.
type Wanted struct {
	Games func(game int) bool // those to visit; nil: all
	Along bool                // of them nothing but Along is asked: they may come without scores
}

// Visits reports whether a game is wanted.
func (of Wanted) Visits(game int) bool { return of.Games == nil || of.Games(game) }

// Games has the scores of games, which visit may change.
type Games struct {
	At []int     // their numbers
	N  int       // numbers of a score
	U  []float64 // a line a game: its score, the derivative of its part of the loss by the unknowns
	// Along returns vᵀA_g v, A_g being the part of game i of these in the Hessian, as long as visit has not returned.
	Along func(i int, v []float64) float64
}

// Len is the number of games.
func (g Games) Len() int { return len(g.At) }

// Score is the score of game i of these.
func (g Games) Score(i int) []float64 { return g.U[i*g.N : (i+1)*g.N] }

// together is how many games' scores are multiplied at once, or some more: the matrix is read once for all of them.
const together = 256

// Of returns the pass over the games of r for loss l at theta.
func Of(r *rows.Store, l losses.Loss, theta []float64, un *rows.Unknowns, workers int) GameScores {
	pass := gameScores(r, l, theta, un, workers)
	if len(un.Columns) == 1 {
		return pass.kept(workers)
	}
	return pass
}

// kept is the pass over the scores of one unknown, which are made once.
func (pass GameScores) kept(workers int) GameScores {
	type chunk struct {
		at        []int
		u, curves []float64
	}
	var chunks []chunk
	return func(of Wanted, start func(w int), visit func(w int, g Games), merge func(w int)) {
		if chunks == nil {
			all, one := make([]chunk, max(1, workers)), []float64{1}
			pass(Wanted{}, func(w int) { all[w] = chunk{} }, func(w int, g Games) {
				c := &all[w]
				c.at, c.u = append(c.at, g.At...), append(c.u, g.U...)
				for i := range g.Len() {
					c.curves = append(c.curves, g.Along(i, one))
				}
			}, func(w int) { chunks = append(chunks, all[w]) })
		}
		var at []int
		var u, curves []float64
		for _, c := range chunks {
			start(0)
			at, u, curves = at[:0], u[:0], curves[:0]
			for i, game := range c.at {
				if of.Visits(game) {
					at, u, curves = append(at, game), append(u, c.u[i]), append(curves, c.curves[i])
				}
			}
			visit(0, Games{at, 1, u, func(i int, v []float64) float64 { return curves[i] * v[0] * v[0] }})
			merge(0)
		}
	}
}

func gameScores(r *rows.Store, l losses.Loss, theta []float64, un *rows.Unknowns, workers int) GameScores {
	return func(of Wanted, start func(w int), visit func(w int, g Games), merge func(w int)) {
		s, at, before, n, t := r.Scorer(theta), r.Layout(), r.GamesBefore(), len(un.Columns), r.Design.Draw(theta)
		type scratch struct {
			u, grad, z, d, dt []float64
			games             []scored
			at                []int
			curve             curvature
		}
		all := make([]scratch, max(1, workers))
		stretches := stretches(r)
		r.Merge(workers, len(stretches), func(w, i int) {
			x := &all[w]
			if x.grad == nil {
				x.grad = make([]float64, r.Design.Size())
				x.curve = curvature{d: r.Design, at: at, l: l, t: t, un: un, tables: r.NewTables(), direction: make([]float64, r.Design.Size())}
			}
			flush := func() {
				if len(x.at) == 0 {
					return
				}
				along := func(k int, v []float64) float64 { return x.curve.along(x.games[k], x.z, v) }
				visit(w, Games{x.at, n, x.u, along})
				x.u, x.z, x.games, x.at = x.u[:0], x.z[:0], x.games[:0], x.at[:0]
			}
			start(w)
			for j := stretches[i].From; j < stretches[i].To && !r.Stopped(); j++ {
				b, from := r.Blocks[j], 0
				for number, run := range b.Games {
					game := scored{b, rows.Span{From: from, To: run.End}, len(x.z)}
					if from = run.End; !of.Visits(before[j] + number) {
						continue
					}
					x.z = s.Some(b, game.rows, x.z)
					if !of.Along {
						x.d, x.dt = r.Derivatives(l, b.Only(game.rows), x.z[game.at:], t, x.d, x.dt[:0])
						clear(x.grad)
						at.Gather(b, game.rows, x.d, x.grad)
						if r.Design.Drawn {
							for _, d := range x.dt { // floats.Sum adds in an order that depends on the address
								x.grad[r.Design.Width()] += d
							}
						}
						k := len(x.u)
						x.u = slices.Grow(x.u, n)[:k+n]
						un.Project(x.grad, x.u[k:])
					}
					x.games, x.at = append(x.games, game), append(x.at, before[j]+number)
					if len(x.games) == together {
						flush()
					}
				}
			}
			flush()
		}, func(w, _ int) { merge(w) })
	}
}

// stretchRows is the number of rows after which a stretch of blocks ends.
const stretchRows = 1 << 17

// stretches cuts the blocks into pieces of work for games, each with a sum of its own.
func stretches(r *rows.Store) (out []rows.Span) {
	from, n := 0, 0
	for j, b := range r.Blocks {
		if n += b.Rows(); n >= stretchRows || j+1 == len(r.Blocks) {
			out = append(out, rows.Span{From: from, To: j + 1})
			from, n = j+1, 0
		}
	}
	return out
}

// Meats returns Σ u_g u_gᵀ over the games, where u_g is the score of game g with n numbers. With clusters c
// it also returns the covariance of the sum of the scores if games that share a player depend on each other
// (package dyads); this may have negative eigenvalues.
//
// With the inverse of the Hessian A of the loss's sum and its penalties, u_g is divided by 1-h_g. Here h_g = vᵀA_g v /
// vᵀA v, v = A⁻¹u_g, and A_g is the part of game g in A. A game pulls the optimum towards itself, by h_g of the way
// along v, and so makes its own score smaller. Without the division, errors of many weights from few games are too
// small. The quotient gives the estimate's change without this game along v: the jackknife (CR3 of Bell and McCaffrey
// 2002). It costs a product with A⁻¹ per game. Their CR2, the root of 1-h_g, leaves intervals too narrow where weights
// are many and games of unequal length (bench/simulation/fits, uneven games). inverse nil leaves the scores unchanged.
//
// The sum of a cluster is divided likewise, with its leverage along its own influence as h. So it is the change of the
// estimate without this player, the jackknife of players. A database has few players who play much, and these
// corrections are larger than games'. Sums are kept for as many clusters at once as mostNumbers allows, each with a
// pass, and with the inverse another.
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
		sums = &clusterSums{n: n, of: c}
		sums.next(most)
	}
	pass(Wanted{}, func(w int) {
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
		x.gathered.keep(sums, g)
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
			if c != nil && c.Own[g.At[i]] != 0 {
				x.players.add(moves, math.Sqrt(float64(c.Own[g.At[i]].Players()))/rest)
			}
			if rest != 1 {
				floats.Scale(1/rest, u)
			}
			x.sum.AddLine(1, u)
			if c != nil && c.Factor(c.Own[g.At[i]]) != base {
				x.own.AddLine(c.Factor(c.Own[g.At[i]])-base, u)
			}
		}
	}, func(w int) {
		x := &all[w]
		addSquares(byGame, x.sum)
		games.merge(x.games)
		if c != nil {
			addSquares(byPlayer, x.own)
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
		sums.next(most)
		pass.gather(sums, workers)
	}
	return byGame, byPlayer
}

// addSquares takes a sum to a symmetric matrix.
func addSquares(total *mat.SymDense, sum *panels.Squares) {
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
	pass(Wanted{}, func(w int) { all[w].games, all[w].u = all[w].games[:0], all[w].u[:0] }, func(w int, g Games) {
		all[w].games, all[w].u = append(all[w].games, g.At...), append(all[w].u, g.U...)
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
	return func(of Wanted, start func(w int), visit func(w int, g Games), merge func(w int)) {
		pass(of, start, func(w int, g Games) {
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
	return func(of Wanted, start func(w int), visit func(w int, g Games), merge func(w int)) {
		pass(of, start, func(w int, g Games) { visit(w, Games{At: g.At, N: k, U: multiply(w, g)}) }, merge)
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
	return func(wanted Wanted, start func(w int), visit func(w int, g Games), merge func(w int)) {
		if done {
			pass(wanted, start, visit, merge)
			return
		}
		all := make([][]float64, max(1, workers))
		for w := range all {
			all[w] = make([]float64, len(sums))
		}
		pass(Wanted{}, func(w int) {
			clear(all[w])
			start(w)
		}, func(w int, g Games) {
			for i := range g.Len() {
				at := of(g.At[i]) * g.N
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
