package fit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/eval"
	"kifu/fit/computed"
	"kifu/fit/constraints"
	"kifu/fit/losses"
	"kifu/fit/mapped"
	"kifu/fit/method"
	"kifu/fit/rows"
	"kifu/fit/scale"
	"kifu/fit/solve"
	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/internal/progress"
	"kifu/query"
	"kifu/schemas"
)

// loadModel reads the evaluator that is next to the labels, in the order of their features.
func loadModel(in *datasets.Dir) (*eval.Model, error) {
	text, err := in.ReadFile("weights.toml")
	if err != nil {
		return nil, err
	}
	m, err := eval.ReadModel(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s/weights.toml: %w", in.Path, err)
	}
	return m, nil
}

// freeTerms returns the indices of the terms that are freed, ascending.
func (in *input) freeTerms(zeroed string) ([]int, error) {
	names := in.p.Free
	if len(names) == 0 && len(in.p.Add) == 0 && zeroed != "" {
		names = strings.Split(zeroed, ",")
	}
	free := map[int]bool{}
	for _, name := range names {
		if name == "all" {
			for i := range in.model.Terms {
				free[i] = true
			}
			continue
		}
		terms, err := in.model.Match(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		for _, i := range terms {
			free[i] = true
		}
	}
	var out []int
	for i, t := range in.model.Terms {
		if free[i] {
			out = append(out, i)
		}
		for _, f := range in.p.Add {
			// Names of fitted groups include their terms.
			if f.Name == t.Name || free[i] && f.Name == t.Group {
				return nil, fmt.Errorf("--add %s: the evaluator has a term or group of that name: rename the feature, as in %s_score=%s, or fit the term with --free %s", f.Name, f.Name, f.SQL, f.Name)
			}
		}
		for _, name := range in.p.builtin() {
			if name == t.Name {
				return nil, fmt.Errorf("the evaluator has a term named %s: free it instead", name)
			}
		}
	}
	return out, nil
}

// holdsScale reports whether the solver will hold the scale, because it sees all of e(p) free.
func (in *input) holdsScale() bool {
	if in.p.Scale != 0 || in.p.name == losses.LSTD || in.p.L1 > 0 || in.p.L2 > 0 || len(in.p.Prior) > 0 || len(in.p.Bounds) > 0 || in.p.ScaleBy != "" || len(in.free) == 0 {
		return false
	}
	for i, t := range in.model.Terms {
		if !slices.Contains(in.free, i) && slices.ContainsFunc(t.Weights, func(w float64) bool { return w != 0 }) {
			return false
		}
	}
	return true
}

// begin reads what a fit needs to know before it reads the labels.
func begin(ctx context.Context, p choices, from Sources, columns computed.Reader) (_ *input, err error) {
	dir := from.Labels
	if err := Wants(p.name, dir); err != nil {
		return nil, err
	}
	if p.temporal() {
		if dir.Manifest.Meta[schemas.NoGames] != "" {
			return nil, fmt.Errorf("%s holds positions of no known games: temporal differences follow the positions of a game, every one of them", dir.Path)
		}
		if err := sequential(dir); err != nil {
			return nil, err
		}
	}
	in := &input{p: p, leaf: dir.Manifest.Meta["leaf"], noGames: dir.Manifest.Meta[schemas.NoGames] != "", expects: p.Expected == "" && dir.Table.Index(schemas.ExpectedResult.Name) >= 0}
	if in.model, err = loadModel(dir); err != nil {
		return nil, err
	}
	if in.free, err = in.freeTerms(dir.Manifest.Meta["zeroed"]); err != nil {
		return nil, err
	}
	if len(in.free) == 0 && len(p.Add) == 0 {
		only := "no weight is free, so only the scale is fitted"
		if p.Scale != 0 {
			only = "no weight is free and the scale is fixed, so nothing is fitted"
		}
		in.notes = append(in.notes, schemas.FitNote{Kind: "scale", Text: only + ": name terms or groups with --free (" +
			strings.Join(in.model.Groups(), ", ") + ", or all)"})
	}
	if in.design, err = in.newDesign(nil); err != nil {
		return nil, err
	}
	if in.holdsScale() {
		progress.Note(ctx, "fit: all weights are free, so w_0 is fixed at the best value for the present weights (--scale fixes another)")
	}
	if in.levelled, err = in.readLevels(ctx, from, columns); err != nil {
		return nil, err
	}
	in.wanted, err = computed.WantedGames(ctx, p.GamesWhere, from.Games, columns)
	return in, err
}

// read reads the labels, and those to test on.
func read(ctx context.Context, p choices, m Means, from Sources, columns computed.Reader) (_ *input, err error) {
	dir := from.Labels
	in, err := begin(ctx, p, from, columns)
	if err != nil {
		return nil, err
	}
	if err := in.findCopies(ctx, m, from); err != nil {
		return nil, err
	}
	in.spill = mapped.New("", m.Memory)
	defer func() {
		if err != nil {
			err = errors.Join(err, in.close())
		}
	}()
	in.train, in.held = in.newSample(), in.newSample()
	for _, s := range []source{{dir: dir, wanted: in.wanted}, {dir: from.Test, test: true}} {
		if s.dir == nil {
			continue
		}
		if err := in.compute(ctx, &s, dir, columns); err != nil {
			return nil, err
		}
		if err := errors.Join(in.readRows(ctx, m.workers(), s), s.computed.Close()); err != nil {
			return nil, err
		}
		if !s.test {
			in.unseen = s.computed.Unseen()
			if err := s.computed.Followed(); err != nil {
				return nil, err
			}
		}
	}
	players, names, err := bygame.Named(ctx, from.Names, m.workers(), p.Aliases)
	if err != nil {
		return nil, err
	}
	if in.ratings, err = readRatings(ctx, from.Names); err != nil {
		return nil, err
	}
	for _, s := range []*sample{in.train, in.held} {
		if err := s.finish(in); err != nil {
			return nil, fmt.Errorf("%s: %w", dir.Path, err)
		}
		if s == in.train || from.Test == nil {
			s.rows.Players, s.rows.Names = players, names
		}
		if in.copies != nil {
			s.rows.Copies = in.copies.Of
		}
	}
	return in, in.weigh(m)
}

// readRows reads the rows of s into the samples.
func (in *input) readRows(ctx context.Context, workers int, s source) (err error) {
	decoders := make([]*decoder, workers)
	for w := range decoders {
		if decoders[w], err = newDecoder(in, s); err != nil {
			return err
		}
	}
	return s.computed.ReadGroups(ctx, workers, func(w int, g datasets.Group) error { return decoders[w].decode(ctx, g, g.First) }, func(w int) error {
		decoders[w].deliver(in)
		in.train.build.Cut()
		in.held.build.Cut()
		return nil
	})
}

// findCopies looks for games that must not be on two sides of a hold-out.
func (in *input) findCopies(ctx context.Context, m Means, from Sources) (err error) {
	if in.p.Holdout > 0 || in.p.Folds > 0 {
		in.copies, err = bygame.CopiesOf(ctx, from.Labels, from.Names, "fit: copies", m.Memory/4)
		if err == nil && in.copies == nil {
			in.notes = append(in.notes, schemas.FitNote{Kind: "copies", Text: "equal games cannot be found: a copy of a fitted game may be among the tested ones"})
		}
		return err
	}
	if from.Test == nil {
		return nil
	}
	both, told, err := bygame.Known(ctx, from.Labels, from.Test, "fit: copies")
	switch {
	case err != nil:
	case !told:
		in.notes = append(in.notes, schemas.FitNote{Kind: "copies", Text: "equal positions cannot be found: games of --test may be among the fitted ones"})
	case len(both) > 0:
		in.notes = append(in.notes, schemas.FitNote{Kind: "copies", Text: fmt.Sprintf("%s of --test share a position from ply %d on with fitted games: predicting them is no test", human.Plural(int64(len(both)), "game", "games"), bygame.CopiesFrom)})
	}
	return err
}

// compute prepares what is computed of the positions of s. A dataset to test on has to be of
// the evaluator of the labels.
func (in *input) compute(ctx context.Context, s *source, labels *datasets.Dir, columns computed.Reader) (err error) {
	if s.test {
		if err := Wants(in.p.name, s.dir); err != nil {
			return err
		}
		if err := Alike(labels, s.dir); err != nil {
			return err
		}
	}
	want := computed.Expressions{Add: in.p.Add, Target: computed.Target("--target", in.p.Target), Where: computed.Condition("--where", in.p.Where), Level: in.levelled.column}
	if in.p.Expected != "" {
		want.Target = computed.Target("--expected", in.p.Expected)
	}
	if s.computed, err = computed.Open(ctx, want, s.dir, columns); err != nil {
		return err
	}
	s.computed.LevelOf = in.levelled.of
	if in.p.WithoutBlunders > 0 && !s.test {
		if err := s.computed.LookForBlunders(in.leaf, in.p.WithoutBlunders); err != nil {
			return errors.Join(err, s.computed.Close())
		}
	}
	return nil
}

// weigh maps spilled rows in, weighs the rows, and blends targets into results.
func (in *input) weigh(m Means) error {
	if err := in.spill.MapIn(); err != nil {
		return err
	}
	r := in.train.rows
	if in.design.Decided != nil {
		r.WeighDecisions(in.p.Weight == method.ByGame)
		in.held.rows.WeighDecisions(false)
	}
	if r.N == 0 {
		return nil
	}
	if in.p.Weight == method.ByGame && in.train.gather == nil {
		r.ByGame()
	}
	if in.p.Blend == 0 {
		return nil
	}
	in.targetScale = in.p.TargetScale
	if in.targetScale == 0 {
		var ok bool
		if in.targetScale, ok = scale.Of(r, losses.Logistic{}, rows.Targets, m.workers()); !ok || in.targetScale <= 0 {
			return solve.Refuse("no scale", []string{"target"}, "the values of --target do not predict the results, so they give no win probabilities: check that they are from the first player's side, or give --target-scale")
		}
	}
	r.Blend(in.p.Blend, in.targetScale)
	return nil
}

// newDesign is the design of the choices, with more terms that have one weight for all stages.
func (in *input) newDesign(untapered []string) (*rows.Design, error) {
	names := lists.Of(in.p.Add, func(f computed.Feature) string { return f.Name })
	d := rows.NewDesign(in.model, in.free, in.p.builtin(), names)
	for j := range d.Params {
		if i := in.real(d.Params[j].Term); i >= 0 && d.Params[j].Index < 0 {
			d.Params[j].Initial = in.model.Reals[i].Weight
		}
	}
	d.Drawn, d.Decided = in.p.name == losses.Ordered, losses.DecisionsOf(in.p.name)
	return d, constraints.Set{Prior: in.p.Prior, Bounds: in.p.Bounds, Tie: in.p.Tie, Untapered: slices.Concat(in.p.Untapered, untapered)}.Apply(d)
}

// real returns the index of the real-valued feature that is added by that name, -1 if it is none.
func (in *input) real(name string) int {
	if !slices.ContainsFunc(in.p.Add, func(f computed.Feature) bool { return f.Name == name && f.SQL == query.QuoteName(name) }) {
		return -1
	}
	return slices.IndexFunc(in.model.Reals, func(r eval.Real) bool { return r.Name == name })
}
