package main

import (
	"context"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/players/patterns"
	"kifu/schemas"
)

func patternsCommand(mk *command.Maker) *cobra.Command {
	var out string
	p := patterns.Params{MinPlayed: 3, Holdout: 0.3, Seed: 1}
	cmd := &cobra.Command{
		Use:   "patterns --out DIR POSITIONS",
		Short: "Predict moves from the local pattern around them",
		Args:  command.Exactly(1, "a dataset of positions"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.Validate(); err != nil {
				return command.Misused(err)
			}
			_, g, err := mk.OpenGame(args[0], "positions")
			if err != nil {
				return err
			}
			if err := mk.Build(cmd.Context(), out, datasets.Step{
				Stage: "patterns", Output: schemas.Predictions().ID(), Params: p, Inputs: args,
				Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
					return g.Patterns(ctx, p, mk.Workers, in[0], b)
				},
			}, "decisions"); err != nil || mk.Plan != nil {
				return err
			}
			return mk.PrintFile(out, "sizes.csv")
		},
	}
	command.OutFlag(cmd, &out)
	flags := cmd.Flags()
	flags.IntVar(&p.MinPlayed, "min-played", p.MinPlayed, "count shapes that were played at least `N` times")
	flags.IntVar(&p.MaxSize, "max-size", 0, "count the `N` smallest sizes of shapes (0: all)")
	flags.Float64Var(&p.Holdout, "holdout", p.Holdout, "predict the share `P` of the games, learn from the rest")
	flags.Uint64Var(&p.Seed, "seed", p.Seed, "choose the held-out games by seed `S`")
	flags.Int16Var(&p.MinElo, "min-elo", 0, "learn only from players rated `N` or more")
	return cmd
}
