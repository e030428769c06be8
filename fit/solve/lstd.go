package solve

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kifu/fit/meat"
	"kifu/fit/minimise"
	"kifu/fit/rows"
	"kifu/fit/scale"
	"kifu/fit/temporal"
	"kifu/internal/dyads"
	"kifu/internal/human"
	"kifu/internal/ordered"
	"kifu/schemas"
)

// lstd is LSTD(λ): the value of a position is ½ + z, linear, and θ solves A·θ = b. Since z
// is no log-odds, θ is then multiplied by the number with which z predicts the winners best;
// weights, which are ratios, do not change by it.
func (e *Estimate) lstd(ctx context.Context, r *rows.Store) error {
	eq, err := e.equations(ctx, r)
	if err != nil {
		return err
	}
	n := len(e.u.Columns)
	var inverse mat.Dense
	if err := inverse.Inverse(mat.NewDense(n, n, eq.A)); err != nil {
		return Refuse("collinear", nil, "the equations of LSTD have no reliable solution (%v): leave some terms out of --free, or take more games", err)
	}
	x := make([]float64, n)
	mat.NewVecDense(n, x).MulVec(&inverse, mat.NewVecDense(n, eq.B))
	e.u.Theta(x, e.theta)
	pass := e.temporalScores(r, x).Spread(&inverse, e.settings.Workers).Times(&inverse, e.settings.Workers)
	if err := e.rescale(r); err != nil {
		return err
	}
	e.lstdErrors(r, pass, n)
	return e.divide()
}

// equations adds up the equations of all games, chunk by chunk in their order.
func (e *Estimate) equations(ctx context.Context, r *rows.Store) (*temporal.Equations, error) {
	n := len(e.u.Columns)
	total := temporal.NewEquations(n)
	type scratch struct {
		eq   *temporal.Equations
		from *sequences
		game temporal.Sequence
	}
	all := make([]scratch, max(1, e.settings.Workers))
	ordered.Merge(e.settings.Workers, len(r.Chunks), func(w, i int) {
		x := &all[w]
		if x.eq == nil {
			x.eq, x.from = temporal.NewEquations(n), e.sequences(r, 0.5)
		}
		x.eq.Reset()
		for _, p := range r.In(r.Chunks[i]) {
			if ctx.Err() != nil {
				return
			}
			x.from.read(p, &x.game)
			x.eq.Add(&x.game, atEpoch(e.settings.Temporal.Lambda, 0))
		}
	}, func(w, _ int) { total.Merge(all[w].eq) })
	return total, ctx.Err()
}

// temporalScores is the pass over the games' parts of b - A·x; along is of their parts of A.
func (e *Estimate) temporalScores(r *rows.Store, x []float64) meat.GameScores {
	lambda := atEpoch(e.settings.Temporal.Lambda, 0)
	return func(of meat.Wanted, start func(w int), visit func(w int, g meat.Games), merge func(w int)) {
		type scratch struct {
			from          *sequences
			game          temporal.Sequence
			learner       temporal.Learner
			u, part, y, v []float64
		}
		before := r.GamesBefore()
		all := make([]scratch, max(1, e.settings.Workers))
		ordered.Merge(e.settings.Workers, len(r.Chunks), func(w, i int) {
			s := &all[w]
			if s.from == nil {
				s.from, s.u, s.y, s.v = e.sequences(r, 0.5), make([]float64, len(x)), make([]float64, len(x)), make([]float64, len(x))
				s.learner = temporal.Learner{Value: temporal.Linear, Lambda: lambda}
			}
			start(w)
			for n, p := range r.In(r.Chunks[i]) {
				n += before[r.Chunks[i].From]
				if !of.Visits(n) {
					continue
				}
				s.from.read(p, &s.game)
				clear(s.u)
				s.learner.Change(&s.game, x, s.u)
				s.part = append(s.part[:0], s.u...) // what visit does with u is its own
				visit(w, meat.Games{At: []int{n}, N: len(x), U: s.u, Along: func(_ int, v []float64) float64 {
					clear(s.v)
					floats.AddTo(s.y, x, v)
					s.learner.Change(&s.game, s.y, s.v)
					return floats.Dot(v, s.part) - floats.Dot(v, s.v)
				}})
			}
		}, func(w, _ int) { merge(w) })
	}
}

// rescale multiplies theta by what makes its scores log-odds.
func (e *Estimate) rescale(r *rows.Store) error {
	scores := map[*rows.Block][]float32{}
	r.EachScore(e.theta, func(b *rows.Block, z []float64) {
		column := make([]float32, len(z))
		for i, v := range z {
			column[i] = float32(v)
		}
		scores[b] = column
	})
	s, ok := scale.Of(r, e.settings.Loss(), func(b *rows.Block) []float32 { return scores[b] }, e.settings.Workers)
	if !ok {
		return Refuse("no scale", []string{"w_0"}, "the values that LSTD finds do not predict the winners: is the value from the first player's side?")
	}
	e.stretch = s
	floats.Scale(s, e.theta)
	e.reached(r, minimise.Minimum{Passes: 2, Status: "solved in closed form"})
	return nil
}

// lstdErrors fills the errors. influence has the change of the unknowns by each game: A⁻¹ times its part of b
// - A·θ, corrected for leverage. Its products are the covariance (the sandwich of an estimating equation,
// Huber 1967), with G/(G-1) by game, and by player as in covariances. w_0 is fitted to winners afterwards and
// has no error.
func (e *Estimate) lstdErrors(r *rows.Store, influence meat.GameScores, n int) {
	e.cluster(r)
	by := e.sensitivity()
	square := e.stretch * e.stretch
	cover := func(meat *mat.SymDense) covariance {
		return func(i, j int) float64 { return square * meat.At(i, j) }
	}
	byGame, byPlayer := meat.NewFourths(by), meat.NewFourths(by)
	games, players := influence.Meats(n, e.clusters, nil, byGame, byPlayer, e.settings.Workers)
	games.ScaleSym(float64(r.Games)/float64(r.Games-1), games)
	c := robust{games: cover(games), gamesDF: byGame.Degrees()}
	if e.clusters != nil {
		c.players, c.only = cover(players), e.Clusters.By == dyads.ByPlayer
		c.playersDF = mostly(byPlayer.Degrees(), e.clusters.Plan)
	}
	e.se.robust, e.se.low, e.se.high, e.se.z = e.widest(c, func(c covariance, df []float64) (se, low, high, z []float64) {
		se = roots(by, c)
		low, high, z = e.intervals(se, c, df)
		return se, low, high, z
	})
	k := e.Design.Scale()
	e.se.model = make([]float64, len(e.theta))
	for j := range e.se.model {
		e.se.model[j] = math.NaN()
	}
	e.se.robust[k], e.se.low[k], e.se.high[k], e.se.z[k] = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	e.Tests = e.wald(c)
	if r.Games < perWeight*n {
		e.Notes = append(e.Notes, schemas.FitNote{Kind: "few games", Text: fmt.Sprintf("%s for %s: with fewer than %d per weight a fit follows noise", human.Plural(int64(r.Games), "game", "games"), human.Plural(int64(n), "weight", "weights"), perWeight)})
	}
}
