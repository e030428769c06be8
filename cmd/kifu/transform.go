package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/machines"
	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/transform"
)

// transformFlags are the flags of kifu transform.
type transformFlags struct {
	out     string
	without []string
	params  transform.Params
	shards  machines.Shards
}

func transformCommand(e *command.Env) *cobra.Command {
	var f transformFlags
	cmd := &cobra.Command{
		Use:   "transform --out DIR GAMES",
		Short: "Replay games into a dataset of positions",
		Args:  command.Exactly(1, "a dataset of games"),
		RunE:  func(cmd *cobra.Command, args []string) error { return f.transform(cmd.Context(), e, args) },
	}
	command.OutFlag(cmd, &f.out)
	f.add(cmd.Flags())
	return cmd
}

func (f *transformFlags) add(flags *pflag.FlagSet) {
	flags.IntVar(&f.params.MinPly, "min-ply", 0, "skip positions before ply `N` (0 is the start)")
	flags.IntVar(&f.params.MaxPly, "max-ply", 0, "skip positions after ply `N` (0: no limit)")
	flags.IntVar(&f.params.Every, "every", 1, "keep each `N`th ply")
	flags.Float64Var(&f.params.Sample, "sample", 1, "keep the share `P` of the positions, sampled by --seed")
	flags.Uint64Var(&f.params.Seed, "seed", 1, "seed `S` of the sample")
	flags.BoolVar(&f.params.Dedup, "dedup", false, "write one row per distinct position, with counts of results")
	flags.BoolVar(&f.params.LegalMoves, "legal-moves", false, "add the column legal_moves, the number of legal moves")
	flags.StringSliceVar(&f.params.ExcludeTermination, "exclude-termination", nil, "skip games whose termination contains a `TEXT`: time,abandoned,rules")
	flags.StringSliceVar(&f.without, "without", nil, "skip the games in `DIR|FILE`: kifu duplicates, or a table with game_id")
	f.shards.Declare(flags)
	flags.IntVar(&f.params.MinElo, "min-elo", 0, "keep games with both ratings at least `N`")
}

// check refuses values that cannot be meant.
func (f *transformFlags) check() error {
	p := f.params
	switch {
	case p.Every > 1 && p.Sample < 1:
		return command.Usagef("--every and --sample exclude each other")
	case p.Sample <= 0 || p.Sample > 1:
		return command.Usagef("--sample %v: want a share above 0 and up to 1", p.Sample)
	case p.Every < 1:
		return command.Usagef("--every %d: want 1 or more", p.Every)
	case p.MinPly < 0 || p.MaxPly < 0 || p.MinElo < 0:
		return command.Usagef("--min-ply, --max-ply and --min-elo: want 0 or more")
	case p.MaxPly > 0 && p.MaxPly < p.MinPly:
		return command.Usagef("--max-ply %d is below --min-ply %d: no position is left", p.MaxPly, p.MinPly)
	}
	return nil
}

// transform makes the positions of a dataset of games.
func (f transformFlags) transform(ctx context.Context, e *command.Env, inputs []string) error {
	if err := f.check(); err != nil {
		return err
	}
	_, g, err := e.OpenGame(inputs[0], "games")
	if err != nil {
		return err
	}
	var files []string
	var keys []manifest.Input
	for _, path := range f.without {
		if !command.IsTableFile(e.Files, path) {
			inputs = append(inputs, path)
			continue
		}
		key, err := command.FileKey(e.Files, "without", path)
		if err != nil {
			return err
		}
		files, keys = append(files, path), append(keys, key)
	}
	if len(inputs) > 2 {
		return command.Usagef("--without: one dataset of duplicates, and any number of files")
	}
	return f.shards.Build(ctx, e, f.out, datasets.Step{
		Stage: "transform", Output: "positions/v1", Params: f.params, Inputs: inputs, InputKeys: keys, Some: true, Apart: !f.params.Dedup,
		Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
			o := transform.Options{Workers: e.Workers}
			if len(in) > 1 {
				o.Without = in[1]
			}
			if len(files) > 0 {
				o.Listed = func(ctx context.Context) (func(id int64) bool, error) {
					return command.ListedGames(ctx, e.Maker, files, in[0])
				}
			}
			return g.Transform(ctx, f.params, o, in[0], b)
		},
	}, "positions")
}
