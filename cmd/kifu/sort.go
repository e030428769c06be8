package main

import (
	"context"

	"github.com/spf13/cobra"

	"kifu/datasets"
	"kifu/transform/order"
)

func sortCommand(mk *maker) *cobra.Command {
	var out string
	p := order.Params{By: "date"}
	cmd := &cobra.Command{
		Use:   "sort --by ORDER --out DIR DATASET",
		Short: "Sort games or positions, so that queries read little of them",
		Args:  exactly(1, "a dataset of games, positions or labels"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := mk.openAny(args[0])
			if err != nil {
				return err
			}
			if err := order.Sortable(in); err != nil {
				return err
			}
			if in.Table.Name != "games" && !cmd.Flags().Changed("by") {
				return usagef("--by is missing: want hash or another column of %s", in.Table.Name)
			}
			if err := p.Check(in.Table); err != nil {
				return usageError{err}
			}
			return mk.build(cmd.Context(), out, datasets.Step{
				Stage: "sort", Output: in.Table.ID(), Params: p, Inputs: args,
				Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
					return order.Run(ctx, p, mk.workers, in[0], b)
				},
			}, in.Table.Name)
		},
	}
	outFlag(cmd, &out)
	cmd.Flags().StringVar(&p.By, "by", p.By, "sort by `ORDER`: date, player, elo or a column")
	return cmd
}
