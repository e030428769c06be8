package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/datasets"
	"kifu/eval"
	"kifu/eval/pattern"
	"kifu/internal/bounded"
	"kifu/label"
	"kifu/schemas"
)

// labelFlags are the flags of kifu label.
type labelFlags struct {
	out, eval string
	syzygy    string
	choose    bool
	choices   label.Choices
	rollouts  label.Rollouts
	engine    engineFlags
	params    label.Params
	backward  backwardFlags
	shards    shardFlags
}

func (a *app) labelCommand() *cobra.Command {
	f := labelFlags{params: label.Params{Search: []string{"static", "quiescence"}}}
	cmd := &cobra.Command{
		Use:   "label --out DIR POSITIONS",
		Short: "Evaluate positions, or the moves in them: values, term group scores, features",
		Args:  exactly(1, "a dataset of positions"),
		RunE: func(cmd *cobra.Command, args []string) error {
			flags := cmd.Flags()
			switch random := flags.Changed("rollouts"); {
			case f.backward.phases == "" && (flags.Changed("backward-depth") || flags.Changed("backward-end")):
				return usagef("--backward-depth and --backward-end are for --backward")
			case !f.choose && flags.Changed("alternatives"):
				return usagef("--alternatives is for --choices")
			case !f.choose && !random && flags.Changed("seed"):
				return usagef("--seed is for --choices and --rollouts")
			case random:
				f.rollouts.Seed = f.choices.Seed
				f.params.Rollouts = &f.rollouts
			}
			return a.label(cmd.Context(), f, args[0])
		},
	}
	outFlag(cmd, &f.out)
	f.add(cmd.Flags())
	return cmd
}

func (f *labelFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.eval, "eval", "", "evaluate with the weights in `FILE` (weights.toml, or a pattern file), or with the tables that ship (tables, for Othello), not the default ones of the counted terms (terms)")
	flags.StringSliceVar(&f.params.Search, "search", f.params.Search, "`SEARCHES` to run: static, quiescence, depth:N")
	flags.StringSliceVar(&f.params.Zero, "zero", nil, "`TERM|GROUP`s to take out of the values")
	flags.StringSliceVar(&f.params.Adjudicate, "adjudicate", nil, "settle results by `RULES`: rules, win:VALUE:POSITIONS, draw:VALUE:POSITIONS, mate:WHEN, declare:WHEN")
	flags.BoolVar(&f.params.Variations, "pv", false, "write the principal variations of the searches, too, and the positions at their ends")
	flags.IntVar(&f.params.Solve, "solve", 0, "write the exact values of positions with at most `N` empty squares (Othello), or men and kings (draughts)")
	flags.StringVar(&f.syzygy, "syzygy", "", "write the exact results of positions that the Syzygy tables (.rtbw) in `DIRS` have (chess)")
	flags.IntVar(&f.rollouts.Games, "rollouts", 0, "write the share won of `N` games of random moves from each position, drawn by --seed")
	flags.IntVar(&f.params.Mate, "mate", 0, "write whether the side to move can force a mate, by a search of at most `N` nodes (chess, shogi)")
	flags.BoolVar(&f.choose, "choices", false, "write the moves that could be played in each position, not the positions")
	flags.IntVar(&f.choices.Alternatives, "alternatives", 0, "with --choices: write at most `N` moves that were not played, sampled by --seed (0: all)")
	flags.Uint64Var(&f.choices.Seed, "seed", 1, "seed `S` of the sample of --choices, or of --rollouts")
	f.backward.add(flags)
	f.engine.add(flags)
	f.shards.add(flags)
}

// labelsTable is the schema of labels.
const labelsTable = "labels/v2"

// label makes the labels, or the choices, of a dataset of positions.
func (a *app) label(ctx context.Context, f labelFlags, positions string) error {
	p, table, unit := f.params, labelsTable, "labels"
	if f.choose {
		p.Choices, table, unit = &f.choices, schemas.Choices(schemas.Table{}, nil).ID(), "moves"
	}
	if f.backward.phases != "" {
		p.Backward = &label.Backward{Depth: f.backward.depth}
		if f.backward.depth < 1 || f.backward.end < 1 {
			return usagef("--backward-depth %d, --backward-end %d: want 1 or more", f.backward.depth, f.backward.end)
		}
		if s := f.shards; s.shard != "" || s.finish || s.cluster.url != "" {
			return usagef("--backward goes from stretch to stretch: leave --shard, --finish and --on out")
		}
		if f.engine.command != "" {
			return usagef("--backward asks no engine: leave --engine out")
		}
	}
	if err := p.Validate(); err != nil {
		return usageError{err}
	}
	in, err := a.open(positions, "positions")
	if err != nil {
		return err
	}
	g, err := gameOf(in)
	if err != nil {
		return err
	}
	if p.Eval, err = a.readModel(g, f.eval); err != nil {
		return err
	}
	if f.syzygy != "" {
		t, err := a.endings(g, f.syzygy)
		if err != nil {
			return err
		}
		p.Endings = &label.Endings{Names: t.Names(), Tables: t}
		if err := p.Validate(); err != nil {
			return usageError{err}
		}
	}
	if f.engine.command != "" {
		if err := a.mayStart(f.engine.command); err != nil {
			return err
		}
	}
	if p.Engine, err = f.engine.open(ctx, g, a.dir); err != nil {
		return err
	}
	if f.backward.phases != "" {
		return a.labelBackward(ctx, f, p, g, positions)
	}
	return f.shards.build(ctx, a, f.out, datasets.Step{
		Stage: "label", Output: table, Params: p, Inputs: []string{positions}, Some: true, Apart: p.Engine == nil, // whose parts are of fewer rows
		Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
			return g.label(ctx, p, a.workers, in[0], b)
		},
	}, unit)
}

// readModel is the evaluator of a game's counted terms, or the one that the file or the word stands
// for.
func (a *app) readModel(g game, file string) (*eval.Model, error) {
	switch file {
	case "", eval.Counted:
		return g.model(nil)
	case pattern.Shipped:
		m, err := g.tables.shipped()
		if m == nil && err == nil {
			err = usagef("no tables of %s ship: kifu fit --patterns makes some, or name a file that is called %s as ./%s", g.name, pattern.Shipped, pattern.Shipped)
		}
		return m, err
	}
	text, err := a.readFile(file, bounded.Weights)
	if err != nil {
		return nil, err
	}
	if pattern.Is(text) {
		return a.readTables(g, file, text)
	}
	m, err := g.model(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	a.noteDefaults(file, text, m)
	return m, nil
}

// readTables reads the weights beside a pattern file.
func (a *app) readTables(g game, file string, text []byte) (*eval.Model, error) {
	beside := strings.TrimSuffix(file, ".toml") + pattern.Extension
	weights, err := a.readFile(beside, bounded.Tables)
	if err != nil {
		return nil, fmt.Errorf("%s is a pattern file without its weights next to it (kifu fit --patterns writes them): %w", file, err)
	}
	t, err := pattern.Read(text, weights, g.name, g.tables.layout, g.tables.pieces)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return t.Model(), nil
}

// noteDefaults says which terms a weights file leaves to the default weights: a whole
// group that is missing might be a mistake.
func (a *app) noteDefaults(file string, text []byte, m *eval.Model) {
	written, err := eval.ReadModel(bytes.NewReader(text))
	if err != nil {
		return // the model was read from the same text
	}
	if n := len(m.Terms) - len(written.Terms); n > 0 {
		fmt.Fprintf(a.stderr, "kifu: note: %s has weights for %d of the %d terms; the other %d keep their defaults: %s\n", file, len(written.Terms), len(m.Terms), n, missingGroups(m, written))
	}
}

// missingGroups names the groups of which written lacks terms, in m's order.
func missingGroups(m, written *eval.Model) string {
	has := map[string]bool{}
	for _, t := range written.Terms {
		has[t.Name] = true
	}
	var groups []string
	all, lacks := map[string]int{}, map[string]int{}
	for _, t := range m.Terms {
		if all[t.Group]++; !has[t.Name] {
			if lacks[t.Group]++; lacks[t.Group] == 1 {
				groups = append(groups, t.Group)
			}
		}
	}
	for i, g := range groups {
		if groups[i] = "all of " + g; lacks[g] < all[g] {
			groups[i] = fmt.Sprintf("%d of %s's %d", lacks[g], g, all[g])
		}
	}
	return strings.Join(groups, ", ")
}
