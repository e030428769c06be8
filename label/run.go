package label

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/eval"
	"kifu/games"
	"kifu/internal/ordered"
	"kifu/label/rollout"
	"kifu/schemas"
	"kifu/search"
	dfpn "kifu/search/mate"
)

// Run labels the positions in and writes them to out, part by part, on the given number of
// workers (0: one per processor).
func Run[P games.Position[P]](ctx context.Context, g eval.Game[P], p Params, workers int, in *datasets.Dir, out *datasets.Builder) error {
	if err := in.Want("positions"); err != nil {
		return err
	}
	if of := in.Manifest.Meta["game"]; of != g.Rules.Name() {
		return fmt.Errorf("%s holds positions of %s, not of %s", in.Path, of, g.Rules.Name())
	}
	plan, err := newPlan(g, p, in.Table)
	if err != nil {
		return err
	}
	plan.stopped = ctx.Err
	weights, err := plan.zeroed.TOML()
	if err != nil {
		return err
	}
	out.SetTable(plan.table)
	out.SetMeta("game", g.Rules.Name())
	if without := in.Manifest.Meta[schemas.NoGames]; without != "" {
		out.SetMeta(schemas.NoGames, without)
	}
	out.SetMeta("unit", plan.full.Unit)
	out.SetMeta("evaluator", plan.full.Name)
	out.SetMeta("values", strings.Join(plan.values, ","))
	if c := p.Choices; c == nil && !p.ValuesAlone {
		out.SetMeta("groups", strings.Join(plan.full.Groups(), ","))
	} else if c != nil {
		out.SetMeta("alternatives", strconv.Itoa(c.Alternatives))
		out.SetMeta("seed", strconv.FormatUint(c.Seed, 10))
	}
	out.SetMeta("leaf", plan.values[len(plan.values)-1])
	out.SetMeta("zeroed", strings.Join(p.Zero, ","))
	if p.Solve > 0 && p.Backward == nil {
		out.SetMeta("solved", strconv.Itoa(p.Solve))
	}
	if p.Endings != nil {
		out.SetMeta("endings", strings.Join(p.Endings.Names, ","))
	}
	if r := p.Rollouts; r != nil {
		out.SetMeta("rollouts", strconv.Itoa(r.Games))
	}
	if len(p.Adjudicate) > 0 {
		out.SetMeta("adjudicated", strings.Join(p.Adjudicate, ","))
	}
	if err := out.AddFile("weights.toml", weights); err != nil {
		return err
	}
	if err := plan.full.AddTables(out.AddFile); err != nil {
		return err
	}
	if e := p.Engine; e != nil {
		out.SetMeta("engine", e.Name)
		workers = ordered.Workers(workers)
		return runEngine(ctx, plan, workers, in, out)
	}
	o := datasets.MapOptions{Workers: workers, Title: "label", Unit: "positions"}
	if p.Backward == nil && p.Choices == nil {
		o.Copy, o.Columns = true, []string{"board"}
		if len(plan.verdicts) > 0 {
			o.Columns = append(o.Columns, "game_id", "result")
		}
	}
	var known map[uint64]float32
	if p.Backward != nil {
		if known, err = knownValues(ctx, g.Rules, p.Backward.Known); err != nil {
			return err
		}
	}
	return datasets.Map(ctx, in, out, o, func() datasets.MapFunc {
		if p.Backward != nil {
			return newBackward(newWorker(plan), *p.Backward, known).label
		}
		if p.Choices != nil {
			return newChooser(plan, *p.Choices).label
		}
		return newWorker(plan).label
	})
}

// plan holds what all workers share.
type plan[P games.Position[P]] struct {
	game         eval.Game[P]
	searches     []how
	values       []string         // columns of the searches
	full, zeroed *eval.Model      // zeroed: without the terms of Params.Zero
	verdicts     []verdict        // of adjudication
	solver       games.Solver[P]  // nil unless endings are solved
	solve        int              // greatest number of moves left to solve
	rollouts     *Rollouts        // nil unless random games are played
	checker      games.Checker[P] // nil unless mates are searched for
	mateNodes    int
	declarer     games.Declarer[P] // nil unless adjudication asks for declarations
	engine       *Engine           // nil: none
	variations   bool
	alone        bool // values without features and scores
	table        schemas.Table
	made         int          // number of columns that worker.label fills; they follow those of positions
	stopped      func() error // asked before each position: one may take seconds
}

func newPlan[P games.Position[P]](g eval.Game[P], p Params, positions schemas.Table) (*plan[P], error) {
	pl := &plan[P]{game: g, full: p.Eval, engine: p.Engine, variations: p.Variations, alone: p.ValuesAlone, stopped: func() error { return nil }}
	if pl.full == nil {
		pl.full = g.Default()
	}
	e, err := g.NewEvaluator(pl.full)
	if err != nil {
		return nil, err
	}
	pl.full = e.Model()
	if pl.zeroed, err = pl.full.Zero(p.Zero...); err != nil {
		return nil, err
	}
	if pl.searches, err = parseSearches(p.Search); err != nil {
		return nil, err
	}
	for _, h := range pl.searches {
		pl.values = append(pl.values, h.columns...)
	}
	if n := len(pl.full.Groups()); n > math.MaxUint8 {
		return nil, fmt.Errorf("%d groups of terms: at most %d", n, math.MaxUint8)
	}
	if pl.table = schemas.Labels(positions, pl.values, pl.full.Groups(), pl.values[len(pl.values)-1]); pl.alone {
		pl.table = schemas.Values(positions, pl.values)
	}
	if pl.verdicts, err = parseVerdicts(p.Adjudicate); err != nil {
		return nil, err
	}
	if len(pl.verdicts) > 0 && positions.Index("occurrences") >= 0 {
		return nil, errors.New("distinct positions (transform --dedup) represent many games: their results cannot be adjudicated")
	}
	if p.Variations {
		pl.table.Columns = append(pl.table.Columns, schemas.VariationColumns(pl.values, g.Rules.BoardSize())...)
	}
	if p.Solve > 0 {
		if pl.solver, err = solverOf(g.Rules, p.Solve); err != nil {
			return nil, err
		}
		if pl.solve = p.Solve; p.Backward == nil {
			pl.table.Columns = append(pl.table.Columns, schemas.SolveColumn(p.Solve))
		}
	}
	if p.Endings != nil {
		pl.solver = &tabled[P]{rules: g.Rules, tables: p.Endings.Tables}
		pl.table.Columns = append(pl.table.Columns, schemas.EndingColumn())
	}
	if pl.rollouts = p.Rollouts; p.Rollouts != nil {
		pl.table.Columns = append(pl.table.Columns, schemas.RolloutColumns(p.Rollouts.Games)...)
	}
	if err := pl.claims(p); err != nil {
		return nil, err
	}
	pl.made = len(pl.table.Columns) - len(positions.Columns)
	if p.Backward != nil {
		pl.table.Columns = append(pl.table.Columns, schemas.BackwardColumn())
	}
	if p.Engine != nil {
		pl.table.Columns = append(pl.table.Columns, schemas.EngineColumns(p.Engine.Static, p.Engine.Mate > 0)...)
	}
	if p.Choices != nil {
		if pl.table, err = pl.choicesTable(positions); err != nil {
			return nil, err
		}
	}
	seen := map[string]bool{}
	for _, c := range pl.table.Columns {
		if seen[c.Name] {
			return nil, fmt.Errorf("two columns are named %s: rename the term group, or label positions instead of labels", c.Name)
		}
		seen[c.Name] = true
	}
	return pl, nil
}

// claims prepares the search for mates and for declared wins.
func (pl *plan[P]) claims(p Params) (err error) {
	if pl.mateNodes = p.Mate; p.Mate == 0 && anyOf(pl.verdicts, "mate") {
		pl.mateNodes = adjudicationNodes
	}
	if pl.mateNodes > 0 {
		if pl.checker, err = checkerOf(pl.game.Rules); err != nil {
			return err
		}
	}
	if p.Mate > 0 {
		pl.table.Columns = append(pl.table.Columns, schemas.MateColumns(p.Mate)...)
	}
	if anyOf(pl.verdicts, "declare") {
		pl.declarer, err = declarerOf(pl.game.Rules)
	}
	return err
}

// worker labels row groups, one after the other.
type worker[P games.Position[P]] struct {
	*plan[P]
	evaluator   eval.Evaluator[P]
	expecter    eval.Expecter // evaluator, if it implements it and the leaf is often the position itself
	searcher    *search.Searcher[P]
	adjudicator *adjudicator[P]
	groupOf     []uint8     // of each term
	weights     [][]float64 // by phase: the full model's, one a term
	features    []eval.Feature
	repeats     repeats
	mates       mates[P]
	outcomes    outcomes[P]

	// The last result of trace. One position in six has the same leaf as the previous one.
	leaf   uint64 // its hash
	traced bool
	phase  int
	scores []float64 // of each group
	bytes  []byte
}

func newWorker[P games.Position[P]](pl *plan[P]) *worker[P] {
	e, err := pl.game.NewEvaluator(pl.zeroed)
	if err != nil {
		panic("label: the model was accepted before: " + err.Error())
	}
	w := &worker[P]{plan: pl, evaluator: e, searcher: search.New(e), repeats: newRepeats(), adjudicator: newAdjudicator(pl.game.Rules, pl.verdicts)}
	if pl.searches[len(pl.searches)-1].kind != fixedDepth && !pl.alone {
		w.expecter, _ = e.(eval.Expecter)
	}
	if pl.checker != nil {
		w.mates = mates[P]{rules: pl.game.Rules, solver: dfpn.New(pl.checker, pl.mateNodes)}
	}
	if pl.rollouts != nil {
		w.outcomes = outcomes[P]{Rollouts: *pl.rollouts, roller: rollout.New(pl.game.Rules)}
	}
	groups := pl.full.Groups()
	g := -1
	for i, t := range pl.full.Terms {
		if i == 0 || t.Group != pl.full.Terms[i-1].Group {
			g++
		}
		w.groupOf = append(w.groupOf, uint8(g))
	}
	if !pl.alone {
		w.scores = make([]float64, len(groups))
	}
	return w
}

// output is the columns that label computes.
type output[P games.Position[P]] struct {
	values, groups  []columns.Vec
	phase, features *columns.Vec
	variations      *variations[P]
	ending          ending[P]
}

// columns finds the computed columns in out, after the first ones, and makes room for rows values.
func (w *worker[P]) columns(first, rows int, out *columns.Batch) output[P] {
	made := out.Cols[first:]
	for i := range made[:len(w.values)+len(w.scores)] {
		made[i].Float32 = slices.Grow(made[i].Float32, rows)
	}
	return output[P]{
		values: made[:len(w.values)], groups: made[len(w.values):][:len(w.scores)],
		phase: out.Col("leaf_phase"), features: out.Col("features"),
		variations: newVariations(w.game.Rules, out, w.values),
		ending:     ending[P]{w.solver, w.solve, out.Col("solve_value")},
	}
}

// search writes the values of all searches of p and returns the leaf of the last.
func (w *worker[P]) search(p P, c *output[P]) (leaf P) {
	if w.expecter != nil {
		w.expecter.Expect(p.Hash())
	}
	next := 0 // next value column
	record := func(_ int, r search.Result[P]) {
		c.values[next].AppendFloat32(float32(r.Value) / eval.Grain)
		c.variations.append(next, p, r)
		leaf = r.Leaf
		next++
	}
	for _, h := range w.searches {
		switch h.kind {
		case static:
			record(0, w.searcher.Static(p))
		case quiescence:
			record(0, w.searcher.Quiescence(p))
		case fixedDepth:
			w.searcher.Deepen(p, len(h.columns), record)
		}
	}
	return leaf
}

// progressRows is the number of positions between steps of the progress bar: a row group
// takes minutes at a search of some plies.
const progressRows = 256

// label is a datasets.MapFunc. out takes over the positions' columns without copying: both batches are
// emptied before the next row group is read.
func (w *worker[P]) label(in, out *columns.Batch) (manifest.Counts, error) {
	boards := in.Col("board")
	if boards == nil {
		return manifest.Counts{}, fmt.Errorf("positions without a board column")
	}
	c := w.columns(len(in.Cols), in.Rows, out)
	w.mates.columns(out)
	w.outcomes.wins, w.outcomes.value = out.Col("rollout_wins"), out.Col("rollout_value")
	made := out.Cols[len(in.Cols):][:w.made]
	a := w.adjudicator
	a.claims = a.claims[:0]
	for i := range in.Rows {
		if err := w.stopped(); err != nil {
			return manifest.Counts{}, err
		}
		if i%progressRows == progressRows-1 {
			in.Seen(progressRows)
		}
		if j, ok := w.repeats.find(boards, i); ok {
			for k := range made {
				made[k].AppendFrom(&made[k], j)
			}
			a.claims = append(a.claims, a.claims[j])
			continue
		}
		p, err := w.game.Rules.UnpackBoard(boards.Value(i))
		if err != nil {
			return manifest.Counts{}, fmt.Errorf("row %d of a row group: %w", i, err)
		}
		leaf := w.search(p, &c)
		if !w.alone {
			w.trace(leaf)
			for k, s := range w.scores {
				c.groups[k].AppendFloat32(float32(s))
			}
			c.phase.AppendInt32(int32(w.phase))
			c.features.AppendBytes(w.bytes)
		}
		c.ending.append(p)
		w.outcomes.append(p)
		a.claims = append(a.claims, claim{mover: p.ToMove(), mate: w.mates.append(p), declare: w.declarer != nil && w.declarer.MayDeclare(p)})
	}
	copy(out.Cols, in.Cols)
	out.Rows = in.Rows
	counts := manifest.Counts{Read: int64(in.Rows), Written: int64(out.Rows)}
	if len(w.verdicts) > 0 {
		if err := a.settle(out, &c.values[len(c.values)-1], &counts); err != nil {
			return counts, err
		}
	}
	return counts, nil
}

// trace computes phase, scores and bytes of leaf.
func (w *worker[P]) trace(leaf P) {
	hash := leaf.Hash()
	if w.traced && w.leaf == hash {
		return
	}
	w.features, w.phase = w.evaluator.Trace(leaf, w.features[:0])
	w.leaf, w.traced = hash, true
	weights := w.weightsAt(w.phase)
	clear(w.scores)
	for _, f := range w.features {
		w.scores[w.groupOf[f.Term]] += float64(f.Count) * weights[f.Term]
	}
	w.bytes = eval.AppendPacked(w.bytes[:0], w.features)
}

// weightsAt returns the full model's weights at a phase.
func (w *worker[P]) weightsAt(phase int) []float64 {
	for len(w.weights) <= phase {
		w.weights = append(w.weights, nil)
	}
	if w.weights[phase] == nil {
		mix := w.full.Mix(phase, nil)
		for i := range w.full.Terms {
			w.weights[phase] = append(w.weights[phase], w.full.Terms[i].At(mix))
		}
	}
	return w.weights[phase]
}
