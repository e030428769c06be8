package solve

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"kifu/fit/losses"
	"kifu/fit/meat"
	"kifu/fit/minimise"
	"kifu/fit/rows"
	"kifu/internal/dyads"
	"kifu/schemas"
)

// scoreTests adds to the test of every group a score test, robust to the dependence of a game's
// positions.
//
// The efficient score of a game is the group's score minus what the other unknowns explain of
// it. If the group has the present weights, these scores are independent at the optimum under
// this hypothesis, with mean zero, whatever the model gets wrong about a game. So their mean is
// tested by Hotelling's T² (1931): with k weights and G games T²·(G-k)/(k·(G-1)) has an F
// distribution with k and G-k degrees of freedom. Unlike a Wald test it does not use errors
// that the group's own weights made too small by fitting noise. If games of a player depend on
// each other, T² is divided by their design effect (robust.effect).
//
// With many games the optimum under the hypothesis is assumed to be one Newton step away from
// the estimate. With few it is found, the Hessian is computed there, and the test is by signs
// (flipTest): T² of many weights from few games hardly ever rejects.
func (e *Estimate) scoreTests(ctx context.Context, r *rows.Store, l losses.Loss, near *minimise.Metric, inverse *mat.SymDense) error {
	_, unknowns := e.groups()
	var nulls []meat.Null
	var groups []int // that the nulls are of
	for g, of := range unknowns {
		if r.Games <= len(of) {
			continue
		}
		null := *e
		many := r.Games >= manyGames*len(of)
		var err error
		at := inverse
		if many {
			err = null.step(of, inverse)
		} else {
			at, err = null.restrict(ctx, r, l, of, near)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			continue // without the group the rest is not determined, or nearly so
		}
		lines := mat.NewDense(len(of), len(e.u.Columns), nil)
		for a, i := range of {
			for j := range e.u.Columns {
				lines.Set(a, j, at.At(i, j))
			}
		}
		if many {
			nulls, groups = append(nulls, meat.Null{Theta: null.theta, Lines: lines}), append(groups, g)
			continue
		}
		scores, t := meat.Of(r, l, null.theta, e.u, e.settings.Workers), &e.Tests[g]
		pass := scores.Times(lines, e.settings.Workers)
		t.Score, t.ScoreP = e.flipTest(pass, scores.Spread(without(at, of, e.settings.Workers), e.settings.Workers).Times(lines, e.settings.Workers), part(at.At, of))
	}
	for i, s := range meat.Nulls(r, l, e.u, nulls, e.clusters, e.settings.Workers) {
		t := &e.Tests[groups[i]]
		t.Score, t.ScoreP = hotelling(s.Sum, s.ByGame, r.Games, func(v *mat.Cholesky) float64 {
			if s.ByPlayer == nil {
				return 1
			}
			return robust{only: e.Clusters.By == dyads.ByPlayer}.effect(v, s.ByPlayer)
		})
	}
	return ctx.Err()
}

// manyGames is the number of games per weight from which one step is enough.
const manyGames = 100

// step moves e to the optimum at which the unknowns of are 0, by the inverse of the
// Hessian where e is.
func (e *Estimate) step(of []int, inverse *mat.SymDense) error {
	x := e.u.Start(e.theta)
	own, at := mat.NewSymDense(len(of), nil), mat.NewVecDense(len(of), nil)
	for a, i := range of {
		at.SetVec(a, x[i])
		for b, j := range of[:a+1] {
			own.SetSym(a, b, inverse.At(i, j))
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(own) || chol.SolveVecTo(at, at) != nil {
		return minimise.ErrSingular
	}
	for i := range x {
		for a, j := range of {
			x[i] -= inverse.At(i, j) * at.AtVec(a)
		}
	}
	e.theta = slices.Clone(e.theta)
	e.u.Theta(x, e.theta)
	return nil
}

// restrict moves e to the optimum at which the unknowns of are 0, beginning with the Hessian near, and
// returns the inverse of the Hessian by all unknowns there.
func (e *Estimate) restrict(ctx context.Context, r *rows.Store, l losses.Loss, of []int, near *minimise.Metric) (*mat.SymDense, error) {
	var rest []int
	for i := range e.u.Columns {
		if !slices.Contains(of, i) {
			rest = append(rest, i)
		}
	}
	all, x := e.u, e.u.Start(e.theta)
	for _, i := range of {
		x[i] = 0
	}
	e.theta = slices.Clone(e.theta)
	all.Theta(x, e.theta)
	if len(rest) > 0 {
		e.u = all.Only(rest)
		m, err := minimise.MetricOf(part(near.H.At, rest))
		if err == nil {
			err = e.descend(ctx, r, r, l, m, minimise.Tolerance)
		}
		if err != nil {
			return nil, err
		}
		e.u = all
	}
	m, err := e.metric(r, l)
	if err != nil {
		return nil, err
	}
	return m.Inverse(r.Weight), nil
}

// hotelling returns T² of the mean of n vectors, with their sum and sum of squares, and
// the probability that it is exceeded if the mean is zero; nil without one. T² is
// divided by the design effect of what the vectors have in common, given their covariance.
func hotelling(sum []float64, squares *mat.SymDense, n int, effect func(v *mat.Cholesky) float64) (t2, p *float64) {
	k := len(sum)
	if n <= k {
		return nil, nil
	}
	games := float64(n)
	v := mat.NewSymDense(k, nil)
	v.SymRankOne(squares, -1/games, mat.NewVecDense(k, sum))
	var chol mat.Cholesky
	var solved mat.VecDense
	if !chol.Factorize(v) || chol.SolveVecTo(&solved, mat.NewVecDense(k, sum)) != nil {
		return nil, nil
	}
	t := mat.Dot(mat.NewVecDense(k, sum), &solved) * (games - 1) / games / effect(&chol)
	f := t * (games - float64(k)) / (float64(k) * (games - 1))
	return schemas.Number(t), schemas.Number(distuv.F{D1: float64(k), D2: games - float64(k)}.Survival(math.Max(0, f)))
}
