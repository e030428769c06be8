package fit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/schemas"
)

const defaultMinGames = 10

// nothingLeft says why no row of dir is fitted to.
func nothingLeft(dir *datasets.Dir, rejected map[string]int64) error {
	why := ""
	for _, reason := range slices.Sorted(maps.Keys(rejected)) {
		why += fmt.Sprintf(", %d %s", rejected[reason], reason)
	}
	advice := "take games that are won and lost, a smaller --holdout, another --where, or --draws half"
	switch {
	case dir.Table.Name == "choices":
		advice = "take more games, a smaller --holdout, or another --where"
	case rejected[noTarget] > 0:
		advice = "take a --target that is not null in them, or another --where"
	}
	what := "position"
	if dir.Table.Name == "choices" {
		what = "move"
	}
	return fmt.Errorf("%s: %w", dir.Path, unidentified("no position", nil, "no %s is left to fit of %d%s: %s", what, dir.Rows(), why, advice))
}

// filled is p with the defaults in the place of zeros.
func (p Params) filled() Params {
	if p.MinGames == 0 {
		p.MinGames = defaultMinGames
	}
	return p
}

func (p Params) settings(workers int) settings {
	return settings{method: p.Method, l2: p.L2, l1: p.L1, scale: p.Scale, minGames: p.MinGames, workers: workers}
}

func run(ctx context.Context, p Params, m Means, from Sources, out *datasets.Builder, columns columnReader) (err error) {
	dir := from.Labels
	if err := p.Validate(); err != nil {
		return err
	}
	p = p.filled()
	in, err := read(ctx, p, m, from, columns)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.close()) }()
	if in.train.rows.n == 0 {
		return nothingLeft(dir, in.counts.Rejected)
	}
	s := p.settings(m.workers())
	s.levels = in.levels
	e, err := solve(ctx, in.train.rows, s)
	if err != nil {
		return fmt.Errorf("%s: %w", dir.Path, err)
	}
	if p.Ratios {
		if err := e.ratios(ctx, in.train.rows); err != nil {
			return fmt.Errorf("%s: %w", dir.Path, err)
		}
	}
	r := result(p, in, e)
	var sets []phaseSet
	if len(p.Phases) > 0 {
		if sets, r.Sets, err = in.fitSets(ctx, p, s, e); err != nil {
			return fmt.Errorf("%s: %w", dir.Path, err)
		}
		for i := range sets {
			r.Weights = append(r.Weights, sets[i].rows(in.design, in.model)...)
		}
	}
	if p.LearningCurve {
		if r.Curve, err = learningCurve(ctx, in.train.rows, in.held.rows, s, p.Seed); err != nil {
			return err
		}
	}
	if p.Folds > 0 {
		if r.Folds, err = crossValidate(ctx, in.train.rows, s, in.model, p.Folds, p.Seed); err != nil {
			return fmt.Errorf("%s: %w", dir.Path, err)
		}
	}
	for _, key := range []string{"game", "unit", "leaf"} {
		out.SetMeta(key, dir.Manifest.Meta[key])
	}
	out.SetMeta("method", p.Method)
	if err := writeWeights(out, r, in.counts); err != nil {
		return err
	}
	toml, err := weightsFile(p, in, e, sets)
	if err != nil {
		return err
	}
	if err := out.AddFile("weights.toml", toml); err != nil {
		return err
	}
	text, err := json.MarshalIndent(r.Fit, "", "  ")
	if err != nil {
		return err
	}
	return out.AddFile("fit.json", append(text, '\n'))
}

// result gathers what is told about the fit.
func result(p Params, in *input, e *estimate) *Result {
	k := e.d.scale()
	r := &Result{}
	r.Fit = schemas.Fit{Method: p.Method, Game: in.model.Game, Unit: in.model.Unit, Evaluator: in.model.Name, Value: in.leaf,
		Draws: p.draws(), Target: p.Target, Blend: p.Blend, TargetScale: in.targetScale, Where: p.Where, GamesWhere: p.GamesWhere, WithoutBlunders: p.WithoutBlunders, MaxPerGame: p.MaxPerGame, Weight: p.Weight, L2: p.L2, L1: p.L1, Holdout: p.Holdout, Seed: p.Seed, MinGames: p.MinGames,
		Excluded: in.counts.Rejected, Notes: append([]schemas.FitNote{}, e.notes...), Added: []schemas.FitFeature{}}
	for _, f := range p.Add {
		r.Added = append(r.Added, schemas.FitFeature{Name: f.Name, SQL: f.SQL})
	}
	r.Tests, r.Pairs = e.tests, e.pairsOf
	r.Scale, r.ScaleBy, r.Scales = e.number(k), p.ScaleBy, e.scales()
	if e.d.drawn {
		width := e.number(e.d.width())
		r.DrawWidth = &width
	}
	fitted := 0
	for j, s := range e.status {
		if s == StatusFitted {
			fitted++
		}
		if j >= k {
			continue
		}
		q := e.d.params[j]
		w := Weight{Term: q.term, Group: q.group, Stage: q.stage, Initial: q.initial,
			Positions: int64(e.supports[j].positions), Games: int64(e.supports[j].games)}
		e.fill(&w, j)
		r.Weights = append(r.Weights, w)
	}
	r.Solver = schemas.FitSolver{Objective: e.meanLoss, Penalty: e.minimum.f - e.meanLoss, GradientNorm: e.minimum.norm, Tolerance: tolerance * e.unit,
		GradientMax: e.gradientLargest, Iterations: e.minimum.iterations, Passes: e.minimum.passes, Status: e.minimum.status,
		Start: e.start, Parameters: fitted, BytesPerRow: math.Round(10*float64(in.train.rows.bytes())/float64(in.train.rows.n)) / 10}
	information := "se: inverse information matrix; se_robust and intervals: sandwich, scores summed by game, G/(G-1); weights by the delta method, their intervals by Fieller's theorem"
	residual := "se: residual variance times the inverse of JᵀJ; se_robust and intervals: sandwich with the exact Hessian, scores summed by game, G/(G-1); weights by the delta method, their intervals by Fieller's theorem"
	switch p.Method {
	case LS:
		r.Solver.ObjectiveName, r.Errors = "mean of (y-g)²", residual
	case Ordered:
		r.Solver.ObjectiveName, r.Errors = "mean of -ln P(result), nats", information
	case Value:
		r.Solver.ObjectiveName, r.Errors = "mean of (v-w_0·e')²", residual
	case Choice:
		r.Solver.ObjectiveName, r.Errors = "mean of -ln P(move played), nats a decision", information
	case Pairs:
		r.Solver.ObjectiveName, r.Errors = "mean of -ln g(s·(z_0-z_i)), nats a pair", information+"; se takes the pairs of a decision for independent, which they are not"
	default:
		r.Solver.ObjectiveName, r.Errors = "mean of -y·ln(g)-(1-y)·ln(1-g), nats", information
	}
	if p.L2 > 0 || len(p.Prior) > 0 {
		r.Errors += "; the ridge counts as information"
	}
	if p.L1 > 0 || len(p.Bounds) > 0 {
		r.Errors += "; weights at a bound or kept by the lasso count as known"
	}
	r.Notes = append(r.Notes, in.unseen.note()...)
	base := in.train.rows.base(e.settings)
	r.Train = in.train.report(e, base)
	if p.Holdout > 0 || p.Test {
		r.Held = in.held.heldReport(e, base, in.model)
	}
	return r
}

// fill puts weight j and its errors into w.
func (e *estimate) fill(w *Weight, j int) {
	w.Fitted, w.Status = e.weights[j], e.status[j]
	w.SE, w.SERobust = e.errors.of(j)
	w.CILow, w.CIHigh = e.errors.interval(j)
	if w.SERobust != nil && *w.SERobust > 0 {
		w.Z = known(e.errors.z[j])
	}
}

// number is w_0 or the draw width, with what it is for e(p) as it was.
func (e *estimate) number(j int) schemas.FitScale {
	n := schemas.FitScale{Value: e.theta[j], Status: e.status[j]}
	if e.present != nil {
		n.Original = known(e.present[j])
	}
	n.SE, n.SERobust = e.errors.of(j)
	n.CILow, n.CIHigh = e.errors.interval(j)
	return n
}

// of returns the errors of parameter j.
func (s standardErrors) of(j int) (model, robust *float64) {
	if s.model != nil {
		model = known(s.model[j])
	}
	if s.robust != nil {
		robust = known(s.robust[j])
	}
	return model, robust
}

// interval returns the ends of parameter j's.
func (s standardErrors) interval(j int) (low, high *float64) {
	if s.low == nil {
		return nil, nil
	}
	return known(s.low[j]), known(s.high[j])
}

// writeWeights writes the table.
func writeWeights(out *datasets.Builder, r *Result, counts datasets.Counts) error {
	out.SetTable(schemas.Weights)
	if _, done := out.Done(0); done {
		return nil
	}
	w, err := out.Part(0)
	if err != nil {
		return err
	}
	b := datasets.NewBatch(schemas.Weights)
	number := func(name string, x *float64) {
		if x == nil {
			b.Col(name).AppendNull()
			return
		}
		b.Col(name).AppendFloat64(*x)
	}
	for _, x := range r.Weights {
		b.Col("term").AppendString(x.Term)
		b.Col("term_group").AppendString(x.Group)
		if x.Stage == "" {
			b.Col("stage").AppendNull()
		} else {
			b.Col("stage").AppendString(x.Stage)
		}
		b.Col("initial_weight").AppendFloat64(x.Initial)
		b.Col("weight").AppendFloat64(x.Fitted)
		number("se", x.SE)
		number("se_robust", x.SERobust)
		number("ci_low", x.CILow)
		number("ci_high", x.CIHigh)
		number("z", x.Z)
		b.Col("positions").AppendInt64(x.Positions)
		b.Col("games").AppendInt64(x.Games)
		b.Col("status").AppendString(x.Status)
		b.Rows++
	}
	group, err := w.Encode(b)
	if err == nil {
		err = w.Append(group)
	}
	if err != nil {
		w.Abort()
		return err
	}
	counts.Written = int64(b.Rows)
	return w.Close(counts, nil)
}

// weightsFile is the whole evaluator with the fitted weights. Added features are no
// terms of it: they are told in comments.
func weightsFile(p Params, in *input, e *estimate, sets []phaseSet) ([]byte, error) {
	m := in.model.Clone()
	m.Name = m.Name + " fitted by " + p.Method
	var text bytes.Buffer
	for j, q := range e.d.params {
		if q.index >= 0 {
			m.Terms[q.index].Weights[q.at] = e.weights[j]
		}
	}
	intoStages(p, m, in.design, sets)
	if len(p.Add)+len(p.builtin()) > 0 {
		fmt.Fprintf(&text, "# The values were fitted together with features that are not terms of the evaluator:\n")
		for j, q := range e.d.params {
			if q.index < 0 {
				sql := map[string]string{interceptName: "1", turnName: "1 when the first player is to move, else -1"}[q.term]
				for _, f := range p.Add {
					if f.Name == q.term {
						sql = strings.Join(strings.Fields(f.SQL), " ")
					}
				}
				fmt.Fprintf(&text, "#   %.2f for each %s = %s\n", e.weights[j], q.term, sql)
			}
		}
		fmt.Fprintln(&text)
	}
	err := m.WriteTOML(&text)
	return text.Bytes(), err
}
