package learn

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"kifu/schemas"
	"kifu/search"
)

// rival is another explanation of the same decisions.
type rival struct {
	choice
	decisions []ranked
	deeper    bool // looks a ply further than the candidates; unknown values are nil
}

// misfit tests the choice c, with its values of the decisions, against rivals with other values of the same
// decisions. It returns nil for too few games.
//
// If c is true, a rival's prediction of a move adds nothing: ln P(move) by the rival has, over the moves
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
	h, ok := hotellingOf(residuals)
	games := len(scores)
	if !ok {
		return nil
	}
	f, weights := h.f(h.mean), h.rank
	m := &schemas.LearnMisfit{F: f, Weights: weights, Games: games, Tempered: 1}
	m.P = 1 - distuv.F{D1: float64(weights), D2: float64(games - weights)}.CDF(f)
	if m.Rejected() {
		m.Tempered = max(1, f)
	}
	if rivals[len(rivals)-1].deeper {
		m.Power = c.power(decisions, rivals, &h, scores, nuisance)
	}
	return m
}

// power returns the chance that the test rejects c at 5 % if the moves are chosen by the last of the rivals,
// which has values for some of the decisions. It uses the noncentral F distribution at the mean of the scores
// under that rival, less the part that temperature and lapse explain.
func (c choice) power(decisions []ranked, rivals []rival, h *hotelling, scores, nuisance [][]float64) *float64 {
	last := len(rivals) - 1
	truth := rivals[last]
	u, w := make([]float64, len(rivals)), make([]float64, 2)
	seen := 0.0
	for i, d := range decisions {
		values := truth.decisions[i].values
		if values == nil {
			continue
		}
		seen++
		n := float64(len(values))
		for j, q := range truth.shares(values) {
			du, dw := make([]float64, len(rivals)), make([]float64, 2)
			moved := d
			moved.chosen = j
			c.addScores(i, moved, rivals, du, dw)
			p := truth.lapse/n + (1-truth.lapse)*q
			for k := range du {
				u[k] += p * du[k]
			}
			w[0], w[1] = w[0]+p*dw[0], w[1]+p*dw[1]
		}
	}
	if seen == 0 {
		return nil
	}
	// Facts of some decisions are used for all, except the last rival's score, which is of these alone.
	all := float64(len(decisions)) / seen
	for k := range u {
		if k < last {
			u[k] *= all
		}
	}
	w[0], w[1] = w[0]*all, w[1]*all
	games := float64(len(scores))
	mean := make([]float64, len(u))
	for k, v := range less(u, w, scores, nuisance) {
		mean[k] = v / games
	}
	shift := h.f(mean) * float64(h.rank) * (games - 1) / (games - float64(h.rank))
	critical := distuv.F{D1: float64(h.rank), D2: games - float64(h.rank)}.Quantile(0.95)
	power := 1 - noncentralF(critical, float64(h.rank), games-float64(h.rank), shift)
	return &power
}

// less returns u less its regression on w, by the scores of the games.
func less(u, w []float64, scores, nuisance [][]float64) []float64 {
	x := mat.NewDense(len(scores), len(w), nil)
	y := mat.NewDense(len(scores), len(u), nil)
	for i := range scores {
		x.SetRow(i, nuisance[i])
		y.SetRow(i, scores[i])
	}
	var svd mat.SVD
	var by mat.Dense
	if !svd.Factorize(x, mat.SVDThin) || svd.Rank(1e-9) == 0 {
		return u
	}
	svd.SolveTo(&by, y, svd.Rank(1e-9))
	out := make([]float64, len(u))
	for k := range u {
		out[k] = u[k]
		for a := range w {
			out[k] -= w[a] * by.At(a, k)
		}
	}
	return out
}

// noncentralF is the distribution function of the noncentral F distribution at x: a Poisson mixture of beta
// distributions.
func noncentralF(x, d1, d2, shift float64) (sum float64) {
	at := d1 * x / (d1*x + d2)
	middle := int(shift / 2)
	reach := 10*int(math.Sqrt(shift/2)+1) + 20
	for j := max(0, middle-reach); j <= middle+reach; j++ {
		chance := distuv.Poisson{Lambda: max(shift/2, 1e-12)}.Prob(float64(j))
		sum += chance * mathext.RegIncBeta(d1/2+float64(j), d2/2, at)
	}
	return sum
}

// addScores adds the derivatives of the log-likelihood of decision i, which is d: to u by the weight of each
// rival's evidence, to w by 1/temperature and by the lapse.
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
		if r.decisions[i].values == nil {
			continue // no evidence here
		}
		chances := r.shares(r.decisions[i].values)
		logChance := func(j int) float64 { return math.Log(r.lapse/n + (1-r.lapse)*chances[j]) }
		expected := 0.0
		for j := range q {
			expected += q[j] * logChance(j)
		}
		u[k] += part * (logChance(d.chosen) - expected)
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

// orthogonal returns the rows of u less their regression on the rows of w, over games: what
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

// hotelling tests that rows, one per game, have the mean 0.
type hotelling struct {
	games   int
	rank    int // columns that have a variance of their own
	mean    []float64
	vectors mat.Dense // principal directions of the covariance
	values  []float64 // variances along these; 0 for candidates whose best moves are the same
}

// hotellingOf returns the test of the rows; ok is false for less than three games a column.
func hotellingOf(rows [][]float64) (h hotelling, ok bool) {
	n := len(rows)
	columns := len(rows[0])
	if n < 3*columns || n < 3 {
		return h, false
	}
	h.games, h.mean = n, make([]float64, columns)
	cov := mat.NewSymDense(columns, nil)
	for _, r := range rows {
		for k, v := range r {
			h.mean[k] += v / float64(n)
		}
	}
	for _, r := range rows {
		for a := range columns {
			for b := a; b < columns; b++ {
				cov.SetSym(a, b, cov.At(a, b)+(r[a]-h.mean[a])*(r[b]-h.mean[b])/float64(n-1))
			}
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(cov, true) {
		return h, false
	}
	eigen.VectorsTo(&h.vectors)
	h.values = eigen.Values(nil)
	most := h.values[columns-1]
	for a, v := range h.values {
		if v <= 1e-8*most || v <= 0 {
			h.values[a] = 0
			continue
		}
		h.rank++
	}
	return h, h.rank > 0
}

// f returns F of a mean.
func (h *hotelling) f(mean []float64) float64 {
	t := 0.0
	for a, v := range h.values {
		if v == 0 {
			continue
		}
		along := 0.0
		for k, m := range mean {
			along += h.vectors.At(k, a) * m
		}
		t += float64(h.games) * along * along / v
	}
	return t * float64(h.games-h.rank) / float64(h.rank*(h.games-1))
}
