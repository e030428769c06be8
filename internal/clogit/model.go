package clogit

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kifu/internal/logit"
	"kifu/internal/ordered"
	"kifu/internal/panels"
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
	m := d.Model(slices.Repeat([]float64{ridge}, d.Unknowns()), workers)
	beta, err := m.Maximise(m.centre)
	if err != nil {
		return nil, err
	}
	return m.at(beta), nil
}

// at returns the fit of weights that are at the maximum.
func (m *Model[X]) at(beta []float64) *Fit {
	f := &Fit{Beta: beta, Decisions: m.Len()}
	f.LogLoss = -m.likelihood(beta) / float64(m.Len())
	var squares []float64
	f.Groups = m.influences(beta, func(of []float64) {
		if squares == nil {
			squares = make([]float64, len(of))
		}
		for j, x := range of {
			squares[j] += x * x
		}
	})
	for _, s := range squares {
		f.SE = append(f.SE, math.Sqrt(s))
	}
	return f
}

// FitNear returns the β with the largest penalised likelihood, from a starting point. Column by
// column the penalty is half the ridge times the squared difference of β from centre.
func (d *Data[X]) FitNear(ridge, centre, from []float64, workers int) ([]float64, error) {
	m := d.Model(ridge, workers)
	m.centre = centre
	return m.Maximise(from)
}

// Model is the likelihood less half the sum of a ridge times the square of β less its centre, column by column, at the β
// that Set was given last; a logit.Model.
type Model[X Number] struct {
	*Data[X]
	ridge   []float64
	centre  []float64
	workers int
	beta    []float64
	// memory of the last step
	factor panels.Cholesky
	rise   float64 // that it promised; 0: there was none
	curved []*sums // of each worker
	curves []float64
}

// Model returns the likelihood of the decisions with a ridge for each column about 0, summed by so many workers.
// Its results do not depend on their number.
func (d *Data[X]) Model(ridge []float64, workers int) *Model[X] {
	return &Model[X]{Data: d, ridge: ridge, centre: make([]float64, d.Unknowns()), workers: workers, beta: make([]float64, d.Unknowns())}
}

// Maximise returns the β of the maximum, from a starting point. With a ridge for every column the function is strictly concave.
func (m *Model[X]) Maximise(from []float64) ([]float64, error) {
	m.rise = 0
	beta, err := logit.Maximise(m, from)
	if err != nil {
		return nil, fmt.Errorf("a conditional logit of %d features and %d decisions: %w", m.columns, m.Len(), err)
	}
	return beta, nil
}

// decisionsAPiece is how many decisions one worker sums at once.
const decisionsAPiece = 512

func (m *Model[X]) pieces() int { return (m.Len() + decisionsAPiece - 1) / decisionsAPiece }

func (m *Model[X]) eachDecision(piece int, f func(i int)) {
	for i := piece * decisionsAPiece; i < min(m.Len(), (piece+1)*decisionsAPiece); i++ {
		f(i)
	}
}

func (m *Model[X]) likelihood(beta []float64) (sum float64) {
	parts, p, weights := make([]float64, m.workers), make([][]float64, m.workers), make([][]float64, m.workers)
	ordered.Merge(m.workers, m.pieces(), func(w, piece int) {
		parts[w] = 0
		m.eachDecision(piece, func(i int) {
			var log float64
			weights[w] = m.in(i, beta, weights[w])
			log, p[w] = m.chances(i, weights[w], p[w])
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
		sum -= m.ridge[j] * (b - m.centre[j]) * (b - m.centre[j]) / 2
	}
	return sum
}

// chord is the share of the last step's rise below which a step by the last Hessian is good enough: the gradient takes far less
// time than the Hessian.
const chord = 1.0 / 32

// Step implements logit.Model. Near the maximum the Hessian of an earlier step does (Kelley, Iterative Methods for Linear and
// Nonlinear Equations, 1995, section 5.4).
func (m *Model[X]) Step(step []float64) (float64, error) {
	if m.rise > 0 {
		_, gradient, _ := m.derivatives(1, false)
		copy(step, gradient)
		m.factor.Solve(step)
		if rise := floats.Dot(step, gradient); rise < chord*m.rise {
			m.rise = rise
			return rise, nil
		}
	}
	gradient, hessian := m.Derivatives()
	var err error
	m.rise, err = logit.Solve(&m.factor, step, gradient, hessian)
	return m.rise, err
}

// Derivatives returns the gradient and minus the Hessian at β, which the next step overwrites.
func (m *Model[X]) Derivatives() ([]float64, *mat.SymDense) {
	_, gradient, hessian := m.derivatives(1, true)
	return gradient, hessian
}

// derivatives returns the value at β, the gradient and, if asked for, minus the Hessian, as every nth decision has them, each
// for n.
func (m *Model[X]) derivatives(nth int, curvature bool) (value float64, gradient []float64, hessian *mat.SymDense) {
	n := len(m.beta)
	gradient = make([]float64, n)
	var curves []float64
	all, logs := make([]*sums, m.workers), make([]float64, m.workers)
	if curvature {
		if m.curves == nil {
			m.curves, m.curved = make([]float64, n*n), make([]*sums, m.workers)
			for w := range m.curved {
				m.curved[w] = m.newSums(true)
			}
		}
		all, curves = m.curved, m.curves
		clear(curves)
	} else {
		for w := range all {
			all[w] = m.newSums(false)
		}
	}
	ordered.Merge(m.workers, m.pieces(), func(w, piece int) {
		all[w].clear()
		logs[w] = 0
		m.eachDecision(piece, func(i int) {
			if i%nth == 0 {
				logs[w] += m.add(all[w], i)
			}
		})
	}, func(w, _ int) {
		value += float64(nth) * logs[w]
		for j, g := range all[w].gradient {
			gradient[j] += float64(nth) * g
		}
		for j, h := range all[w].hessian {
			curves[j] += float64(nth) * h
		}
	})
	for j, b := range m.beta {
		off := b - m.centre[j]
		value -= m.ridge[j] * off * off / 2
		gradient[j] -= m.ridge[j] * off
		if curvature {
			curves[j*n+j] += m.ridge[j]
		}
	}
	if curvature {
		hessian = mat.NewSymDense(n, curves)
	}
	return value, gradient, hessian
}

// Influences returns how far each group moves β: its score times the inverse Hessian and √(G/(G-1)) for G groups. The sum
// of their outer products is the covariance of β that is robust against the dependence of decisions of one group (Huber 1967).
// There are none for fewer than two groups.
func (m *Model[X]) Influences(beta []float64) (all [][]float64) {
	m.influences(beta, func(of []float64) { all = append(all, slices.Clone(of)) })
	return all
}

// influences calls take with each influence, which it overwrites then, and returns the number of groups.
func (m *Model[X]) influences(beta []float64, take func(of []float64)) (groups int) {
	copy(m.beta, beta)
	order, groups := m.byGroup()
	if groups < 2 {
		return groups
	}
	_, hessian := m.Derivatives()
	if !m.factor.Factorize(hessian) {
		return groups
	}
	s, more := m.newSums(false), math.Sqrt(float64(groups)/float64(groups-1))
	of := make([]float64, len(beta))
	for at, i := range order {
		m.add(s, i)
		if at+1 < len(order) && m.group[order[at+1]] == m.group[i] {
			continue
		}
		floats.ScaleTo(of, more, s.gradient)
		m.factor.Solve(of)
		take(of)
		s.clear()
	}
	return groups
}

// byGroup returns the decisions in the order of the first one of their group, and the number of groups.
func (m *Model[X]) byGroup() (order []int, groups int) {
	first := map[int64]int{}
	for i, g := range m.group {
		order = append(order, i)
		if _, seen := first[g]; !seen {
			first[g] = i
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(first[m.group[a]], first[m.group[b]]) })
	return order, len(first)
}
