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
		Long: `Write the games of a dataset in another order: by date, by player, by elo (the better
player's), or by any column of text or whole numbers. Nulls go last; games that compare
equal keep their order. Row groups are small and tell the bounds of their columns, so
that DuckDB reads only those it needs for a year, a rating or a player.

Games are numbered anew: game_id is the number of the row, as in every games dataset;
source_file and source_offset say which game it is. Positions made of the unsorted games
have the unsorted numbers: make them of the sorted ones.

Sorted by player, each game stands with the busier of its two players, and an index lies
beside the parts, players.parquet. 'kifu query' makes two things of it for a dataset that
is named g: the view g_players, a row a game and player, and the table g_of('NAME'), the
games of one player with either side.`,
		Example: "  kifu sort --by date --out by-date games\n  kifu sort --by player --out by-player games\n  kifu query \"select date, first_player, second_player, result from g_of('Tal, Mikhail') order by date\" g=by-player",
		Args:    exactly(1, "a dataset of games"),
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
