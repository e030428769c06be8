// Package clogit fits the conditional logit (McFadden, "Conditional Logit Analysis of
// Qualitative Choice Behavior", 1974) to many decisions with few sparse features:
//
//	P(move i) = exp(β·x_i) / Σ_j exp(β·x_j)
//
// by Newton's method, with errors that know which decisions belong to one game. Decisions
// lie end to end in memory and are summed by several workers in a fixed order.
package clogit

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"kifu/internal/logit"
	"kifu/internal/ordered"
)

// Data are decisions: rows of features, one row per move.
type Data struct {
	columns int
	group   []int64 // of each decision
	chosen  []int32 // among its rows
	rows    []int   // where the rows of each decision end
	cells   []int   // where the cells of each row end
	column  []uint16
	x       []float32
}

// New returns decisions with features in so many columns, and no decision.
func New(columns int) *Data { return &Data{columns: columns} }

// Add adds a feature to the row that is being written.
func (d *Data) Add(column int, x float64) {
	if x != 0 {
		d.column, d.x = append(d.column, uint16(column)), append(d.x, float32(x))
	}
}

// EndRow ends the row of a move.
func (d *Data) EndRow() { d.cells = append(d.cells, len(d.column)) }

// End ends a decision of a group (a game), in which the move of row chosen was played.
func (d *Data) End(group int64, chosen int) {
	d.group, d.chosen, d.rows = append(d.group, group), append(d.chosen, int32(chosen)), append(d.rows, len(d.cells))
}

// Append adds the decisions of another, with as many columns.
func (d *Data) Append(o *Data) {
	cell, row := len(d.column), len(d.cells)
	d.column, d.x = append(d.column, o.column...), append(d.x, o.x...)
	for _, end := range o.cells {
		d.cells = append(d.cells, cell+end)
	}
	for _, end := range o.rows {
		d.rows = append(d.rows, row+end)
	}
	d.group, d.chosen = append(d.group, o.group...), append(d.chosen, o.chosen...)
}

// Len returns the number of decisions.
func (d *Data) Len() int { return len(d.rows) }

// from returns the first row of decision i, cellsFrom the first cell of row r.
func (d *Data) from(i int) int {
	if i == 0 {
		return 0
	}
	return d.rows[i-1]
}

func (d *Data) cellsFrom(r int) int {
	if r == 0 {
		return 0
	}
	return d.cells[r-1]
}

// Chances writes the probabilities of the moves of decision i to p, and returns them with the
// logarithm of that of the move played.
func (d *Data) Chances(i int, beta, p []float64) (log float64, _ []float64) {
	p = p[:0]
	most := math.Inf(-1)
	for r := d.from(i); r < d.rows[i]; r++ {
		v := 0.0
		for c := d.cellsFrom(r); c < d.cells[r]; c++ {
			v += beta[d.column[c]] * float64(d.x[c])
		}
		p, most = append(p, v), max(most, v)
	}
	log, sum := p[d.chosen[i]]-most, 0.0
	for j, v := range p {
		p[j] = math.Exp(v - most)
		sum += p[j]
	}
	for j := range p {
		p[j] /= sum
	}
	return log - math.Log(sum), p
}

// Fit is the result of a fit.
type Fit struct {
	Beta      []float64
	SE        []float64 // robust, by group; nil for less than two groups
	LogLoss   float64   // mean of -ln P(the move played), in nats, on the decisions fitted to
	Decisions int
	Groups    int
}

// Fit maximises the likelihood less half of ridge times the sum of squares of β, which keeps a
// column without support at 0. Rows must be fewer than 2³¹ and columns than 2¹⁶.
func (d *Data) Fit(ridge float64, workers int) (*Fit, error) {
	if d.Len() == 0 {
		return nil, errors.New("no decision to fit to")
	}
	m := &model{Data: d, ridge: ridge, workers: workers, beta: make([]float64, d.columns)}
	beta, err := logit.Maximise(m, make([]float64, d.columns))
	if err != nil {
		return nil, fmt.Errorf("a conditional logit of %d features and %d decisions: %w", d.columns, d.Len(), err)
	}
	f := &Fit{Beta: beta, Decisions: d.Len()}
	f.LogLoss = -m.likelihood(beta) / float64(d.Len())
	f.SE, f.Groups = m.errors(beta)
	return f, nil
}

// model is the likelihood at the β that Newton's method is at.
type model struct {
	*Data
	ridge   float64
	workers int
	beta    []float64
}

// decisionsAPiece is how many decisions one worker sums at once.
const decisionsAPiece = 512

func (m *model) pieces() int { return (m.Len() + decisionsAPiece - 1) / decisionsAPiece }

func (m *model) each(piece int, f func(i int)) {
	for i := piece * decisionsAPiece; i < min(m.Len(), (piece+1)*decisionsAPiece); i++ {
		f(i)
	}
}

func (m *model) likelihood(beta []float64) (sum float64) {
	parts, p := make([]float64, m.workers), make([][]float64, m.workers)
	ordered.Merge(m.workers, m.pieces(), func(w, piece int) {
		parts[w] = 0
		m.each(piece, func(i int) {
			var log float64
			log, p[w] = m.Chances(i, beta, p[w])
			parts[w] += log
		})
	}, func(w, _ int) { sum += parts[w] })
	return sum
}

// Set implements logit.Model.
func (m *model) Set(beta []float64) float64 {
	copy(m.beta, beta)
	sum := m.likelihood(beta)
	for _, b := range beta {
		sum -= m.ridge * b * b / 2
	}
	return sum
}

// sums are what one worker adds up.
type sums struct {
	p, mean, gradient, hessian []float64 // hessian is the upper triangle in a square
}

// Step implements logit.Model.
func (m *model) Step(step []float64) (float64, error) {
	gradient, hessian := m.derivatives()
	return logit.Solve(step, gradient, hessian)
}

// derivatives returns the gradient and minus the Hessian at β.
func (m *model) derivatives() ([]float64, *mat.SymDense) {
	n := m.columns
	gradient, hessian := make([]float64, n), make([]float64, n*n)
	all := make([]sums, m.workers)
	for w := range all {
		all[w] = sums{mean: make([]float64, n), gradient: make([]float64, n), hessian: make([]float64, n*n)}
	}
	ordered.Merge(m.workers, m.pieces(), func(w, piece int) {
		s := &all[w]
		clear(s.gradient)
		clear(s.hessian)
		m.each(piece, func(i int) { m.add(s, i) })
	}, func(w, _ int) {
		for j, g := range all[w].gradient {
			gradient[j] += g
		}
		for j, h := range all[w].hessian {
			hessian[j] += h
		}
	})
	for j := range n {
		gradient[j] -= m.ridge * m.beta[j]
		hessian[j*n+j] += m.ridge
	}
	return gradient, mat.NewSymDense(n, hessian)
}

// add adds the score of decision i and the covariance of its rows under the chances.
func (m *model) add(s *sums, i int) {
	_, s.p = m.Chances(i, m.beta, s.p)
	clear(s.mean)
	from := m.from(i)
	for j, p := range s.p {
		weight := -p
		if j == int(m.chosen[i]) {
			weight++
		}
		cells := m.column[m.cellsFrom(from+j):m.cells[from+j]]
		x := m.x[m.cellsFrom(from+j):m.cells[from+j]]
		for a, column := range cells {
			xa := float64(x[a])
			s.gradient[column] += weight * xa
			s.mean[column] += p * xa
			line := s.hessian[int(column)*m.columns:]
			for b, other := range cells {
				if other >= column {
					line[other] += p * xa * float64(x[b])
				}
			}
		}
	}
	for a, x := range s.mean {
		if x == 0 {
			continue
		}
		line := s.hessian[a*m.columns:]
		for b := a; b < m.columns; b++ {
			line[b] -= x * s.mean[b]
		}
	}
}

// errors returns standard errors robust against the dependence of decisions of one group: the
// inverse Hessian on both sides of the sum of squared scores by group (Huber 1967), times
// G/(G-1) for G groups.
func (m *model) errors(beta []float64) (se []float64, groups int) {
	copy(m.beta, beta)
	_, hessian := m.derivatives()
	var factor mat.Cholesky
	n := m.columns
	meat := mat.NewSymDense(n, nil)
	s := &sums{mean: make([]float64, n), gradient: make([]float64, n), hessian: make([]float64, n*n)}
	score := map[int64][]float64{}
	var order []int64
	for i := range m.Len() {
		clear(s.gradient)
		m.add(s, i)
		of := score[m.group[i]]
		if of == nil {
			of = make([]float64, n)
			score[m.group[i]] = of
			order = append(order, m.group[i])
		}
		for j, g := range s.gradient {
			of[j] += g
		}
	}
	groups = len(order)
	if groups < 2 || !factor.Factorize(hessian) {
		return nil, groups
	}
	for _, g := range order {
		meat.SymRankOne(meat, 1, mat.NewVecDense(n, score[g]))
	}
	inverse := mat.NewSymDense(n, nil)
	if err := factor.InverseTo(inverse); err != nil {
		var condition mat.Condition
		if !errors.As(err, &condition) {
			return nil, groups
		}
	}
	var half, all mat.Dense
	half.Mul(inverse, meat)
	all.Mul(&half, inverse)
	se = make([]float64, n)
	for j := range se {
		se[j] = math.Sqrt(max(all.At(j, j), 0) * float64(groups) / float64(groups-1))
	}
	return se, groups
}
