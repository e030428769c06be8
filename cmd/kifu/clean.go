package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/schemas"
	"kifu/transform/clean"
	"kifu/transform/names"
)

// cleanFlags are the flags of kifu clean.
type cleanFlags struct {
	out, aliases string
	without      []string
	keep         []string
	undo         bool
	params       clean.Params
}

func cleanCommand(mk *command.Maker) *cobra.Command {
	f := cleanFlags{params: clean.Params{Dedup: clean.Exact, MinPrefix: 30, MinConfidence: names.Doubtful}}
	cmd := &cobra.Command{
		Use:   "clean --out DIR GAMES",
		Short: "Make a clean database: no duplicates, one name per player, corrected dates and results",
		Args:  command.Exactly(1, "a dataset of games"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(f.without) > 0 && !cmd.Flags().Changed("dedup") {
				f.params.Dedup = clean.None
			}
			if err := f.idle(cmd.Flags().Changed); err != nil {
				return err
			}
			if f.undo {
				return undoClean(cmd.Context(), mk, f.out, args)
			}
			return f.clean(cmd.Context(), mk, args)
		},
	}
	command.OutFlag(cmd, &f.out)
	flags := cmd.Flags()
	flags.StringSliceVar(&f.without, "without", nil, "remove the games in `DIR|FILE`: kifu duplicates, or a table with game_id; sets --dedup none")
	flags.StringVar(&f.params.Dedup, "dedup", f.params.Dedup, "find duplicates by `HOW`: exact (same moves), fuzzy (nearly the same) or none")
	flags.IntVar(&f.params.MinPrefix, "min-prefix", f.params.MinPrefix, "find truncated copies of at least `N` plies")
	flags.StringVar(&f.aliases, "aliases", "", "rename players by the table in `FILE`, or none (default: as kifu names finds them)")
	flags.Float64Var(&f.params.MinConfidence, "min-confidence", f.params.MinConfidence, "merge names found with a confidence of `P` or more")
	flags.StringSliceVar(&f.keep, "keep", nil, "keep `COLUMNS` unchanged: date, result")
	flags.BoolVar(&f.undo, "undo", false, "restore the original games from a dataset made by kifu clean")
	return cmd
}

// idle refuses given flags that would have no effect.
func (f *cleanFlags) idle(given func(name string) bool) error {
	for _, name := range []string{"without", "dedup", "min-prefix", "aliases", "min-confidence", "keep"} {
		if f.undo && given(name) {
			return command.Usagef("--undo restores all games: leave out --%s", name)
		}
	}
	switch {
	case f.aliases != "" && given("min-confidence"):
		return command.Usagef("--min-confidence is for names that kifu finds, not with --aliases")
	case f.params.Dedup == clean.None && given("min-prefix"):
		return command.Usagef("--min-prefix is for --dedup exact or fuzzy")
	}
	return nil
}

// check refuses values that cannot be meant, and completes the parameters.
func (f *cleanFlags) check() error {
	p := &f.params
	if !slices.Contains(clean.Ways(), p.Dedup) {
		return command.Usagef("--dedup %s: want %s", p.Dedup, strings.Join(clean.Ways(), ", "))
	}
	if p.MinPrefix < 1 {
		return command.Usagef("--min-prefix %d: want 1 or more", p.MinPrefix)
	}
	if p.MinConfidence < 0 || p.MinConfidence > 1 {
		return command.Usagef("--min-confidence %v: want a number from 0 to 1", p.MinConfidence)
	}
	for _, column := range f.keep {
		switch column {
		case "date":
			p.KeepDates = true
		case "result":
			p.KeepResults = true
		default:
			return command.Usagef("--keep %s: want date or result", column)
		}
	}
	switch f.aliases {
	case "":
		p.Names = "found"
		return nil
	case "none":
		p.Names = "none"
	default:
		p.Names = "file"
	}
	p.MinConfidence = 0
	return nil
}

// clean makes a clean dataset of games.
func (f cleanFlags) clean(ctx context.Context, mk *command.Maker, args []string) error {
	if err := f.check(); err != nil {
		return err
	}
	_, g, err := mk.OpenGame(args[0], "games")
	if err != nil {
		return err
	}
	step := datasets.Step{Stage: "clean", Output: schemas.Games.ID(), Params: f.params, Inputs: args, Some: true}
	for _, path := range f.without {
		if !command.IsTableFile(mk.Files, path) {
			step.Inputs = append(step.Inputs, path)
			continue
		}
		key, err := command.FileKey(mk.Files, "without", path)
		if err != nil {
			return err
		}
		step.InputKeys = append(step.InputKeys, key)
	}
	if f.params.Names == "file" {
		key, err := command.FileKey(mk.Files, "aliases", f.aliases)
		if err != nil {
			return err
		}
		step.InputKeys = append(step.InputKeys, key)
	}
	step.Run = func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
		o := clean.Options{Workers: mk.Workers, Names: f.cleanNames(mk, in[0]), Without: f.cleanWithout(mk, in[0])}
		return g.Clean(ctx, f.params, o, in[0], b)
	}
	return mk.Build(ctx, f.out, step, "games")
}

// cleanNames returns what finds or reads the canonical names.
func (f cleanFlags) cleanNames(mk *command.Maker, in *datasets.Dir) func(ctx context.Context) (map[string]string, error) {
	switch f.params.Names {
	case "none":
		return nil
	case "file":
		return func(ctx context.Context) (map[string]string, error) {
			return command.CanonicalNames(ctx, mk, f.aliases, in.Path)
		}
	}
	return func(ctx context.Context) (map[string]string, error) {
		found, _, err := names.Find(ctx, names.Params{MinConfidence: f.params.MinConfidence}, mk.Workers, in)
		of := map[string]string{}
		for _, alias := range found {
			if alias.Of != "" {
				of[alias.Player.Name] = alias.Canonical
			}
		}
		return of, err
	}
}

// cleanWithout returns what reads the games that --without names.
func (f cleanFlags) cleanWithout(mk *command.Maker, in *datasets.Dir) func(ctx context.Context) ([]clean.Out, error) {
	if len(f.without) == 0 {
		return nil
	}
	return func(ctx context.Context) (all []clean.Out, err error) {
		for _, path := range f.without {
			found, err := command.ReadWithout(ctx, mk, path, in)
			if err != nil {
				return nil, err
			}
			for _, one := range found {
				all = append(all, clean.Out{ID: one.ID, Kept: one.Kept, Same: one.Same, Reason: "named by --without"})
			}
		}
		return all, nil
	}
}

// undoClean restores the original games.
func undoClean(ctx context.Context, mk *command.Maker, out string, args []string) error {
	in, err := mk.Open(args[0], "games")
	if err != nil {
		return err
	}
	return mk.Build(ctx, out, datasets.Step{Stage: "undo", Output: in.Table.ID(), Inputs: args,
		Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
			return clean.Undo(ctx, in[0], b)
		},
	}, "games")
}
