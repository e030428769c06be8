package solve

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"kifu/fit/losses"
	"kifu/fit/minimise"
	"kifu/fit/rows"
	"kifu/internal/dyads"
	"kifu/schemas"
)

// level is a source of games, one value of --scale-by, with its own w_0.
type level struct {
	name             string
	positions, games int
	scale, original  float64 // w_0, and the one that suits the unchanged e(p)
	se, robust       float64 // NaN when it is not fitted
	low, high        float64
	status           string
}

// byLevel fits again with a scale for each level, from the fit with one scale for all,
// which has refused what it can.
func (e *Estimate) byLevel(ctx context.Context, r *rows.Store) error {
	k := e.Design.Scale()
	if n := len(e.u.Columns) + len(e.settings.Levels); n > e.settings.dense {
		return fmt.Errorf("%d weights and scales: --scale-by is for up to %d", n, e.settings.dense)
	}
	if e.Present == nil {
		return Refuse("no scale", []string{"w_0"}, "no w_0 fits the unchanged e(p), which --scale-by needs")
	}
	pooled := e.theta[k]
	e.levels = e.chooseLevels(r, pooled)
	if err := e.presentLevels(ctx, r); err != nil {
		return err
	}
	held, status := make([]float64, len(e.levels)), make([]string, len(e.levels))
	for l := range e.levels {
		held[l], status[l] = pooled, e.levels[l].status
	}
	// Penalties are measured by the scale of the present weights: it does not move.
	ridge := slices.Clone(e.ridge)
	floats.Scale(e.Present[k]*e.Present[k], ridge)
	m := newScaled(r, e.settings.Loss(), e.u, held, status, ridge, e.settings.Workers)
	x := make([]float64, m.size)
	copy(x, e.u.Start(e.theta)[:m.weights])
	floats.Scale(1/pooled, x)
	for _, at := range m.place {
		if at >= 0 {
			x[at] = pooled
		}
	}
	first, err := minimise.MetricOf(m.hessian(x, false))
	if err != nil {
		return Refuse("collinear", nil, "the weights and the scales of --scale-by are not determined together: leave some terms out of --free, or take --l2")
	}
	got, err := m.minimise(ctx, x, minimise.Tolerance*e.Unit)
	if err != nil {
		return err
	}
	e.Minimum = got
	e.MeanLoss = got.F
	e.GradientLargest = floats.Norm(got.Grad, math.Inf(1))
	theta, scales := m.split(got.X)
	for j, ridge := range ridge {
		e.MeanLoss -= ridge / 2 * theta[j] * theta[j]
	}
	for j := range e.Weights {
		e.Weights[j], e.theta[j] = e.Design.Params[j].Initial+theta[j], pooled*theta[j]
	}
	e.factors = nil
	for l := range e.levels {
		e.levels[l].scale = scales[l]
		e.factors = append(e.factors, scales[l]/pooled)
	}
	e.Notes = slices.DeleteFunc(e.Notes, func(n schemas.FitNote) bool { return n.Kind == "weak scale" || n.Kind == "not converged" })
	if got.Status != minimise.Converged {
		e.Notes = append(e.Notes, schemas.FitNote{Kind: "not converged", Text: fmt.Sprintf("the solver %s, with a gradient norm of %.1e instead of %.0e", got.Status, got.Norm, minimise.Tolerance*e.Unit)})
	}
	return e.levelErrors(m, got.X, first, pooled)
}

// levelErrors fills the errors of the weights and of the scales. They come from
// covariances, but for the weights, which are no ratios here. The errors of the one w_0
// stay.
func (e *Estimate) levelErrors(m *scaled, x []float64, first *minimise.Metric, pooled float64) error {
	gauss, err := minimise.MetricOf(m.hessian(x, false))
	var away []string
	if err == nil && e.settings.Method != losses.Value {
		away = e.ranAway(m, first, gauss)
	}
	if err != nil || len(away) > 0 {
		return Refuse("separable", away, "some scales of --scale-by grow without end, because the evaluations of a level separate its winners: %s. Take fewer levels, or more games", cmp.Or(list(away), "weights and scales together"))
	}
	bread, err := minimise.MetricOf(m.hessian(x, true))
	if err != nil {
		bread = gauss
		e.Notes = append(e.Notes, schemas.FitNote{Kind: "bread", Text: "the Hessian is not positive definite here: robust errors use its Gauss-Newton part"})
	}
	n, r := m.size, m.r
	model := gauss.Inverse(r.Weight)
	if e.settings.Method == losses.LS || e.settings.Method == losses.Value {
		model.ScaleSym(2*e.MeanLoss*r.Weight/(r.Weight-float64(n)), model)
	}
	inverse := bread.Inverse(r.Weight)
	k := e.Design.Scale()
	by := make([][]rows.Entry, len(e.theta)) // without w_0, which has its errors from before
	for j := range k {
		if e.Status[j] != schemas.StatusFitted {
			continue
		}
		for _, v := range e.u.Of[j] {
			if v.At < m.weights {
				by[j] = append(by[j], v)
			}
		}
	}
	for l, at := range m.place { // the scales come after the rest
		by = append(by, nil)
		if at >= 0 {
			by[len(e.theta)+l] = []rows.Entry{{At: at, Share: 1}}
		}
	}
	robust := e.robust(r, m.gameScores(x), inverse, m.penalty(), by)
	scaleOf := e.se
	numbers := by[:len(e.theta)]
	naive := roots(numbers, model.At)
	e.se.robust, e.se.low, e.se.high, e.se.z = e.widest(robust, func(c covariance, df []float64) (se, low, high, z []float64) {
		se, low, high, z = roots(numbers, c), slices.Clone(scaleOf.low), slices.Clone(scaleOf.high), slices.Clone(scaleOf.z)
		for j, w := range e.Weights {
			reach := dyads.Quantile95(entry(df, j)) * se[j]
			low[j], high[j], z[j] = w-reach, w+reach, dyads.AsNormal(w/se[j], entry(df, j))
		}
		se[k] = scaleOf.robust[k]
		return se, low, high, z
	})
	naive[k] = scaleOf.model[k]
	e.se.model = naive
	e.Correlated = e.pairs(numbers, model.At)
	e.Tests = e.wald(robust.times(pooled * pooled))
	for l, at := range m.place {
		v := &e.levels[l]
		v.se, v.robust, v.low, v.high = math.NaN(), math.NaN(), math.NaN(), math.NaN()
		if at >= 0 {
			df := robust.gamesDF
			v.se, v.robust = math.Sqrt(max(0, model.At(at, at))), math.Sqrt(max(0, robust.games(at, at)))
			if robust.wider(robust.games(at, at), robust.at(at, at)) {
				v.robust, df = math.Sqrt(robust.players(at, at)), robust.playersDF
			}
			reach := dyads.Quantile95(entry(df, len(e.theta)+l)) * v.robust
			v.low, v.high = v.scale-reach, v.scale+reach
		}
	}
	return nil
}

// ranAway returns the names of the unknowns of m whose information has vanished since
// the start.
func (e *Estimate) ranAway(m *scaled, first, last *minimise.Metric) (names []string) {
	for i := range m.weights {
		if last.Root[i] < math.Sqrt(apartLimit)*first.Root[i] {
			names = append(names, e.u.Name(i))
		}
	}
	for l, i := range m.place {
		if i >= 0 && last.Root[i] < math.Sqrt(apartLimit)*first.Root[i] {
			names = append(names, e.levels[l].name)
		}
	}
	return names
}

// chooseLevels decides which levels have a scale of their own, and notes the others.
func (e *Estimate) chooseLevels(r *rows.Store, pooled float64) []level {
	out := make([]level, len(e.settings.Levels))
	type counts struct{ first, second, with, against, seen int }
	all := make([]counts, len(out))
	theta := slices.Clone(e.theta)
	floats.Scale(1/pooled, theta)
	game := 0
	r.EachScore(theta, func(b *rows.Block, q []float64) {
		from := 0
		for _, run := range b.Games {
			game++
			for i := from; i < run.End; i++ {
				s, y := &all[b.Level[i]], b.Y[i]
				out[b.Level[i]].positions++
				if s.seen != game {
					s.seen = game
					out[b.Level[i]].games++
				}
				s.first, s.second = s.first+one(y > 0), s.second+one(y < 1)
				s.with += one(q[i] > 0 && y > 0 || q[i] < 0 && y < 1)
				s.against += one(q[i] > 0 && y < 1 || q[i] < 0 && y > 0)
			}
			from = run.End
		}
	})
	reasons := map[string][]string{}
	for l := range out {
		v, s := &out[l], all[l]
		v.name, v.status = e.settings.Levels[l], schemas.StatusFitted
		if v.positions == 0 {
			v.status = schemas.StatusThin
			continue
		}
		decided := e.settings.Method != losses.Value
		switch {
		case v.games < max(2, e.settings.MinGames):
			v.status = schemas.StatusThin
		case decided && (s.first == 0 || s.second == 0):
			v.status = schemas.StatusOneSided
		case decided && (s.with == 0 || s.against == 0):
			v.status = schemas.StatusSeparated
		}
		reasons[v.status] = append(reasons[v.status], v.name)
	}
	const left = ": no w_0 of its own; the common one is used"
	e.note("thin level", reasons[schemas.StatusThin], fmt.Sprintf("fewer than %d games to fit to%s", max(2, e.settings.MinGames), left))
	e.note("one-sided level", reasons[schemas.StatusOneSided], "one side wins all its games"+left)
	e.note("separable level", reasons[schemas.StatusSeparated], "its evaluations separate the winners"+left)
	return out
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// presentLevels fits a scale to each level with the present weights, for comparison.
func (e *Estimate) presentLevels(ctx context.Context, r *rows.Store) error {
	k := e.Design.Scale()
	only := rows.NewUnknowns(e.Design, make([]float64, len(e.theta)), [][]rows.Entry{{{At: k, Share: 1}}})
	held, status := make([]float64, len(e.levels)), make([]string, len(e.levels))
	for l := range e.levels {
		held[l], status[l] = e.Present[k], e.levels[l].status
	}
	m := newScaled(r, e.settings.Loss(), only, held, status, nil, e.settings.Workers)
	x := make([]float64, m.size)
	for i := range x {
		x[i] = e.Present[k]
	}
	if m.size > 0 {
		got, err := m.minimise(ctx, x, minimise.Tolerance*e.Unit)
		if err != nil {
			return fmt.Errorf("the scales of the present weights: %w", err)
		}
		x = got.X
	}
	_, scales := m.split(x)
	for l := range e.levels {
		e.levels[l].original = scales[l]
		e.presentFactors = append(e.presentFactors, scales[l]/e.Present[k])
	}
	return nil
}

// Scales are the levels that have a position, for the report.
func (e *Estimate) Scales() (out []schemas.FitLevel) {
	for _, l := range e.levels {
		if l.positions == 0 {
			continue
		}
		out = append(out, schemas.FitLevel{Name: l.name, Positions: l.positions, Games: l.games,
			FitScale: schemas.FitScale{Value: l.scale, Status: l.status, SE: schemas.Number(l.se), SERobust: schemas.Number(l.robust), CILow: schemas.Number(l.low), CIHigh: schemas.Number(l.high), Original: schemas.Number(l.original)}})
	}
	return out
}
