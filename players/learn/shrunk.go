package learn

import (
	"math"

	"kifu/internal/lists"
	"kifu/players/learn/simplex"
)

// shrink finds weights near given ones, for players with too few decisions for weights of
// their own: a conditional logit with the value by the given weights as one more column,
//
//	P(move i) = exp(α g_i + β·x_i) / Σ_j exp(α g_j + β·x_j)
//
// less pull/2 Σ s² β² (see logit), with no penalty on α. The weights are g + β/α: a large pull keeps
// the given ones, with their length and stages. The chosen pull predicts held-out games best, with the
// same dominant positions; among equals it is the largest.
func (l *learner[P]) shrink(p *pass) (*solution, error) {
	n := len(l.near.terms)
	decisions := l.alternatives(p, train)
	found := &solution{weights: p.weights}
	if len(decisions) == 0 {
		return found, nil
	}
	seen, unseen := oddsOf(decisions, n+1), oddsOf(l.alternatives(p, held), n+1).pulled(0, n)
	best, beta := math.Inf(-1), make([]float64, n+1)
	var err error
	for _, pull := range shrinkings() {
		pulled := seen.pulled(pull, n)
		if beta, err = pulled.Maximise(beta); err != nil {
			return nil, err
		}
		got := unseen.Set(beta)
		if w, ok := l.near.shrunk(beta); ok && got > best {
			best, found.weights = got, w
			at := beta
			found.influences = func() [][]float64 { return shrunkInfluences(at, pulled.Influences(at)) }
		}
	}
	values := append(append([]float64{}, found.weights...), 1)
	for _, r := range constraints(decisions) {
		found.constraints++
		if simplex.Dot(r, values) <= 0 {
			found.misses++
		}
	}
	return found, nil
}

// shrinkings returns the pulls towards the given weights, the first of them practically
// infinite.
func shrinkings() []float64 { return []float64{1e6, 1e3, 300, 100, 30, 10, 3, 1} }

// shrunk returns the differences β/α, unless these are invalid: with an α of 0 or less the
// player would avoid what the given weights prefer.
func (c *unknowns) shrunk(beta []float64) (w []float64, ok bool) {
	alpha := beta[len(c.terms)]
	w = lists.Of(beta[:len(c.terms)], func(b float64) float64 { return b / alpha })
	for _, v := range c.absolute(w) {
		if !(math.Abs(v) <= longest) {
			return nil, false
		}
	}
	return w, alpha > 0
}

// shrunkInfluences changes influences on (β, α) into those on β/α, with the derivatives 1/α and -β/α².
func shrunkInfluences(beta []float64, all [][]float64) [][]float64 {
	n := len(beta) - 1
	alpha := beta[n]
	return lists.Of(all, func(of []float64) []float64 {
		for i := range n {
			of[i] = (of[i] - beta[i]*of[n]/alpha) / alpha
		}
		return of[:n]
	})
}
