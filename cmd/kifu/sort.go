package main

import (
	"context"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/transform/order"
)

func sortCommand(mk *command.Maker) *cobra.Command {
	var out string
	p := order.Params{By: "date"}
	cmd := &cobra.Command{
		Use:   "sort --by ORDER --out DIR DATASET",
		Short: "Sort games or positions, so that queries read little of them",
		Args:  command.Exactly(1, "a dataset of games, positions or labels"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := mk.OpenAny(args[0])
			if err != nil {
				return err
			}
			if err := order.Sortable(in); err != nil {
				return err
			}
			if in.Table.Name != "games" && !cmd.Flags().Changed("by") {
				return command.Usagef("--by is missing: want hash or another column of %s", in.Table.Name)
			}
			if err := p.Check(in.Table); err != nil {
				return command.Misused(err)
			}
			return mk.Build(cmd.Context(), out, datasets.Step{
				Stage: "sort", Output: in.Table.ID(), Params: p, Inputs: args,
				Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
					return order.Run(ctx, p, mk.Workers, in[0], b)
				},
			}, in.Table.Name)
		},
	}
	command.OutFlag(cmd, &out)
	cmd.Flags().StringVar(&p.By, "by", p.By, "sort by `ORDER`: date, player, elo or a column")
	return cmd
}
