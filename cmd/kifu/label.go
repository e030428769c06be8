package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/machines"
	"kifu/cmd/kifu/models"
	"kifu/datasets"
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
	shards    machines.Shards
}

// usualLabels are the flags without any that was given.
func usualLabels() labelFlags {
	return labelFlags{features: "all", params: label.Params{Search: []string{"static", "quiescence"}}}
}

func labelCommand(e *command.Env) *cobra.Command {
	f := usualLabels()
	cmd := &cobra.Command{
		Use:   "label --out DIR POSITIONS",
		Short: "Evaluate positions: values, term group scores, features",
		Args:  command.Exactly(1, "a dataset of positions"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.label(cmd, e, args[0])
		},
	}
	command.OutFlag(cmd, &f.out)
	flags := cmd.Flags()
	f.addSearches(flags)
	f.addZero(flags)
	flags.StringVar(&f.features, "features", f.features, "write `WHAT` with the values: all (group scores, features) or none")
	flags.StringSliceVar(&f.params.Adjudicate, "adjudicate", nil, "give games a result by `RULES`: rules, win:V:K, draw:V:K, mate:WHEN, declare:WHEN")
	f.addExact(flags)
	f.engine.add(flags)
	f.shards.Declare(flags)
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
func (f *labelFlags) read(mk *command.Maker, flags *pflag.FlagSet, positions string) (g command.Game, err error) {
	p := &f.params
	if f.features != "all" && f.features != "none" {
		return g, command.Usagef("--features %s: want all or none", f.features)
	}
	p.ValuesAlone = f.features == "none"
	if flags.Changed("rollouts") {
		p.Rollouts = &f.rollouts
	} else if p.Choices == nil && flags.Changed("seed") {
		return g, command.Usagef("--seed is for --rollouts")
	}
	if err := p.Validate(); err != nil {
		return g, command.Misused(err)
	}
	in, err := mk.Open(positions, "positions")
	if err != nil {
		return g, err
	}
	if g, err = command.GameOf(in); err != nil {
		return g, err
	}
	if p.Eval, err = models.Evaluator(mk, g, f.eval); err != nil || f.syzygy == "" {
		return g, err
	}
	t, err := readEndings(mk.Files, g, f.syzygy)
	if err != nil {
		return g, err
	}
	p.Endings = &label.Endings{Names: t.Names(), Tables: t}
	if err := p.Validate(); err != nil {
		return g, command.Misused(err)
	}
	return g, nil
}

// labelsTable is the schema of labels.
const labelsTable = "labels/v2"

// label makes the labels of a dataset of positions.
func (f labelFlags) label(cmd *cobra.Command, e *command.Env, positions string) error {
	g, err := f.read(e.Maker, cmd.Flags(), positions)
	if err != nil {
		return err
	}
	if f.params.Engine, err = f.engine.open(cmd.Context(), g, e.Files); err != nil {
		return err
	}
	return f.build(cmd.Context(), e, g, labelsTable, positions, "labels")
}

// build makes a dataset of the rows that the parameters select, whose parts others may make.
func (f *labelFlags) build(ctx context.Context, e *command.Env, g command.Game, table, positions, unit string) error {
	p := f.params
	return f.shards.Build(ctx, e, f.out, datasets.Step{
		Stage: "label", Output: table, Params: p, Inputs: []string{positions}, Some: true, Apart: p.Engine == nil, // whose parts are of fewer rows
		Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
			return g.Label(ctx, p, e.Workers, in[0], b)
		},
	}, unit)
}
