package conjunctions

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/fit/computed"
	"kifu/fit/losses"
	"kifu/fit/sparse"
	"kifu/games"
	"kifu/internal/dyads"
	"kifu/internal/lists"
	"kifu/internal/ordered"
	"kifu/schemas"
)

// Means bounds the resources of a run. They do not change its result.
type Means struct {
	Workers int   // 0: one per processor
	Memory  int64 // bytes for the rows of the fit; 0: any number
	Columns computed.Reader
	// Players are the players of the games, and Names theirs; nil: unknown. Errors allow for players who return.
	Players dyads.Players
	Names   *dyads.Names
}

// Run finds conjunctions in the positions or labels of dir and writes the dataset. test is the
// dataset to test on; nil for none, or for a share of the games of dir (Params.Holdout).
func Run[P games.Position[P]](ctx context.Context, rules games.Rules[P], p Params, m Means, dir, test *datasets.Dir, out *datasets.Builder) error {
	if err := p.Validate(); err != nil {
		return err
	}
	if _, drawn := rules.(games.Drawer[P]); p.Board && !drawn {
		return fmt.Errorf("%s has no board of squares: use --columns-only and --cut", rules.Name())
	}
	m.Workers = ordered.Workers(m.Workers)
	in := &input{hashes: map[uint64]bool{}, noGames: dir.Manifest.Meta[schemas.NoGames] != "", memory: m.Memory}
	for i, d := range []*datasets.Dir{dir, test} {
		if d == nil {
			continue
		}
		if of := d.Manifest.Meta["game"]; of != rules.Name() {
			return fmt.Errorf("%s holds positions of %s, not of %s", d.Path, of, rules.Name())
		}
		if err := read(ctx, in, rules, p, m.Workers, d, i == 1, m.Columns); err != nil {
			return err
		}
	}
	if in.train.N == 0 {
		return in.nothingLeft(dir)
	}
	won := count(in.train.Won)
	if won == 0 || won == in.train.N {
		return fmt.Errorf("%s: all %d positions have the same winner: there is nothing to predict", dir.Path, in.train.N)
	}
	if err := p.bound(in.atoms, in.train.N, m.Memory); err != nil {
		return fmt.Errorf("%s: %w", dir.Path, err)
	}
	r := &run{Params: p, means: m, in: in, won: won}
	if err := r.find(ctx); err != nil {
		return fmt.Errorf("%s: %w", dir.Path, err)
	}
	if err := r.learn(ctx); err != nil {
		return fmt.Errorf("%s: %w", dir.Path, err)
	}
	if err := r.judge(ctx); err != nil {
		return err
	}
	r.fit.Game = rules.Name()
	if p.Method != losses.Value && p.Board && p.Select != selectRules {
		files, err := in.atoms.tables(rules.Name(), p.Side, rules.(games.Drawer[P]).Pieces(), r.sets, r.weights, r.out)
		if err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			if err := out.AddFile(name, files[name]); err != nil {
				return err
			}
		}
	}
	return r.write(ctx, out)
}

// surely returns how many positions of dir are learned from, at the least: two thirds may be drawn or their games unfinished.
// A condition may leave any number.
func surely(p Params, dir *datasets.Dir) int {
	if p.Where != "" {
		return 0
	}
	return int(float64(dir.Rows()) * (1 - p.Holdout) / 3)
}

// bound returns an error if all conjunctions are to be fitted, and n positions or more are sure to take more than memory bytes.
func (p Params) bound(a *Atoms, n int, memory int64) error {
	if p.Select != selectAll || p.Method == bayes {
		return nil
	}
	l, err := p.limits(a)
	if err != nil {
		return err
	}
	return a.bound(l, n, memory)
}

// limits returns what is looked for among atoms.
func (p Params) limits(a *Atoms) (l Limits, err error) {
	l = Limits{Support: p.Support, Size: p.Size, Merge: p.Merge, Most: p.Most, Fewer: p.Fewer}
	if p.Distance > 0 {
		l.Pair = a.near(p.Distance)
	}
	l.Lists, err = a.lists(p.Squares)
	return l, err
}

// run is the work on what was read.
type run struct {
	Params
	means   Means
	in      *input
	all     []Set // found
	sets    []Set // selected
	won     int   // positions to learn from
	choices []Choice
	weights Weights
	out     map[int]bool // of sets: pruned
	// estimate is nil for the method bayes; its weights belong to the sets that were not pruned, after
	// the constant.
	estimate *sparse.Estimate
	fit      schemas.ConjunctionsFit
}

// find mines and selects.
func (r *run) find(ctx context.Context) error {
	a := r.in.atoms
	l, err := r.limits(a)
	if err != nil {
		return err
	}
	if r.grown() {
		l.Size = 1
	}
	found, err := mine(ctx, r.in.train, a, l, r.means.Workers)
	if err != nil {
		return err
	}
	if found.N == 0 {
		return fmt.Errorf("no atom is true in at least %d positions without being true in all %d: lower --min-support", r.Support, r.in.train.N)
	}
	for _, level := range found.Levels {
		r.fit.Found = append(r.fit.Found, len(level.atom))
	}
	r.fit.Atoms, r.fit.Merged, r.fit.Rare, r.fit.LeftOut = len(a.List), found.Merged, found.Rare, found.LeftOut
	r.all = found.Sets()
	r.sets = r.all
	if r.Select == "" {
		if r.Select = selectAll; found.N > manyFound {
			r.Select = selectMany
		}
	}
	n, err := r.choose()
	switch {
	case err != nil:
		return err
	case r.grown():
		l.Size = r.Size
		if r.sets, err = tree(ctx, r.in.train, a, l, r.in.copies, r.Seed); err != nil {
			return err
		}
		if len(r.sets) == 0 {
			return fmt.Errorf("no split predicts the winner, so the tree is empty")
		}
		if r.Select == selectRules {
			r.sets = Rules(r.in.train, a, r.sets)
		}
	case n > 0:
		if r.choices, err = cmim(ctx, r.in.train, r.all, n, r.means.Workers); err != nil {
			return err
		}
		if len(r.choices) == 0 {
			return fmt.Errorf("none of %d conjunctions predicts the winner", len(r.all))
		}
		r.sets = make([]Set, len(r.choices))
		for i, c := range r.choices {
			r.sets[i] = r.all[c.Set]
		}
	}
	return enough(r.sets, r.in.train.N, r.means.Memory)
}

// learn finds the weights.
func (r *run) learn(ctx context.Context) error {
	f := &r.fit
	f.Method, f.Side, f.Select, f.Target, f.Where = r.Method, r.Side, r.Select, r.Target, r.Where
	f.MinSupport, f.MaxSize, f.Merge, f.Ridge, f.Prune, f.Holdout, f.Seed = r.Support, r.Size, r.Merge, r.Ridge, r.Prune, r.Holdout, r.Seed
	f.Selected, f.Truths, f.Excluded = len(r.sets), Truths(r.sets), r.in.counts.Rejected
	if r.Method == bayes {
		r.weights = naive(r.in.train, r.sets)
		f.Constant, f.Status = r.weights.Constant, "counted"
		return nil
	}
	var taken []int
	var err error
	if r.weights, r.estimate, taken, err = pruned(ctx, r.in.train, r.sets, r.Params, r.means.Workers); err != nil {
		return err
	}
	r.out = map[int]bool{}
	for _, i := range taken {
		r.out[i] = true
	}
	f.Pruned, f.Constant = len(taken), r.weights.Constant
	f.Norm, f.Iterations, f.Status = r.estimate.Norm, r.estimate.Iterations, r.estimate.Status
	return nil
}

// judge measures how well constant, atoms and conjunctions predict.
func (r *run) judge(ctx context.Context) error {
	atoms := lists.Where(r.all, func(s Set) bool { return len(s.Atoms) == 1 })
	p, alone := r.Params, naive(r.in.train, atoms)
	if p.Method != bayes {
		var err error
		if alone, _, err = fitted(ctx, r.in.train, atoms, p, r.means.Workers); err != nil {
			return err
		}
	}
	constant := r.in.train.constant(r.Method)
	samples := []*Sample{r.in.train}
	if r.Holdout > 0 || r.Test {
		samples = append(samples, r.in.held)
	}
	for i, s := range samples {
		a, err := alone.scores(ctx, s, atoms, r.means.Workers)
		if err != nil {
			return err
		}
		c, err := r.weights.scores(ctx, s, r.sets, r.means.Workers)
		if err != nil {
			return err
		}
		none := s.measure(r.Method, func(int) float64 { return constant })
		one := s.measure(r.Method, func(i int) float64 { return a[i] })
		many := s.measure(r.Method, func(i int) float64 { return c[i] })
		sample := schemas.ConjunctionsSample{Positions: s.N, Games: s.games(),
			Nothing: s.quality(none), Atoms: s.quality(one), Conjunctions: s.quality(many), Gain: s.gain(many, one)}
		if i == 0 {
			r.fit.Train = sample
		} else {
			r.fit.HeldOut, r.fit.Known = &sample, r.in.known
		}
	}
	return nil
}

// write writes the dataset.
func (r *run) write(ctx context.Context, out *datasets.Builder) error {
	out.SetTable(schemas.Conjunctions)
	out.SetMeta("game", r.fit.Game)
	out.SetMeta("method", r.Method)
	out.SetMeta("side", r.Side)
	order := r.order()
	all, err := r.errors(ctx, order)
	if err != nil {
		return err
	}
	text, err := r.toml(order)
	if err != nil {
		return err
	}
	if err := errors.Join(out.AddJSON("conjunctions.json", r.fit), out.AddFile("conjunctions.toml", text)); err != nil {
		return err
	}
	if r.Select == selectRules {
		if err := out.AddFile("rules.sql", []byte(r.in.atoms.caseOf(r.sets)+"\n")); err != nil {
			return err
		}
	}
	if _, done := out.Done(0); done {
		return nil
	}
	w, err := out.Part(0)
	if err != nil {
		return err
	}
	b := columns.NewBatch(schemas.Conjunctions)
	for _, i := range order {
		r.append(b, i, all)
		if b.Rows == 1<<16 || i == order[len(order)-1] {
			if err := w.Put(b); err != nil {
				w.Abort()
				return err
			}
			b.Reset()
		}
	}
	counts := r.in.counts
	counts.Written = int64(len(order))
	return w.Close(counts, nil)
}

// order returns the sets in the order of the table: the leaves of a tree from left to right and rules as they decide, else the strongest first.
func (r *run) order() []int {
	order := byWeight(r.weights.Of)
	if r.grown() {
		slices.Sort(order)
	}
	return order
}

// append appends set i.
func (r *run) append(b *columns.Batch, i int, all map[int]known) {
	set := r.sets[i]
	b.Col("conjunction").AppendString(cmp.Or(r.in.atoms.Name(set.Atoms), "otherwise"))
	b.Col("size").AppendInt32(int32(len(set.Atoms)))
	b.Col("squares").AppendString(strings.Join(r.in.atoms.squares(set.Atoms), " "))
	b.Col("sql").AppendString(r.in.atoms.SQL(set.Atoms))
	b.Col("positions").AppendInt64(int64(set.Support))
	b.Col("won").AppendFloat64(float64(set.Won) / float64(set.Support))
	b.Col("information").AppendFloat64(information(r.in.train.N, set.Support, r.won, set.Won))
	number := func(name string, x float64, ok bool) { b.Col(name).AppendFloat64If(x, ok) }
	b.Col("rank").AppendInt32If(int32(i+1), r.Select != selectAll)
	if r.choices == nil {
		b.Col("score").AppendNull()
	} else {
		b.Col("score").AppendFloat64(r.choices[i].Score)
	}
	number("weight", r.weights.Of[i], !r.out[i])
	x, ok := all[i]
	ok = ok && !math.IsNaN(x.se)
	number("se", x.se, ok)
	number("effective_games", x.degrees, ok)
	number("p", x.p, ok)
	number("q", x.q, ok)
	b.Rows++
}

// squares returns the squares of atoms.
func (a *Atoms) squares(atoms []uint32) (names []string) {
	for _, x := range atoms {
		if c := a.List[x].Cell; c >= 0 {
			names = append(names, a.board.Names[c])
		}
	}
	return names
}

// file is conjunctions.toml.
type file struct {
	Game         string            `toml:"game"`
	Method       string            `toml:"method"`
	Side         string            `toml:"side"`
	Constant     float64           `toml:"constant"`
	Conjunctions []FileConjunction `toml:"conjunction"`
}

// FileConjunction is a conjunction of a file.
type FileConjunction struct {
	When   []string `toml:"when"`
	Weight float64  `toml:"weight"`
}

func (r *run) toml(order []int) ([]byte, error) {
	f := file{Game: r.fit.Game, Method: r.Method, Side: r.Side, Constant: r.weights.Constant}
	for _, i := range order {
		if r.out[i] {
			continue
		}
		c := FileConjunction{Weight: r.weights.Of[i]}
		for _, a := range r.sets[i].Atoms {
			c.When = append(c.When, r.in.atoms.List[a].Name)
		}
		f.Conjunctions = append(f.Conjunctions, c)
	}
	var text bytes.Buffer
	text.WriteString("# The value of a position is the constant, and the weight of each conjunction that is true in it.\n")
	err := toml.NewEncoder(&text).Encode(f)
	return text.Bytes(), err
}
