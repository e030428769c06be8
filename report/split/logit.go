package split

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// logitRow is n positions with the same regressors, of which won were won.
type logitRow struct {
	x      []float64
	n, won float64
}

// fitLogit is the maximum of the likelihood of logit P(win) = x·theta, by Newton's
// method from start. Half a win and half a loss at a unit of every regressor keep it
// finite and do not move what many positions say.
func fitLogit(rows []logitRow, start []float64) []float64 {
	k := len(start)
	theta := slices.Clone(start)
	for range 50 {
		products, sums := make([]float64, k*k), make([]float64, k)
		add := func(x []float64, n, won float64) {
			eta := 0.0
			for j, a := range x {
				eta += a * theta[j]
			}
			p := logistic(eta)
			for i, a := range x {
				if a == 0 {
					continue
				}
				sums[i] += a * (won - n*p)
				for j, b := range x[i:] {
					products[i*k+i+j] += a * b * n * p * (1 - p)
				}
			}
		}
		for _, r := range rows {
			if r.n > 0 {
				add(r.x, r.n, r.won)
			}
		}
		for i := range k {
			unit := make([]float64, k)
			unit[i] = 1
			add(unit, 1, 0.5)
			products[i*k+i] += 1e-9
		}
		var c mat.Cholesky
		step := mat.NewVecDense(k, nil)
		if !c.Factorize(mat.NewSymDense(k, products)) || c.SolveVecTo(step, mat.NewVecDense(k, sums)) != nil {
			break
		}
		// Far from the maximum a full step can overshoot to where everything is certain.
		largest := mat.Norm(step, math.Inf(1))
		scale := math.Min(1, 3/math.Max(largest, 1e-300))
		for i := range theta {
			theta[i] += scale * step.AtVec(i)
		}
		if largest < 1e-10 {
			break
		}
	}
	return theta
}
