package tables

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"text/tabwriter"

	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/datasets/columns"
	"kifu/eval/pattern"
	"kifu/fit/fitted"
	"kifu/fit/losses"
	"kifu/fit/solve"
	"kifu/fit/sparse"
	"kifu/internal/human"
	"kifu/schemas"
)

// result gathers the findings.
func (in *input) result(ctx context.Context, p Params, e *sparse.Estimate) (*schemas.TablesFit, error) {
	f, s := p.Plan.File, in.train
	r := &schemas.TablesFit{Method: p.Method, Game: f.Game, Unit: f.Unit, Patterns: f.Name, Board: cmp.Or(p.Board, "board"), Target: p.Target, Where: p.Where,
		Ridge: f.Ridge, Neighbours: f.Neighbours, MinCount: p.MinCount, Holdout: p.Holdout, Seed: p.Seed,
		Positions: s.Rows, Games: s.Games, Entries: s.Entries, Weights: s.Weights,
		Norm: e.Norm, Steps: e.Newton, Iterations: e.Iterations, Passes: e.Passes, Status: e.Status, Excluded: in.counts.Rejected}
	for _, n := range s.Counts() {
		if n > 0 {
			r.Seen++
		}
	}
	var err error
	if r.Fitted, err = in.losses(ctx, p, e, in.train, in.values, in.ones); err != nil {
		return nil, err
	}
	if in.held.Rows > 0 {
		held, err := in.losses(ctx, p, e, in.held, in.heldValues, in.heldOnes)
		if err != nil {
			return nil, err
		}
		r.HeldOut = &held
	}
	return r, nil
}

// losses measures how well the tables, the labels' values and a constant predict rows.
func (in *input) losses(ctx context.Context, p Params, e *sparse.Estimate, s, values, ones *sparse.Store) (l schemas.TablesLoss, err error) {
	loss := losses.Of(p.Method)
	l = schemas.TablesLoss{Positions: s.Rows, Games: s.Games, Loss: meanLoss(e, loss, s)}
	if l.Nothing, err = bestLoss(ctx, loss, in.ones, ones); err != nil || values == nil || values.Rows == 0 || in.values.Rows == 0 {
		return l, err
	}
	v, err := bestLoss(ctx, loss, in.values, values)
	l.Present = &v
	return l, err
}

// bestLoss returns the loss on test of the best multiple of the one column on train.
func bestLoss(ctx context.Context, loss losses.Loss, train, test *sparse.Store) (float64, error) {
	e, err := sparse.Fit(ctx, train, sparse.Settings{Loss: loss})
	if err != nil {
		return 0, err
	}
	return meanLoss(e, loss, test), nil
}

func meanLoss(e *sparse.Estimate, loss losses.Loss, s *sparse.Store) float64 {
	sum := 0.0
	e.Scores(s, func(_ int, z, y, w float64) { sum += w * loss.At(z, y, 0).F })
	return sum / s.Sum
}

// strongest adds to r the weights of each pattern that matter most, w² times occurrences, with
// their standard errors.
func (in *input) strongest(ctx context.Context, p Params, e *sparse.Estimate, r *schemas.TablesFit, names *datasets.Dir, noGames bool) error {
	if p.Errors == 0 {
		return nil
	}
	players, of, err := bygame.Named(ctx, names, 0, p.Aliases)
	if err != nil {
		return err
	}
	spreads, clusters, fault := e.Jackknife(ctx, sparse.Groups, players, p.Cluster, func() {})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	told := solve.Told(clusters, p.Cluster, noGames, of.Of)
	r.Clusters = &told
	counts := in.train.Counts()
	for k, t := range p.Plan.Tables() {
		var of []int
		for i := t.At; i < t.At+len(t.First)*t.Classes; i++ {
			if counts[i] > 0 && int(counts[i]) >= p.MinCount {
				of = append(of, i)
			}
		}
		force := func(i int) float64 { return e.Weights[i] * e.Weights[i] * float64(counts[i]) }
		slices.SortFunc(of, func(i, j int) int { return cmp.Or(cmp.Compare(force(j), force(i)), cmp.Compare(i, j)) })
		for _, i := range of[:min(p.Errors, len(of))] {
			w := schemas.TablesWeight{Pattern: t.Name, FirstPieces: t.First[(i-t.At)/t.Classes], Contents: p.Plan.Contents(k, (i-t.At)%t.Classes), Occurrences: int64(counts[i]), Weight: e.Weights[i] / r.Scale}
			switch {
			case fault != nil:
				w.Why = fault.Error()
			case math.IsNaN(spreads[i].SE):
				w.Why = "it was not fitted"
			default:
				se := spreads[i].SE / r.Scale
				w.SE, w.EffectiveGames = &se, &spreads[i].Degrees
			}
			r.Strongest = append(r.Strongest, w)
		}
	}
	return nil
}

// write writes the dataset.
func write(out *datasets.Builder, p Params, in *input, r *schemas.TablesFit, weights []float64, tables *pattern.Tables) error {
	for key, value := range map[string]string{"game": r.Game, "unit": r.Unit, "method": r.Method, "evaluator": r.Patterns} {
		out.SetMeta(key, value)
	}
	out.SetTable(schemas.Tables)
	b := columns.NewBatch(schemas.Tables)
	for _, t := range p.Plan.Tables() {
		for phase, first := range t.First {
			from := t.At + phase*t.Classes
			appendPhase(b, t, first, in.train.Counts()[from:from+t.Classes], weights[from:from+t.Classes], p.MinCount, p.Plan.File.Neighbours > 0)
		}
	}
	if err := out.Only(b, in.counts); err != nil {
		return err
	}
	files, err := tables.Files()
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	files["tables.json"] = append(text, '\n')
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := out.AddFile(name, files[name]); err != nil {
			return err
		}
	}
	return nil
}

// appendPhase appends the row of a phase of a pattern.
func appendPhase(b *columns.Batch, t pattern.TableInfo, first int, counts []uint32, weights []float64, least int, tied bool) {
	var seen, fitted, occurrences int64
	square, largest := 0.0, 0.0
	for i, n := range counts {
		if n > 0 {
			seen++
			if math.Abs(weights[i]) > math.Abs(largest) {
				largest = weights[i]
			}
		}
		if int(n) >= least && (n > 0 || tied) {
			fitted++
		}
		occurrences += int64(n)
		square += float64(n) * weights[i] * weights[i]
	}
	b.Col("pattern").AppendString(t.Name)
	b.Col("squares").AppendInt32(int32(t.Squares))
	b.Col("places").AppendInt32(int32(t.Places))
	b.Col("first_pieces").AppendInt32(int32(first))
	b.Col("weights").AppendInt64(int64(len(weights)))
	b.Col("seen").AppendInt64(seen)
	b.Col("fitted").AppendInt64(fitted)
	b.Col("occurrences").AppendInt64(occurrences)
	b.Col("rms").AppendFloat64(math.Sqrt(square / float64(max(1, occurrences))))
	b.Col("largest").AppendFloat64(largest)
	b.Rows++
}

// Print prints what the fit in a directory found.
func Print(w io.Writer, dir *datasets.Dir) error {
	text, err := dir.ReadFile("tables.json")
	if err != nil {
		return err
	}
	r := new(schemas.TablesFit)
	if err := json.Unmarshal(text, r); err != nil {
		return fmt.Errorf("%s/tables.json: %w", dir.Path, err)
	}
	n := func(v int) string { return human.Grouped(int64(v)) }
	fmt.Fprintf(w, "%s: %s fitted by %s to %s positions of %s games\n", r.Game, r.Patterns, r.Method, n(r.Positions), n(r.Games))
	fmt.Fprintf(w, "  %s weights, of which %s occur; ridge as %g positions, neighbours as %g\n", n(r.Weights), n(r.Seen), r.Ridge, r.Neighbours)
	fmt.Fprintf(w, "  %s; gradient norm %.1e after %s, %s of conjugate gradients\n", r.Status, r.Norm, human.Plural(int64(r.Steps), "step", "steps"), human.Plural(int64(r.Iterations), "iteration", "iterations"))
	if r.Method != losses.Value {
		fmt.Fprintf(w, "  scale w_0 %.6g per %s\n", r.Scale, r.Unit)
	}
	if r.Cut > 0 {
		fmt.Fprintf(w, "  note: %s cut off at the limits of 16 bits: take a larger grain\n", human.Plural(int64(r.Cut), "weight was", "weights were"))
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "  %s\tpositions\tgames\ttables\tpresent values\tconstant\n", lossName(r.Method))
	line := func(name string, l *schemas.TablesLoss) {
		present := "–"
		if l.Present != nil {
			present = fmt.Sprintf("%.5f", *l.Present)
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\t%.5f\t%s\t%.5f\n", name, n(l.Positions), n(l.Games), l.Loss, present, l.Nothing)
	}
	line("fitted to", &r.Fitted)
	if r.HeldOut != nil {
		line("held out", r.HeldOut)
	}
	if len(r.Strongest) > 0 {
		if err := t.Flush(); err != nil {
			return err
		}
		fitted.PrintClusters(w, r.Clusters)
		fmt.Fprintf(t, "\n  strongest\tfrom pieces\tsquares\toccurs\tweight\t± s.e.\tdegrees of freedom\n")
		for _, x := range r.Strongest {
			se, effective := "not available: "+x.Why, ""
			if x.SE != nil {
				se, effective = fmt.Sprintf("%.3f", *x.SE), human.Fixed(*x.EffectiveGames, 0)
			}
			fmt.Fprintf(t, "  %s\t%d\t%s\t%s\t%.3f\t%s\t%s\n", x.Pattern, x.FirstPieces, x.Contents, human.Grouped(x.Occurrences), x.Weight, se, effective)
		}
	}
	return t.Flush()
}

func lossName(method string) string {
	switch method {
	case losses.MLM:
		return "mean log-loss"
	case losses.LS:
		return "mean square of probability"
	}
	return "mean square of the target"
}
