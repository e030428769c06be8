package solve

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kifu/fit/losses"
	"kifu/fit/meat"
	"kifu/fit/minimise"
	"kifu/fit/rows"
	"kifu/internal/ordered"
	"kifu/internal/progress"
	"kifu/schemas"
)

// scaled is the model with a scale for each level, z = s_l·(e + Σ w_j x_j), whose
// unknowns are the weights' (without w_0) and then the scales of the levels that have
// one. It is not convex, but starts from the fit with one scale for all.
type scaled struct {
	r       *rows.Store
	l       losses.Loss
	u       *rows.Unknowns // the weights', with w_0 as the last, which is 1 here
	weights int
	place   []int     // of each level among the unknowns; -1: its scale is held
	held    []float64 // the scales of those
	ridge   []float64 // on the weights
	workers int
	size    int
}

func newScaled(r *rows.Store, l losses.Loss, u *rows.Unknowns, held []float64, status []string, ridge []float64, workers int) *scaled {
	m := &scaled{r: r, l: l, u: u, weights: len(u.Columns) - 1, held: held, ridge: ridge, workers: workers}
	m.size = m.weights
	for _, s := range status {
		if s == schemas.StatusFitted {
			m.place = append(m.place, m.size)
			m.size++
		} else {
			m.place = append(m.place, -1)
		}
	}
	return m
}

// split returns theta for w_0 = 1, and the scale of each level.
func (m *scaled) split(x []float64) (theta, scales []float64) {
	theta, scales = make([]float64, m.r.Design.Size()), slices.Clone(m.held)
	m.u.Theta(append(slices.Clone(x[:m.weights]), 1), theta)
	for l, at := range m.place {
		if at >= 0 {
			scales[l] = x[at]
		}
	}
	return theta, scales
}

// join writes a derivative by theta and those by the scales as one by the unknowns.
func (m *scaled) join(byTheta, byScale, dst []float64) {
	all := make([]float64, m.weights+1)
	m.u.Project(byTheta, all)
	copy(dst, all[:m.weights])
	for l, at := range m.place {
		if at >= 0 {
			dst[at] = byScale[l]
		}
	}
}

// objective is the mean loss with the ridge.
func (m *scaled) objective(x, g []float64) float64 {
	theta, scales := m.split(x)
	sc := m.r.Scorer(theta)
	f, grad, byScale := 0.0, make([]float64, len(theta)), make([]float64, len(scales))
	type scratch struct {
		t             rows.Tables
		f             float64
		grad, byScale []float64
		q, z, d       []float64
	}
	all := make([]scratch, max(1, m.workers))
	ordered.Merge(m.workers, len(m.r.Chunks), func(w, i int) {
		c := &all[w]
		if c.grad == nil {
			c.t, c.grad, c.byScale = m.r.NewTables(), make([]float64, len(grad)), make([]float64, len(byScale))
		}
		clear(c.grad)
		clear(c.byScale)
		c.f = 0
		for _, b := range m.r.Blocks[m.r.Chunks[i].From:m.r.Chunks[i].To] {
			c.q = sc.Scores(b, c.q[:0])
			c.z, c.d = rescaled(b, c.q, scales, c.z), slices.Grow(c.d[:0], len(c.q))[:len(c.q)]
			f, _ := m.l.Sum(c.z, b.Y, b.Weight, 0, c.d)
			c.f += f
			for row, l := range b.Level {
				c.byScale[l] += c.d[row] * c.q[row]
				c.d[row] *= scales[l]
			}
			m.r.Gather(b, c.d, c.t, c.grad)
		}
		m.r.Fold(c.t, c.grad)
	}, func(w, _ int) {
		f += all[w].f
		floats.Add(grad, all[w].grad)
		floats.Add(byScale, all[w].byScale)
	})
	floats.Scale(1/m.r.Weight, grad)
	floats.Scale(1/m.r.Weight, byScale)
	f /= m.r.Weight
	for j, ridge := range m.ridge {
		f += ridge / 2 * theta[j] * theta[j]
		grad[j] += ridge * theta[j]
	}
	m.join(grad, byScale, g)
	return f
}

// rescaled overwrites dst with the scores of b's rows, whose evaluations are q.
func rescaled(b *rows.Block, q, scales, dst []float64) []float64 {
	dst = dst[:0]
	for i, l := range b.Level {
		dst = append(dst, scales[l]*q[i])
	}
	return dst
}

// hessian returns the Hessian of the mean objective, or the part of it that is never negative: that
// of the predictions' first derivatives alone.
func (m *scaled) hessian(x []float64, exactly bool) *mat.SymDense {
	theta, scales := m.split(x)
	r, sc, at := m.r, m.r.Scorer(theta), m.r.Layout()
	chosen := losses.Positive
	if exactly {
		chosen = losses.Exact
	}
	cross, squares := make([][]float64, len(scales)), make([]float64, len(scales))
	for l := range cross {
		cross[l] = make([]float64, len(theta))
	}
	type scratch struct {
		cross         [][]float64
		squares       []float64
		q, z, d, both []float64
	}
	all := make([]scratch, max(1, m.workers))
	full := mat.NewSymDense(len(theta), nil)
	curves := func(chunks rows.Span, curve [][]float64) {
		ordered.Merge(m.workers, chunks.To-chunks.From, func(w, i int) {
			i += chunks.From
			c := &all[w]
			c.cross, c.squares = make([][]float64, len(scales)), make([]float64, len(scales))
			for j := r.Chunks[i].From; j < r.Chunks[i].To; j++ {
				b := r.Blocks[j]
				c.q = sc.Scores(b, c.q[:0])
				c.z, c.d = rescaled(b, c.q, scales, c.z), slices.Grow(c.d[:0], len(c.q))[:len(c.q)]
				m.l.Sum(c.z, b.Y, b.Weight, 0, c.d)
				curve[j] = make([]float64, len(c.q))
				rows.Curves(m.l, b, c.z, chosen, curve[j])
				c.both = c.both[:0]
				for row, l := range b.Level {
					h, q := curve[j][row], c.q[row]
					v := h * scales[l] * q
					if exactly {
						v += c.d[row]
					}
					c.both = append(c.both, v)
					c.squares[l] += h * q * q
					curve[j][row] = h * scales[l] * scales[l]
				}
				for from, to := 0, 0; from < len(b.Level); from = to {
					l := b.Level[from]
					for to = from; to < len(b.Level) && b.Level[to] == l; to++ {
					}
					if c.cross[l] == nil {
						c.cross[l] = make([]float64, len(theta))
					}
					at.Gather(b, rows.Span{From: from, To: to}, c.both[from:to], c.cross[l])
				}
			}
		}, func(w, _ int) {
			floats.Add(squares, all[w].squares)
			for l, v := range all[w].cross {
				if v != nil {
					floats.Add(cross[l], v)
				}
			}
		})
	}
	r.Products(curves, m.workers, full)
	return m.assemble(full, cross, squares)
}

// assemble makes a matrix by the unknowns of its parts: by theta twice, by theta and
// each level's scale, and by each scale twice; all of them sums over the rows.
func (m *scaled) assemble(full *mat.SymDense, cross [][]float64, squares []float64) *mat.SymDense {
	h := mat.NewSymDense(m.size, nil)
	byWeights := m.u.Matrix(full, 1/m.r.Weight, m.ridge)
	for i := range m.weights {
		for j := i; j < m.weights; j++ {
			h.SetSym(i, j, byWeights.At(i, j))
		}
	}
	line := make([]float64, m.weights+1)
	for l, at := range m.place {
		if at < 0 {
			continue
		}
		m.u.Project(cross[l], line)
		for i := range m.weights {
			h.SetSym(i, at, line[i]/m.r.Weight)
		}
		h.SetSym(at, at, squares[l]/m.r.Weight)
	}
	return h
}

// metric factors the exact Hessian, or its positive part where that is not positive
// definite.
func (m *scaled) metric(x []float64) (*minimise.Metric, error) {
	got, err := minimise.MetricOf(m.hessian(x, true))
	if err != nil {
		return minimise.MetricOf(m.hessian(x, false))
	}
	return got, nil
}

// minimise finds the minimum near x.
func (m *scaled) minimise(ctx context.Context, x []float64, tolerance float64) (minimise.Minimum, error) {
	defer progress.Phase(ctx, "fit: solve by scales").Done()
	return minimise.Rounds(ctx, m.objective, x, func(_ int, x []float64) (*minimise.Metric, int, error) {
		metric, err := m.metric(x)
		return metric, 0, err
	}, tolerance, nil)
}

// penalty returns the curvature of the ridge, of the sum over the rows.
func (m *scaled) penalty() *mat.SymDense {
	n := m.r.Design.Size()
	cross := make([][]float64, len(m.place))
	for l := range cross {
		cross[l] = make([]float64, n)
	}
	out := m.assemble(mat.NewSymDense(n, nil), cross, make([]float64, len(m.place)))
	out.ScaleSym(m.r.Weight, out)
	return out
}

// gameScores is meat.Of for the unknowns of m.
func (m *scaled) gameScores(x []float64) meat.GameScores {
	return func(of meat.Wanted, start func(w int), visit func(w int, g meat.Games), merge func(w int)) {
		theta, scales := m.split(x)
		sc, at, before := m.r.Scorer(theta), m.r.Layout(), m.r.GamesBefore()
		type scratch struct {
			u, grad, byScale, q, z, d []float64
			t                         rows.Tables
		}
		all := make([]scratch, max(1, m.workers))
		ordered.Merge(m.workers, len(m.r.Chunks), func(w, i int) {
			c := &all[w]
			if c.u == nil {
				c.u, c.grad, c.byScale = make([]float64, m.size), make([]float64, len(theta)), make([]float64, len(scales))
				c.t = m.r.NewTables()
			}
			start(w)
			for j := m.r.Chunks[i].From; j < m.r.Chunks[i].To; j++ {
				b := m.r.Blocks[j]
				c.q = sc.Scores(b, c.q[:0])
				c.z, c.d = rescaled(b, c.q, scales, c.z), slices.Grow(c.d[:0], len(c.q))[:len(c.q)]
				m.l.Sum(c.z, b.Y, b.Weight, 0, c.d)
				from := 0
				for number, run := range b.Games {
					if !of.Visits(before[j] + number) {
						from = run.End
						continue
					}
					clear(c.grad)
					clear(c.byScale)
					for row := from; row < run.End; row++ {
						l := b.Level[row]
						c.byScale[l] += c.d[row] * c.q[row]
						c.d[row] *= scales[l]
					}
					game := rows.Span{From: from, To: run.End}
					at.Gather(b, game, c.d[from:run.End], c.grad)
					m.join(c.grad, c.byScale, c.u)
					visit(w, meat.Games{At: []int{before[j] + number}, N: m.size, U: c.u, Along: func(_ int, v []float64) float64 { return m.curvature(at, b, game, scales, c.q, c.z, c.t, v) }})
					from = run.End
				}
			}
		}, func(w, _ int) { merge(w) })
	}
}

// curvature returns the second derivative of the loss of a game's rows along v, scores
// being taken as linear in the unknowns. q are the rows' evaluations, z their scores.
func (m *scaled) curvature(at *rows.Layout, b *rows.Block, game rows.Span, scales, q, z []float64, t rows.Tables, v []float64) (sum float64) {
	direction := make([]float64, m.r.Design.Size())
	m.u.Direction(append(slices.Clone(v[:m.weights]), 0), direction)
	for i, dq := range at.Dots(b, game, direction, t, nil) {
		row := game.From + i
		l := b.Level[row]
		ds := 0.0
		if at := m.place[l]; at >= 0 {
			ds = v[at]
		}
		dz := scales[l]*dq + q[row]*ds
		sum += b.WeightOf(row) * m.l.At(z[row], float64(b.Y[row]), 0).Exact * dz * dz
	}
	return sum
}
