package search

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"kifu/internal/logit"
	"kifu/internal/panels"
	"kifu/report/split/conditions"
)

// nullModel is the model that the search assumes: the total curve of all games, and the splits that
// were taken so far with a shift and a slope each,
//
//	logit P(win) = f(v) + Σ over splits of (d + h·v)·c.
type nullModel struct {
	axis  *axis
	taken []conditions.Condition
	theta []float64 // of f at the knots, then two numbers a split
	cells []*cell   // of the sample
	of    []int32   // the cell of a row of the sample
}

// unknowns is the number of the model's.
func (m *nullModel) unknowns() int { return m.axis.knots + 2*len(m.taken) }

// regressors appends a position's regressors that are not 0, and their unknowns; has reports whether a split
// holds there.
func (m *nullModel) regressors(at []int32, x []float64, part int, has func(split int) bool) ([]int32, []float64) {
	h := m.axis.hats[part]
	at, x = append(at, int32(h.knot), int32(h.knot+1)), append(x, h.left, h.right)
	for i := range m.taken {
		if has(i) {
			unknown := int32(m.axis.knots + 2*i)
			at, x = append(at, unknown, unknown+1), append(x, 1, m.axis.slope[part])
		}
	}
	return at, x
}

// cell is the positions of the sample with the same regressors.
type cell struct {
	at     []int32
	x      []float64
	n, won float64
	p      float64
}

// newNull fits the model to the sample of rows, in which taken hold in these.
func newNull(x *axis, v *survey, taken []conditions.Condition, rows []bitset) *nullModel {
	m := &nullModel{axis: x, taken: taken}
	cells, of := m.cellsOf(v, rows)
	l := &cellLikelihood{cells: slices.Clone(cells), gradient: make([]float64, m.unknowns()), information: mat.NewSymDense(m.unknowns(), nil)}
	// The guard of fitLogit: half a win and half a loss at a unit of every regressor.
	for i := range m.unknowns() {
		l.cells = append(l.cells, &cell{at: []int32{int32(i)}, x: []float64{1}, n: 1, won: 0.5})
	}
	start := append(slices.Clone(x.theta[both]), make([]float64, 2*len(taken))...)
	m.theta, _ = logit.Maximise(l, start) // with the guard there is a maximum
	l.Set(m.theta)
	m.cells, m.of = cells, of
	return m
}

// cellsOf groups rows of the sample with the same regressors; of is each row's group.
func (m *nullModel) cellsOf(v *survey, rows []bitset) (cells []*cell, of []int32) {
	number := map[string]int32{}
	of = make([]int32, len(v.rows))
	key := make([]byte, 0, 64)
	for i, f := range v.at {
		part := m.axis.part(f)
		key = append(key[:0], byte(part), byte(part>>8))
		for k, set := range rows {
			if set.has(i) {
				key = append(key, byte(k), byte(k>>8))
			}
		}
		c, ok := number[string(key)]
		if !ok {
			c = int32(len(cells))
			number[string(key)] = c
			one := &cell{}
			one.at, one.x = m.regressors(nil, nil, part, func(k int) bool { return rows[k].has(i) })
			cells = append(cells, one)
		}
		of[i] = c
		cells[c].n++
		cells[c].won += float64(v.won[i]) / 2
	}
	return cells, of
}

// cellLikelihood is the likelihood of wins and losses in cells, a logit.Model.
type cellLikelihood struct {
	cells       []*cell
	gradient    []float64
	information *mat.SymDense
	factor      panels.Cholesky
}

func (l *cellLikelihood) Set(theta []float64) (sum float64) {
	for _, c := range l.cells {
		eta := 0.0
		for j, at := range c.at {
			eta += c.x[j] * theta[at]
		}
		c.p = logit.Probability(eta)
		sum += c.won*eta - c.n*(math.Max(eta, 0)+math.Log1p(math.Exp(-math.Abs(eta))))
	}
	return sum
}

func (l *cellLikelihood) Step(step []float64) (float64, error) {
	clear(l.gradient)
	l.information.Zero()
	for _, c := range l.cells {
		for j, at := range c.at {
			l.gradient[at] += c.x[j] * (c.won - c.n*c.p)
		}
		c.addInformation(l.information, c.n*c.p*(1-c.p))
	}
	return logit.Solve(&l.factor, step, l.gradient, l.information)
}

// addInformation adds the information of positions with a total weight. Regressors ascend.
func (c *cell) addInformation(to *mat.SymDense, weight float64) {
	raw := to.RawSymmetric()
	for j, at := range c.at {
		line, w := raw.Data[int(at)*raw.Stride:], weight*c.x[j]
		for k := j; k < len(c.at); k++ {
			line[c.at[k]] += w * c.x[k]
		}
	}
}
