package clogit

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"kifu/internal/logit"
	"kifu/internal/ordered"
)

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
func (d *Data[X]) Fit(ridge float64, workers int) (*Fit, error) {
	if d.Len() == 0 {
		return nil, errors.New("no decision to fit to")
	}
	ridges := make([]float64, d.columns)
	for j := range ridges {
		ridges[j] = ridge
	}
	m := d.Model(ridges, workers)
	beta, err := m.Maximise(make([]float64, d.columns))
	if err != nil {
		return nil, fmt.Errorf("a conditional logit of %d features and %d decisions: %w", d.columns, d.Len(), err)
	}
	f := &Fit{Beta: beta, Decisions: d.Len()}
	f.LogLoss = -m.likelihood(beta) / float64(d.Len())
	var c *mat.SymDense
	if c, f.Groups = m.Covariance(beta); c != nil {
		f.SE = make([]float64, d.columns)
		for j := range f.SE {
			f.SE[j] = math.Sqrt(max(c.At(j, j), 0))
		}
	}
	return f, nil
}

// Model is the likelihood less half the sum of a ridge times the square of β, column by column, at the β
// that Set was given last; a logit.Model.
type Model[X Number] struct {
	*Data[X]
	ridge   []float64
	workers int
	beta    []float64
}

// Model returns the likelihood of the decisions with a ridge for each column, summed by so many workers.
// Its results do not depend on their number.
func (d *Data[X]) Model(ridge []float64, workers int) *Model[X] {
	return &Model[X]{d, ridge, workers, make([]float64, d.columns)}
}

// Maximise returns the β of the maximum, from a starting point. With a ridge for every column the function is strictly concave.
func (m *Model[X]) Maximise(from []float64) ([]float64, error) { return logit.Maximise(m, from) }

// decisionsAPiece is how many decisions one worker sums at once.
const decisionsAPiece = 512

func (m *Model[X]) pieces() int { return (m.Len() + decisionsAPiece - 1) / decisionsAPiece }

func (m *Model[X]) each(piece int, f func(i int)) {
	for i := piece * decisionsAPiece; i < min(m.Len(), (piece+1)*decisionsAPiece); i++ {
		f(i)
	}
}

func (m *Model[X]) likelihood(beta []float64) (sum float64) {
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
func (m *Model[X]) Set(beta []float64) float64 {
	copy(m.beta, beta)
	sum := m.likelihood(beta)
	for j, b := range beta {
		sum -= m.ridge[j] * b * b / 2
	}
	return sum
}

// sums holds the sums of one worker.
type sums struct {
	p, mean, gradient, hessian []float64 // hessian is the upper triangle in a square
}

// Step implements logit.Model.
func (m *Model[X]) Step(step []float64) (float64, error) {
	gradient, hessian := m.Derivatives()
	return logit.Solve(step, gradient, hessian)
}

// Derivatives returns the gradient and minus the Hessian at β.
func (m *Model[X]) Derivatives() ([]float64, *mat.SymDense) {
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
		gradient[j] -= m.ridge[j] * m.beta[j]
		hessian[j*n+j] += m.ridge[j]
	}
	return gradient, mat.NewSymDense(n, hessian)
}

// add adds the score of decision i and the covariance of its rows under the chances.
func (m *Model[X]) add(s *sums, i int) {
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

// Covariance returns the covariance of β, robust against the dependence of decisions of one group: the
// inverse Hessian on both sides of the sum of squared scores by group (Huber 1967), times
// G/(G-1) for G groups; and G. It is nil for fewer than two groups.
func (m *Model[X]) Covariance(beta []float64) (c *mat.SymDense, groups int) {
	copy(m.beta, beta)
	_, hessian := m.Derivatives()
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
	c = mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			c.SetSym(i, j, (all.At(i, j)+all.At(j, i))/2*float64(groups)/float64(groups-1))
		}
	}
	return c, groups
}
