package fit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"runtime/debug"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/eval"
	"kifu/fit/computed"
	"kifu/fit/fitted"
	"kifu/fit/forecast"
	"kifu/fit/losses"
	"kifu/fit/minimise"
	"kifu/fit/rows"
	"kifu/fit/solve"
	"kifu/internal/dyads"
	"kifu/internal/hands"
	"kifu/internal/paired"
	"kifu/internal/progress"
	"kifu/schemas"
)

// NothingLeft returns the reason why no row of dir is fitted to.
func NothingLeft(dir *datasets.Dir, rejected map[string]int64) error {
	why := ""
	for _, reason := range slices.Sorted(maps.Keys(rejected)) {
		why += fmt.Sprintf(", %d %s", rejected[reason], reason)
	}
	advice := "take games that are won and lost, a smaller --holdout, another --where, or --draws half"
	switch {
	case dir.Table.Name == "choices":
		advice = "take more games, a smaller --holdout, or another --where"
	case rejected[noExpected] > 0:
		advice = "take an --expected that is not null in them, or another --where"
	case rejected[bygame.NoResult]+rejected[bygame.DrawnGame] > 0 && dir.Table.Index(schemas.ExpectedResult.Name) >= 0:
		advice = "--expected " + schemas.ExpectedResult.Name + " fits to the expected results of " + dir.Path
	case rejected[bygame.NoTarget] > 0:
		advice = "take a --target that is not null in them, or another --where"
	}
	what := "position"
	if dir.Table.Name == "choices" {
		what = "move"
	}
	return fmt.Errorf("%s: %w", dir.Path, solve.Refuse("no position", nil, "no %s is left to fit of %d%s: %s", what, dir.Rows(), why, advice))
}

func run(ctx context.Context, p Params, m Means, from Sources, out *datasets.Builder, columns computed.Reader) (err error) {
	c, err := p.choices()
	if err != nil {
		return err
	}
	if d := hands.DeskOf(ctx); d != nil {
		return serve(ctx, c, m, from, d, columns)
	}
	in, err := read(ctx, c, m, from, columns)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.close()) }()
	if in.train.rows.N == 0 {
		return NothingLeft(from.Labels, in.counts.Rejected)
	}
	// Most memory is rows from here on, which have no pointers: collecting is cheap, and rare.
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	if h := hands.Of(ctx); h != nil {
		in.train.rows.Ask = func(n int, section func(int) int, question func(int) []byte, take func(int, []byte) error) error {
			return h.Ask(ctx, n, section, question, take)
		}
	}
	s := in.settings(m.workers())
	e, err := solve.Fit(ctx, in.train.rows, s)
	if err == nil && c.Ratios {
		err = e.Ratios(ctx, in.train.rows)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", from.Labels.Path, err)
	}
	bar := progress.Phase(ctx, "fit: measure")
	r := in.result(c.told(), e, m.workers())
	bar.Done()
	if c.Holdout > 0 || c.Test {
		r.Held = in.held.heldReport(e, e.Fitted().Mean(in.train.rows), in.model, m.workers())
	}
	r.Copies = in.copies.Told(c.Holdout, c.Seed)
	r.Notes = append(r.Notes, in.strength(ctx, s)...)
	var sets []phaseSet
	if len(c.Phases) > 0 {
		if sets, r.Sets, err = in.fitSets(ctx, s, e); err != nil {
			return fmt.Errorf("%s: %w", from.Labels.Path, err)
		}
		for i := range sets {
			r.Weights = append(r.Weights, sets[i].rows(in.design, in.model)...)
		}
	}
	bare := s
	bare.Bare = true
	fit := func(ctx context.Context, r *rows.Store) (*solve.Estimate, error) { return solve.Fit(ctx, r, bare) }
	if c.LearningCurve {
		if r.Curve, err = learningCurve(ctx, in.train.rows, in.held.rows, fit, m.workers(), c.Seed); err != nil {
			return err
		}
	}
	if c.Folds > 0 {
		if r.Folds, err = crossValidate(ctx, in.train.rows, fit, in.model, c.Folds, c.Seed); err != nil {
			return fmt.Errorf("%s: %w", from.Labels.Path, err)
		}
	}
	for _, key := range []string{"game", "unit", "leaf"} {
		out.SetMeta(key, from.Labels.Manifest.Meta[key])
	}
	return write(out, in, r, e, stretches(c.Phases), sets)
}

// write writes the dataset.
func write(out *datasets.Builder, in *input, r *fitted.Result, e *solve.Estimate, phases stretches, sets []phaseSet) error {
	out.SetMeta("method", r.Method)
	if err := writeWeights(out, r, in.counts); err != nil {
		return err
	}
	if e.Moved != nil {
		if err := out.AddCSV(paired.File, paired.Table(func(i int) paired.Key { return fitted.KeyOf(&r.Weights[i]) }, e.Moved)); err != nil {
			return err
		}
	}
	text, err := weightsFile(in, r, e, phases, sets)
	if err != nil {
		return err
	}
	return errors.Join(out.AddFile("weights.toml", text), out.AddJSON("fit.json", r.Fit))
}

// told returns the choices for the report on the fit.
func (p choices) told() schemas.Fit {
	f := schemas.Fit{Method: p.name, Draws: p.draws(), Expected: p.Expected, Target: p.Target, Blend: p.Blend, Where: p.Where, GamesWhere: p.GamesWhere, WithoutBlunders: p.WithoutBlunders,
		MaxPerGame: p.MaxPerGame, Weight: p.Weight, L2: p.L2, L1: p.L1, Holdout: p.Holdout, Seed: p.Seed, MinGames: p.MinGames, ScaleBy: p.ScaleBy, Added: []schemas.FitFeature{}}
	for _, x := range p.Add {
		f.Added = append(f.Added, schemas.FitFeature{Name: x.Name, SQL: x.SQL})
	}
	return f
}

// result gathers the report on the fit with these choices.
func (in *input) result(told schemas.Fit, e *solve.Estimate, workers int) *fitted.Result {
	k := e.Design.Scale()
	r := &fitted.Result{Fit: told}
	r.Game, r.Unit, r.Evaluator, r.Value, r.TargetScale = in.model.Game, in.model.Unit, in.model.Name, in.leaf, in.targetScale
	r.Excluded, r.Notes = in.counts.Rejected, append([]schemas.FitNote{}, e.Notes...)
	r.Tests, r.Pairs, r.Temporal = e.Tests, e.Correlated, e.Temporal
	r.Scale, r.Scales = e.Number(k), e.Scales()
	if e.Design.Drawn {
		r.DrawWidth = new(e.Number(e.Design.Width()))
	}
	fitted := 0
	for j, status := range e.Status {
		if status == schemas.StatusFitted {
			fitted++
		}
		if j >= k {
			continue
		}
		q := e.Design.Params[j]
		w := schemas.Weight{Term: q.Term, Group: q.Group, Stage: q.Stage, Initial: q.Initial,
			Positions: int64(e.Supports[j].Positions), Games: int64(e.Supports[j].Games)}
		e.Fill(&w, j)
		r.Weights = append(r.Weights, w)
	}
	r.Solver = schemas.FitSolver{Objective: e.MeanLoss, Penalty: e.Minimum.F - e.MeanLoss, GradientNorm: e.Minimum.Norm, Tolerance: minimise.Tolerance * e.Unit,
		GradientMax: e.GradientLargest, Iterations: e.Minimum.Iterations, Passes: e.Minimum.Passes, Status: e.Minimum.Status,
		Start: e.Start, Parameters: fitted, BytesPerRow: math.Round(10*float64(in.train.rows.Bytes())/float64(in.train.rows.N)) / 10}
	r.Solver.ObjectiveName, r.Errors = words(r.Method)
	if r.L2 > 0 || slices.ContainsFunc(e.Design.Params, func(q rows.Param) bool { return q.SD > 0 }) {
		r.Errors += "; the ridge counts as information (se) and adds its curvature to the scores (se_robust): intervals hold for weights sampled from its prior"
	}
	if e.Design.Bounded() {
		r.Errors += "; weights at a bound count as known"
	}
	if e.Clusters.By != dyads.ByGame {
		r.Errors += "; " + clusterWords[e.Clusters.By]
	}
	r.Clusters = &e.Clusters
	if r.Method == losses.TD {
		r.Clusters = nil
	}
	if r.L1 > 0 {
		r.Clusters = nil
		r.Errors = "none: the lasso shrinks weights and chooses which ones move"
	}
	r.Notes = append(append(r.Notes, in.unseen.Note()...), in.notes...)
	if n := in.counts.Noted[gap]; n*20 > in.counts.Read {
		r.Notes = append(r.Notes, schemas.FitNote{Kind: "gaps", Text: fmt.Sprintf("%d of %d positions do not follow the one before them in their game, as in a sample or with --where: temporal differences are taken over the gaps, to the next position that is there", n, in.counts.Read)})
	}
	if n := in.counts.Rejected[bygame.NoResult]; n > 0 && in.expects {
		r.Notes = append(r.Notes, schemas.FitNote{Kind: "expected", Text: fmt.Sprintf("%d positions have an expected result between win, draw and loss, and none of these: --expected %s fits to them", n, schemas.ExpectedResult.Name)})
	}
	r.Train = in.train.report(e, e.Fitted().Mean(in.train.rows), workers)
	return r
}

// words names a method's objective and the source of its errors.
func words(method string) (objective, errors string) {
	information := "se: inverse information matrix; se_robust and intervals: sandwich, scores summed by game and corrected for leverage (the jackknife, CR3), G/(G-1); weights by the delta method, their intervals by Fieller's theorem"
	residual := "se: residual variance times the inverse of JᵀJ; se_robust and intervals: sandwich with the exact Hessian, scores summed by game and corrected for leverage (the jackknife, CR3), G/(G-1); weights by the delta method, their intervals by Fieller's theorem"
	switch method {
	case losses.LS:
		return "mean of (y-g)²", residual
	case losses.Ordered:
		return "mean of -ln P(result), nats", information
	case losses.Value:
		return "mean of (v-w_0·e')²", residual
	case losses.Choice:
		return "mean of -ln P(move played), nats a decision", information
	case losses.TD:
		return "mean of -y·ln(g)-(1-y)·ln(1-g), nats: measured, not minimised", "none: where TD ends depends on its steps"
	case losses.LSTD:
		return "mean of -y·ln(g)-(1-y)·ln(1-g), nats: measured, not minimised", "se_robust and intervals: sandwich of the estimating equations, summed by game, G/(G-1); weights by the delta method, their intervals by Fieller's theorem; w_0 is fitted to winners afterwards and has none"
	case losses.Pairs:
		return "mean of -ln g(s·(z_0-z_i)), nats a pair", information + "; se wrongly treats the pairs of a decision as independent"
	}
	return "mean of -y·ln(g)-(1-y)·ln(1-g), nats", information
}

// clusterWords are fit.json's words for clusters beyond games.
var clusterWords = map[string]string{
	dyads.ByPlayer: "games that share a player depend on each other: squares of the sums of players' scores less the squares of pairs' sums, by the jackknife (CR3)",
	dyads.Both:     "for each number the larger of two errors: by games, and with games that share a player depending on each other: squares of the sums of players' scores less the squares of pairs' sums, by the jackknife (CR3)",
}

// report measures how well the evaluators predict s, the positions fitted to.
func (s *sample) report(e *solve.Estimate, base forecast.Forecaster, workers int) *schemas.FitSample {
	out := &schemas.FitSample{Positions: s.rows.Positions(), Games: s.rows.Games,
		FirstWins: s.results.First, Draws: s.results.Draws, SecondWins: s.results.Second}
	if e.Design.Decided != nil {
		out.Alternatives = s.rows.N - out.Positions
	}
	out.Base = forecast.Measure(s.rows, base, workers)
	if e.Present != nil {
		original := forecast.Measure(s.rows, e.Original(), workers)
		out.Original = &original
	}
	out.Fitted = forecast.Measure(s.rows, e.Fitted(), workers)
	return out
}

// heldReport is report for positions held out: with the order agreement, by bands.
func (s *sample) heldReport(e *solve.Estimate, base forecast.Forecaster, m *eval.Model, workers int) *schemas.FitSample {
	out := s.report(e, base, workers)
	if e.Present != nil {
		var v forecast.Evaluation
		v.Add(s.rows, e.Original())
		out.Original.Order = v.Metrics().Order
		out.Difference = forecast.Difference(s.rows, e.Fitted(), e.Original(), e.Clusters.By)
	}
	var v forecast.Evaluation
	v.Add(s.rows, e.Fitted())
	out.Fitted, out.Bands = v.Metrics(), v.Bands(m)
	return out
}

// writeWeights writes the table.
func writeWeights(out *datasets.Builder, r *fitted.Result, counts manifest.Counts) error {
	out.SetTable(schemas.Weights)
	b := columns.NewBatch(schemas.Weights)
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
		b.Col("stage").AppendText([]byte(x.Stage))
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
	return out.Only(b, counts)
}

// weightsFile is the whole evaluator with the fitted weights. Added features are no terms of it: they
// are listed in comments.
func weightsFile(in *input, r *fitted.Result, e *solve.Estimate, phases stretches, sets []phaseSet) ([]byte, error) {
	m := in.model.Clone()
	m.Name = m.Name + " fitted by " + r.Method
	var comments bytes.Buffer
	for j, q := range e.Design.Params {
		if q.Index >= 0 {
			m.Terms[q.Index].Weights[q.At] = e.Weights[j]
		} else if i := in.real(q.Term); i >= 0 {
			m.Reals[i].Weight = e.Weights[j]
		} else {
			sql := map[string]string{rows.InterceptName: "1", rows.TurnName: "1 when the first player is to move, else -1"}[q.Term]
			for _, f := range r.Added {
				if f.Name == q.Term {
					sql = strings.Join(strings.Fields(f.SQL), " ")
				}
			}
			fmt.Fprintf(&comments, "#   %.2f for each %s = %s\n", e.Weights[j], q.Term, sql)
		}
	}
	phases.intoStages(m, in.design, sets)
	var text bytes.Buffer
	if comments.Len() > 0 {
		fmt.Fprintf(&text, "# The values were fitted together with features that are not terms of the evaluator:\n%s\n", &comments)
	}
	err := m.WriteTOML(&text)
	return text.Bytes(), err
}

// Run fits weights to labels and writes the dataset.
func Run(ctx context.Context, p Params, m Means, from Sources, out *datasets.Builder) error {
	return run(ctx, p, m, from, out, computed.SQL)
}
