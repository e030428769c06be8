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
)

// labelFlags are the flags of kifu label, most of which kifu choices and kifu backward share.
type labelFlags struct {
	out, eval string
	syzygy    string
	features  string
	rollouts  label.Rollouts
	engine    engineFlags
	params    label.Params
	shards    shardFlags
}

// usualLabels are the flags without any that was given.
func usualLabels() labelFlags {
	return labelFlags{features: "all", params: label.Params{Search: []string{"static", "quiescence"}}}
}

func labelCommand(e *env) *cobra.Command {
	f := usualLabels()
	cmd := &cobra.Command{
		Use:   "label --out DIR POSITIONS",
		Short: "Evaluate positions: values, term group scores, features",
		Args:  exactly(1, "a dataset of positions"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.label(cmd, e, args[0])
		},
	}
	outFlag(cmd, &f.out)
	flags := cmd.Flags()
	f.addSearches(flags)
	f.addZero(flags)
	flags.StringVar(&f.features, "features", f.features, "write `WHAT` with the values: all (group scores, features) or none")
	flags.StringSliceVar(&f.params.Adjudicate, "adjudicate", nil, "give games a result by `RULES`: rules, win:V:K, draw:V:K, mate:WHEN, declare:WHEN")
	f.addExact(flags)
	f.engine.add(flags)
	f.shards.add(flags)
	return cmd
}

// addSearches adds the flags for how positions are evaluated.
func (f *labelFlags) addSearches(flags *pflag.FlagSet) {
	flags.StringVar(&f.eval, "eval", "", "evaluate by `FILE` (weights or patterns), terms, or tables (Othello) (default: terms)")
	flags.StringSliceVar(&f.params.Search, "search", f.params.Search, "run `SEARCHES`: static, quiescence, depth:N")
}

func (f *labelFlags) addZero(flags *pflag.FlagSet) {
	flags.StringSliceVar(&f.params.Zero, "zero", nil, "set the weights of `TERM|GROUP`s to 0")
}

// addExact adds the flags of values by other means than the evaluator.
func (f *labelFlags) addExact(flags *pflag.FlagSet) {
	flags.BoolVar(&f.params.Variations, "pv", false, "write principal variations and the positions at their ends")
	flags.IntVar(&f.params.Solve, "solve", 0, "solve positions with at most `N` empty squares (Othello) or men (draughts)")
	flags.StringVar(&f.syzygy, "syzygy", "", "look positions up in the Syzygy tables (.rtbw) in `DIRS` (chess)")
	flags.IntVar(&f.rollouts.Games, "rollouts", 0, "play `N` random games from each position")
	flags.Uint64Var(&f.rollouts.Seed, "seed", 1, "draw the games of --rollouts by seed `S`")
	flags.IntVar(&f.params.Mate, "mate", 0, "search for a forced mate with at most `N` nodes (chess, shogi)")
}

// read completes the parameters, for the positions of a dataset, and returns its game.
func (f *labelFlags) read(mk *maker, flags *pflag.FlagSet, positions string) (g game, err error) {
	p := &f.params
	if f.features != "all" && f.features != "none" {
		return g, usagef("--features %s: want all or none", f.features)
	}
	p.ValuesAlone = f.features == "none"
	if flags.Changed("rollouts") {
		p.Rollouts = &f.rollouts
	} else if p.Choices == nil && flags.Changed("seed") {
		return g, usagef("--seed is for --rollouts")
	}
	if err := p.Validate(); err != nil {
		return g, usageError{err}
	}
	in, err := mk.open(positions, "positions")
	if err != nil {
		return g, err
	}
	if g, err = gameOf(in); err != nil {
		return g, err
	}
	if p.Eval, err = readModel(mk, g, f.eval); err != nil || f.syzygy == "" {
		return g, err
	}
	t, err := readEndings(mk.files, g, f.syzygy)
	if err != nil {
		return g, err
	}
	p.Endings = &label.Endings{Names: t.Names(), Tables: t}
	if err := p.Validate(); err != nil {
		return g, usageError{err}
	}
	return g, nil
}

// labelsTable is the schema of labels.
const labelsTable = "labels/v2"

// label makes the labels of a dataset of positions.
func (f labelFlags) label(cmd *cobra.Command, e *env, positions string) error {
	g, err := f.read(e.maker, cmd.Flags(), positions)
	if err != nil {
		return err
	}
	if f.engine.command != "" {
		if err := e.mayStart(f.engine.command); err != nil {
			return err
		}
	}
	if f.params.Engine, err = f.engine.open(cmd.Context(), g, e.dir); err != nil {
		return err
	}
	return f.build(cmd.Context(), e, g, labelsTable, positions, "labels")
}

// build makes a dataset of the rows that the parameters select, whose parts others may make.
func (f *labelFlags) build(ctx context.Context, e *env, g game, table, positions, unit string) error {
	p := f.params
	return f.shards.build(ctx, e, f.out, datasets.Step{
		Stage: "label", Output: table, Params: p, Inputs: []string{positions}, Some: true, Apart: p.Engine == nil, // whose parts are of fewer rows
		Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
			return g.Label(ctx, p, e.workers, in[0], b)
		},
	}, unit)
}

// readModel is the evaluator of a game's counted terms, or the one in a file or named by a word.
func readModel(mk *maker, g game, file string) (*eval.Model, error) {
	switch file {
	case "", eval.Counted:
		return g.Model(nil)
	case pattern.Shipped:
		m, err := g.Tables.Shipped()
		if m == nil && err == nil {
			err = usagef("no bundled tables for %s: make some with kifu tables, or write ./%[3]s for a file named %[2]s", g.Name, pattern.Shipped, pattern.Shipped)
		}
		return m, err
	}
	text, err := mk.readFile(file, bounded.Weights)
	if err != nil {
		return nil, err
	}
	if pattern.Is(text) {
		return readTables(mk.files, g, file, text)
	}
	m, err := g.Model(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	noteDefaults(mk.console, file, text, m)
	return m, nil
}

// readTables reads the weights next to a pattern file.
func readTables(disk *files, g game, file string, text []byte) (*eval.Model, error) {
	binary := strings.TrimSuffix(file, ".toml") + pattern.Extension
	weights, err := disk.readFile(binary, bounded.Tables)
	if err != nil {
		return nil, fmt.Errorf("%s: a pattern file without its weights file (kifu tables writes both): %w", file, err)
	}
	t, err := pattern.Read(text, weights, g.Name, g.Tables.Layout, g.Tables.Pieces)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return t.Model(), nil
}

// noteDefaults reports which terms a weights file leaves to the default weights: a whole group that is
// missing might be a mistake.
func noteDefaults(con *console, file string, text []byte, m *eval.Model) {
	written, err := eval.ReadModel(bytes.NewReader(text))
	if err != nil {
		return // the model was read from the same text
	}
	if n := len(m.Terms) - len(written.Terms); n > 0 {
		fmt.Fprintf(con.stderr, "kifu: note: %s has weights for %d of the %d terms; the other %d keep their defaults: %s\n", file, len(written.Terms), len(m.Terms), n, missingGroups(m, written))
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
