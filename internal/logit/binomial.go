package logit

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"kifu/internal/panels"
)

// Row is N games with the same regressors, of which Won were won; halves are allowed.
type Row struct {
	X      []float64
	N, Won float64
}

// Probability returns the probability with the log-odds x.
func Probability(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// Fit returns θ of logit P(win) = x·θ with the largest likelihood, from a start of as many
// unknowns as rows have regressors. It is for the caller to know that the maximum is
// finite: wins and losses must overlap. With an error it returns the last place.
func Fit(rows []Row, start []float64) ([]float64, error) {
	k := len(start)
	b := &binomial{rows: rows, p: make([]float64, len(rows)), gradient: make([]float64, k), hessian: mat.NewSymDense(k, nil)}
	return Maximise(b, start)
}

// binomial is the likelihood of wins and losses, a Model.
type binomial struct {
	rows     []Row
	p        []float64 // by row, where Set moved to
	gradient []float64
	hessian  *mat.SymDense
	factor   panels.Cholesky
}

func (b *binomial) Set(theta []float64) (sum float64) {
	for i, r := range b.rows {
		if r.N <= 0 {
			continue
		}
		eta := 0.0
		for j, x := range r.X {
			eta += x * theta[j]
		}
		b.p[i] = Probability(eta)
		// log(1 + exp(η)), without overflow.
		sum += r.Won*eta - r.N*(math.Max(eta, 0)+math.Log1p(math.Exp(-math.Abs(eta))))
	}
	return sum
}

func (b *binomial) Step(step []float64) (float64, error) {
	clear(b.gradient)
	b.hessian.Zero()
	raw := b.hessian.RawSymmetric()
	for i, r := range b.rows {
		if r.N <= 0 {
			continue
		}
		p := b.p[i]
		for a, x := range r.X {
			if x == 0 {
				continue
			}
			b.gradient[a] += x * (r.Won - r.N*p)
			line, weight := raw.Data[a*raw.Stride:], x*r.N*p*(1-p)
			for c := a; c < len(r.X); c++ {
				line[c] += weight * r.X[c]
			}
		}
	}
	return Solve(&b.factor, step, b.gradient, b.hessian)
}
