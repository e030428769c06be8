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
	"kifu/datasets/bygame"
	"kifu/datasets/columns"
	"kifu/eval"
	"kifu/fit/rows"
	"kifu/fit/solve"
	"kifu/internal/dyads"
	"kifu/internal/hands"
	"kifu/internal/paired"
	"kifu/internal/progress"
	"kifu/schemas"
)

const defaultMinGames = 10

// nothingLeft returns the reason why no row of dir is fitted to.
func nothingLeft(p Params, dir *datasets.Dir, rejected map[string]int64) error {
	why := ""
	for _, reason := range slices.Sorted(maps.Keys(rejected)) {
		why += fmt.Sprintf(", %d %s", rejected[reason], reason)
	}
	advice := "take games that are won and lost, a smaller --holdout, another --where, or --draws half"
	switch {
	case dir.Table.Name == "choices":
		advice = "take more games, a smaller --holdout, or another --where"
	case p.Expected == "" && dir.Table.Index(schemas.ExpectedResult.Name) >= 0:
		advice = "--expected " + schemas.ExpectedResult.Name + " fits to the expected results of " + dir.Path
	case rejected[noExpected] > 0:
		advice = "take an --expected that is not null in them, or another --where"
	case rejected[bygame.NoTarget] > 0:
		advice = "take a --target that is not null in them, or another --where"
	}
	what := "position"
	if dir.Table.Name == "choices" {
		what = "move"
	}
	return fmt.Errorf("%s: %w", dir.Path, solve.Refuse("no position", nil, "no %s is left to fit of %d%s: %s", what, dir.Rows(), why, advice))
}

// filled is p with the defaults instead of zeros.
func (p Params) filled() Params {
	if p.MinGames == 0 {
		p.MinGames = defaultMinGames
	}
	if p.temporal() && len(p.Lambda) == 0 {
		p.Lambda = []float64{defaultLambda}
	}
	return p
}

func (p Params) settings(workers int) solve.Settings {
	return solve.Settings{Method: p.Method, L2: p.L2, L1: p.L1, Scale: p.Scale, MinGames: p.MinGames, Workers: workers, Cluster: p.Cluster, Temporal: p.differences()}
}

func run(ctx context.Context, p Params, m Means, from Sources, out *datasets.Builder, columns columnReader) (err error) {
	dir := from.Labels
	if err := p.Validate(); err != nil {
		return err
	}
	p = p.filled()
	if d := hands.DeskOf(ctx); d != nil {
		return serve(ctx, p, m, from, d, columns)
	}
	in, err := read(ctx, p, m, from, columns)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.close()) }()
	if in.train.rows.N == 0 {
		return nothingLeft(p, dir, in.counts.Rejected)
	}
	if h := hands.Of(ctx); h != nil {
		in.train.rows.Ask = func(n int, shelf func(int) int, question func(int) []byte, take func(int, []byte) error) error {
			return h.Ask(ctx, n, shelf, question, take)
		}
	}
	s := p.settings(m.workers())
	s.NoGames = dir.Manifest.Meta[schemas.NoGames] != ""
	s.Levels = in.levels
	e, err := solve.Fit(ctx, in.train.rows, s)
	if err != nil {
		return fmt.Errorf("%s: %w", dir.Path, err)
	}
	if p.Ratios {
		if err := e.Ratios(ctx, in.train.rows); err != nil {
			return fmt.Errorf("%s: %w", dir.Path, err)
		}
	}
	bar := progress.Phase(ctx, "fit: measure")
	r := result(p, s, in, e)
	bar.Done()
	r.Notes = append(r.Notes, in.strength(ctx, p, s)...)
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
		if r.Curve, err = solve.LearningCurve(ctx, in.train.rows, in.held.rows, s, p.Seed); err != nil {
			return err
		}
	}
	if p.Folds > 0 {
		if r.Folds, err = solve.CrossValidate(ctx, in.train.rows, s, in.model, p.Folds, p.Seed); err != nil {
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
	if e.Moved != nil {
		text, err := paired.Text(func(i int) paired.Key { return keyOf(&r.Weights[i]) }, e.Moved)
		if err != nil {
			return err
		}
		if err := out.AddFile(paired.File, text); err != nil {
			return err
		}
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

// result gathers the report on the fit.
func result(p Params, s solve.Settings, in *input, e *solve.Estimate) *Result {
	workers := s.Workers
	k := e.Design.Scale()
	r := &Result{}
	r.Fit = schemas.Fit{Method: p.Method, Game: in.model.Game, Unit: in.model.Unit, Evaluator: in.model.Name, Value: in.leaf,
		Draws: p.draws(), Expected: p.Expected, Target: p.Target, Blend: p.Blend, TargetScale: in.targetScale, Where: p.Where, GamesWhere: p.GamesWhere, WithoutBlunders: p.WithoutBlunders, MaxPerGame: p.MaxPerGame, Weight: p.Weight, L2: p.L2, L1: p.L1, Holdout: p.Holdout, Seed: p.Seed, MinGames: p.MinGames,
		Excluded: in.counts.Rejected, Notes: append([]schemas.FitNote{}, e.Notes...), Added: []schemas.FitFeature{}}
	for _, f := range p.Add {
		r.Added = append(r.Added, schemas.FitFeature{Name: f.Name, SQL: f.SQL})
	}
	r.Tests, r.Pairs, r.Temporal = e.Tests, e.Correlated, e.Temporal
	r.Scale, r.ScaleBy, r.Scales = e.Number(k), p.ScaleBy, e.Scales()
	if e.Design.Drawn {
		width := e.Number(e.Design.Width())
		r.DrawWidth = &width
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
	r.Solver = schemas.FitSolver{Objective: e.MeanLoss, Penalty: e.Minimum.F - e.MeanLoss, GradientNorm: e.Minimum.Norm, Tolerance: solve.Tolerance * e.Unit,
		GradientMax: e.GradientLargest, Iterations: e.Minimum.Iterations, Passes: e.Minimum.Passes, Status: e.Minimum.Status,
		Start: e.Start, Parameters: fitted, BytesPerRow: math.Round(10*float64(in.train.rows.Bytes())/float64(in.train.rows.N)) / 10}
	r.Solver.ObjectiveName, r.Errors = words(p.Method)
	if p.L2 > 0 || len(p.Prior) > 0 {
		r.Errors += "; the ridge counts as information (se) and adds its curvature to the scores (se_robust): intervals hold for weights sampled from its prior"
	}
	if len(p.Bounds) > 0 {
		r.Errors += "; weights at a bound count as known"
	}
	if e.Clusters.By != dyads.ByGame {
		r.Errors += "; " + clusterWords[e.Clusters.By]
	}
	r.Clusters = &e.Clusters
	if p.Method == TD {
		r.Clusters = nil
	}
	if p.L1 > 0 {
		r.Clusters = nil
		r.Errors = "none: the lasso shrinks weights and chooses which ones move"
	}
	r.Notes = append(append(r.Notes, in.unseen.note()...), in.notes...)
	if n := in.counts.Noted[gap]; n*20 > in.counts.Read {
		r.Notes = append(r.Notes, schemas.FitNote{Kind: "gaps", Text: fmt.Sprintf("%d of %d positions do not follow the one before them in their game, as in a sample: temporal differences are taken over the gaps, to the next position that is there", n, in.counts.Read)})
	}
	if n := in.counts.Rejected[bygame.NoResult]; n > 0 && p.Expected == "" && in.expects {
		r.Notes = append(r.Notes, schemas.FitNote{Kind: "expected", Text: fmt.Sprintf("%d positions have an expected result between win, draw and loss, and none of these: --expected %s fits to them", n, schemas.ExpectedResult.Name)})
	}
	r.Copies = in.copies.told(p.heldOut)
	base := solve.MeanForecast(in.train.rows, s)
	r.Train = in.train.report(e, base, workers)
	if p.Holdout > 0 || p.Test {
		r.Held = in.held.heldReport(e, base, in.model, workers)
	}
	return r
}

// words names a method's objective and the source of its errors.
func words(method string) (objective, errors string) {
	information := "se: inverse information matrix; se_robust and intervals: sandwich, scores summed by game and corrected for leverage (the jackknife, CR3), G/(G-1); weights by the delta method, their intervals by Fieller's theorem"
	residual := "se: residual variance times the inverse of JᵀJ; se_robust and intervals: sandwich with the exact Hessian, scores summed by game and corrected for leverage (the jackknife, CR3), G/(G-1); weights by the delta method, their intervals by Fieller's theorem"
	switch method {
	case LS:
		return "mean of (y-g)²", residual
	case Ordered:
		return "mean of -ln P(result), nats", information
	case Value:
		return "mean of (v-w_0·e')²", residual
	case Choice:
		return "mean of -ln P(move played), nats a decision", information
	case TD:
		return "mean of -y·ln(g)-(1-y)·ln(1-g), nats: measured, not minimised", "none: where TD ends depends on its steps"
	case LSTD:
		return "mean of -y·ln(g)-(1-y)·ln(1-g), nats: measured, not minimised", "se_robust and intervals: sandwich of the estimating equations, summed by game, G/(G-1); weights by the delta method, their intervals by Fieller's theorem; w_0 is fitted to winners afterwards and has none"
	case Pairs:
		return "mean of -ln g(s·(z_0-z_i)), nats a pair", information + "; se wrongly treats the pairs of a decision as independent"
	}
	return "mean of -y·ln(g)-(1-y)·ln(1-g), nats", information
}

// clusterWords are fit.json's words for clusters beyond games.
var clusterWords = map[string]string{
	dyads.ByPlayer: "games that share a player depend on each other: squares of the sums of players' scores less the squares of pairs' sums, by the jackknife (CR3)",
	dyads.Both:     "for each number the wider of two errors: by games, and with games that share a player depending on each other: squares of the sums of players' scores less the squares of pairs' sums, by the jackknife (CR3)",
}

// report measures how well the evaluators predict s, the positions fitted to.
func (s *sample) report(e *solve.Estimate, base solve.Forecaster, workers int) *schemas.FitSample {
	out := &schemas.FitSample{Positions: s.rows.Positions(), Games: s.rows.Games,
		FirstWins: s.results.First, Draws: s.results.Draws, SecondWins: s.results.Second}
	if e.Design.Decided != nil {
		out.Alternatives = s.rows.N - out.Positions
	}
	out.Base = solve.Measure(s.rows, base, workers)
	if e.Present != nil {
		original := solve.Measure(s.rows, e.Original(), workers)
		out.Original = &original
	}
	out.Fitted = solve.Measure(s.rows, e.Fitted(), workers)
	return out
}

// heldReport is report for positions held out: with the order agreement, by bands.
func (s *sample) heldReport(e *solve.Estimate, base solve.Forecaster, m *eval.Model, workers int) *schemas.FitSample {
	out := s.report(e, base, workers)
	if e.Present != nil {
		var v solve.Evaluation
		v.Add(s.rows, e.Original())
		out.Original.Order = v.Metrics().Order
		out.Difference = solve.Difference(s.rows, e.Fitted(), e.Original(), e.Clusters.By)
	}
	var v solve.Evaluation
	v.Add(s.rows, e.Fitted())
	out.Fitted, out.Bands = v.Metrics(), v.Bands(m)
	return out
}

// writeWeights writes the table.
func writeWeights(out *datasets.Builder, r *Result, counts datasets.Counts) error {
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
	return writePart(out, b, counts)
}

// writePart writes the only part of a dataset.
func writePart(out *datasets.Builder, b *columns.Batch, counts datasets.Counts) error {
	if _, done := out.Done(0); done {
		return nil
	}
	w, err := out.Part(0)
	if err != nil {
		return err
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

// weightsFile is the whole evaluator with the fitted weights. Added features are no terms of it: they
// are listed in comments.
func weightsFile(p Params, in *input, e *solve.Estimate, sets []phaseSet) ([]byte, error) {
	m := in.model.Clone()
	m.Name = m.Name + " fitted by " + p.Method
	terms := 0 // added features that the evaluator has
	var text bytes.Buffer
	for j, q := range e.Design.Params {
		if q.Index >= 0 {
			m.Terms[q.Index].Weights[q.At] = e.Weights[j]
		} else if i := in.real(q.Term, p); i >= 0 {
			m.Reals[i].Weight = e.Weights[j]
			terms++
		}
	}
	intoStages(p, m, in.design, sets)
	if len(p.Add)+len(p.builtin()) > terms {
		fmt.Fprintf(&text, "# The values were fitted together with features that are not terms of the evaluator:\n")
		for j, q := range e.Design.Params {
			if q.Index < 0 && in.real(q.Term, p) < 0 {
				sql := map[string]string{rows.InterceptName: "1", rows.TurnName: "1 when the first player is to move, else -1"}[q.Term]
				for _, f := range p.Add {
					if f.Name == q.Term {
						sql = strings.Join(strings.Fields(f.SQL), " ")
					}
				}
				fmt.Fprintf(&text, "#   %.2f for each %s = %s\n", e.Weights[j], q.Term, sql)
			}
		}
		fmt.Fprintln(&text)
	}
	err := m.WriteTOML(&text)
	return text.Bytes(), err
}
