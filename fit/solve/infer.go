package solve

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"kifu/fit/losses"
	"kifu/fit/rows"
	"kifu/schemas"
)

// mostPairs is the number of correlated pairs reported.
const mostPairs = 10

// pairs returns the pairs of weights whose errors are most correlated, by has their derivatives
// by the unknowns (sensitivity) and c is the covariance of these. Weights that
// share an unknown are one.
func (e *Estimate) pairs(by [][]rows.Entry, c func(i, j int) float64) []schemas.FitPair {
	var all []schemas.FitPair
	for a := range by {
		if len(by[a]) == 0 || a < e.Design.Scale() && e.Design.Params[a].Leader != a {
			continue
		}
		va := product(by[a], by[a], c)
		for b := range a {
			if len(by[b]) == 0 || b < e.Design.Scale() && e.Design.Params[b].Leader != b {
				continue
			}
			r := product(by[a], by[b], c) / math.Sqrt(va*product(by[b], by[b], c))
			if math.IsNaN(r) || len(all) == mostPairs && math.Abs(r) <= math.Abs(all[mostPairs-1].Correlation) {
				continue
			}
			pair := schemas.FitPair{A: e.Design.Name(b), B: e.Design.Name(a), Correlation: min(1, max(-1, r))}
			at, _ := slices.BinarySearchFunc(all, pair, func(x, y schemas.FitPair) int {
				return cmp.Or(cmp.Compare(math.Abs(y.Correlation), math.Abs(x.Correlation)), -1)
			})
			all = slices.Insert(all, at, pair)
			all = all[:min(len(all), mostPairs)]
		}
	}
	return all
}

// groups returns the unknowns of every group of terms that is fitted.
func (e *Estimate) groups() (names []string, unknowns [][]int) {
	for i, column := range e.u.Columns {
		own := column[0].At
		if own >= e.Design.Scale() {
			continue
		}
		name := e.Design.Params[own].Group
		at := slices.Index(names, name)
		if at < 0 {
			at = len(names)
			names, unknowns = append(names, name), append(unknowns, nil)
		}
		unknowns[at] = append(unknowns[at], i)
	}
	return names, unknowns
}

// wald tests every group for having the present weights: xᵀV⁻¹x for its unknowns x and
// their covariance, which has a chi-square distribution if they have and the games are
// many (scoreTests is for any number). Where games of a player depend on each other it is
// divided by their design effect.
func (e *Estimate) wald(c robust) (tests []schemas.FitTest) {
	x := e.u.Start(e.theta)
	names, unknowns := e.groups()
	for g, of := range unknowns {
		at := mat.NewVecDense(len(of), nil)
		for a, i := range of {
			at.SetVec(a, x[i])
		}
		v := part(c.games, of)
		test := schemas.FitTest{Group: names[g], Weights: len(of)}
		var chol mat.Cholesky
		var solved mat.VecDense
		if chol.Factorize(v) && chol.SolveVecTo(&solved, at) == nil {
			wald := mat.Dot(at, &solved)
			if c.players != nil {
				wald /= c.effect(&chol, part(c.players, of))
			}
			test.Wald, test.WaldP = schemas.Number(wald), schemas.Number(tail(wald, len(of)))
		}
		tests = append(tests, test)
	}
	return tests
}

// tail returns the probability that a chi-square of n degrees of freedom exceeds x.
func tail(x float64, n int) float64 {
	return distuv.ChiSquared{K: float64(n)}.Survival(math.Max(0, x))
}

// Ratios adds the likelihood ratio of every group to its test: twice the fall of the log-likelihood if the
// group keeps its present weights and all others are refitted. For Value the errors are taken as normal:
// n·ln(RSS'/RSS).
func (e *Estimate) Ratios(ctx context.Context, r *rows.Store) error {
	s := e.settings
	s.Bare = true
	for i := range e.Tests {
		t := &e.Tests[i]
		rest := s
		rest.without = t.Group
		null, err := Fit(ctx, r, rest)
		if err != nil {
			return fmt.Errorf("without %s: %w", t.Group, err)
		}
		ratio := 2 * r.Weight * (null.MeanLoss - e.MeanLoss)
		if s.Method == losses.Value {
			ratio = r.Weight * math.Log(null.MeanLoss/e.MeanLoss)
		}
		t.Ratio, t.RatioP = schemas.Number(ratio), schemas.Number(tail(ratio, t.Weights))
	}
	return nil
}
