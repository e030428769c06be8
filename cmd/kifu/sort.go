package main

import (
	"context"

	"github.com/spf13/cobra"

	"kifu/datasets"
	"kifu/transform/order"
)

func (a *app) sortCommand() *cobra.Command {
	var out string
	p := order.Params{By: "date"}
	cmd := &cobra.Command{
		Use:   "sort --by ORDER --out DIR GAMES",
		Short: "Sort games, so that queries read little of them",
		Args:  exactly(1, "a dataset of games"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := a.open(args[0], "games")
			if err != nil {
				return err
			}
			if err := p.Check(in.Table); err != nil {
				return usageError{err}
			}
			return a.build(cmd.Context(), out, datasets.Step{
				Stage: "sort", Output: "games/v1", Params: p, Inputs: args,
				Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
					return order.Run(ctx, p, a.workers, in[0], b)
				},
			}, "games")
		},
	}
	outFlag(cmd, &out)
	cmd.Flags().StringVar(&p.By, "by", p.By, "sort by `ORDER`: date, player, elo or a column")
	return cmd
}
