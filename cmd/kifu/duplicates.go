package main

import (
	"context"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/schemas"
	"kifu/transform/duplicates"
)

func duplicatesCommand(mk *command.Maker) *cobra.Command {
	var out string
	var p duplicates.Params
	cmd := &cobra.Command{
		Use:   "duplicates --out DIR GAMES",
		Short: "Find duplicate games and truncated copies",
		Args:  command.Exactly(1, "a dataset of games"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if p.MinPrefix < 1 {
				return command.Usagef("--min-prefix %d: want 1 or more", p.MinPrefix)
			}
			in, err := mk.Open(args[0], "games")
			if err != nil {
				return err
			}
			g, err := command.GameOf(in)
			if err != nil {
				return err
			}
			return mk.Build(cmd.Context(), out, datasets.Step{
				Stage: "duplicates", Output: schemas.Duplicates.ID(), Params: p, Inputs: args,
				Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
					return g.Duplicates(ctx, p, mk.Workers, in[0], b)
				},
			}, "duplicates")
		},
	}
	command.OutFlag(cmd, &out)
	cmd.Flags().IntVar(&p.MinPrefix, "min-prefix", 30, "find truncated copies of at least `N` plies")
	return cmd
}
