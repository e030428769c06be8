package learn

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"kifu/schemas"
	"kifu/search"
)

// rival is another explanation of the same decisions.
type rival struct {
	choice
	decisions []ranked
}

// misfit tests the choice c by the values of the decisions; rivals have the same decisions by others. It
// returns nil for too few games.
//
// If c is true, what a rival says of a move tells nothing more: ln P(move) by the rival has, over the moves
// played, the mean that c expects (the test of separate families of Cox, J. R. Statist. Soc. B 24, 1962,
// 406–424). It is the score test of c in the exponential mixture of both (Atkinson, J. R. Statist. Soc. B 32,
// 1970, 323–353), of all rivals together.
func misfit(decisions []ranked, c choice, rivals []rival) *schemas.LearnMisfit {
	var scores, nuisance [][]float64
	for i := 0; i < len(decisions); {
		u, w := make([]float64, len(rivals)), make([]float64, 2)
		for game := decisions[i].game; i < len(decisions) && decisions[i].game == game; i++ {
			c.addScores(i, decisions[i], rivals, u, w)
		}
		scores, nuisance = append(scores, u), append(nuisance, w)
	}
	residuals := orthogonal(scores, nuisance)
	f, weights, ok := hotelling(residuals)
	games := len(scores)
	if !ok {
		return nil
	}
	m := &schemas.LearnMisfit{F: f, Weights: weights, Games: games, Tempered: 1}
	m.P = 1 - distuv.F{D1: float64(weights), D2: float64(games - weights)}.CDF(f)
	if m.Rejected() {
		m.Tempered = max(1, f)
	}
	return m
}

// addScores adds the derivatives of the log-likelihood of decision i, which is d: u by the weight of what each
// rival says, w by 1/temperature and by the lapse.
func (c choice) addScores(i int, d ranked, rivals []rival, u, w []float64) {
	n := float64(len(d.values))
	q := c.shares(d.values)
	p := c.lapse/n + (1-c.lapse)*q[d.chosen]
	part := (1 - c.lapse) * q[d.chosen] / p
	expected := 0.0
	for j, v := range d.values {
		expected += q[j] * float64(v)
	}
	w[0] += part * (float64(d.values[d.chosen]) - expected)
	w[1] += (1/n - q[d.chosen]) / p
	for k, r := range rivals {
		chances := r.shares(r.decisions[i].values)
		says := func(j int) float64 { return math.Log(r.lapse/n + (1-r.lapse)*chances[j]) }
		expected := 0.0
		for j := range q {
			expected += q[j] * says(j)
		}
		u[k] += part * (says(d.chosen) - expected)
	}
}

// shares returns the chances of all moves without lapse.
func (c choice) shares(values []int32) []float64 {
	best := values[0]
	for _, v := range values {
		best = max(best, v)
	}
	q, sum := make([]float64, len(values)), 0.0
	for j, v := range values {
		q[j] = math.Exp(float64(v-best) / (c.temperature * search.Grain))
		sum += q[j]
	}
	for j := range q {
		q[j] /= sum
	}
	return q
}

// orthogonal returns the rows of u less their regression on those of w, over games: what
// estimating temperature and lapse takes from the scores.
func orthogonal(u, w [][]float64) [][]float64 {
	rows, columns := len(u), len(w[0])
	x := mat.NewDense(rows, columns, nil)
	for i, row := range w {
		x.SetRow(i, row)
	}
	var svd mat.SVD
	if !svd.Factorize(x, mat.SVDThin) {
		return u
	}
	var base mat.Dense
	svd.UTo(&base)
	sizes := svd.Values(nil)
	out := make([][]float64, rows)
	for i := range out {
		out[i] = append([]float64(nil), u[i]...)
	}
	for k := range out[0] {
		for a, size := range sizes {
			if size <= 1e-9*sizes[0] {
				continue
			}
			along := 0.0
			for i := range out {
				along += base.At(i, a) * u[i][k]
			}
			for i := range out {
				out[i][k] -= along * base.At(i, a)
			}
		}
	}
	return out
}

// hotelling returns F of the hypothesis that the rows, one per game, have the mean 0, and how
// many columns have a variance of their own; ok is false for less than three games a column.
func hotelling(rows [][]float64) (f float64, rank int, ok bool) {
	n := len(rows)
	columns := len(rows[0])
	if n < 3*columns || n < 3 {
		return 0, 0, false
	}
	mean, cov := make([]float64, columns), mat.NewSymDense(columns, nil)
	for _, r := range rows {
		for k, v := range r {
			mean[k] += v / float64(n)
		}
	}
	for _, r := range rows {
		for a := range columns {
			for b := a; b < columns; b++ {
				cov.SetSym(a, b, cov.At(a, b)+(r[a]-mean[a])*(r[b]-mean[b])/float64(n-1))
			}
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(cov, true) {
		return 0, 0, false
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	values, t := eigen.Values(nil), 0.0
	for a, v := range values {
		if v <= 1e-8*values[columns-1] || v <= 0 {
			continue // candidates whose best moves are the same
		}
		along := 0.0
		for k := range columns {
			along += vectors.At(k, a) * mean[k]
		}
		t += float64(n) * along * along / v
		rank++
	}
	if rank == 0 {
		return 0, 0, false
	}
	return t * float64(n-rank) / float64(rank*(n-1)), rank, true
}
