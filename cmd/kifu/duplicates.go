package main

import (
	"context"

	"github.com/spf13/cobra"

	"kifu/datasets"
	"kifu/schemas"
	"kifu/transform/duplicates"
)

func (a *app) duplicatesCommand() *cobra.Command {
	var out string
	var p duplicates.Params
	cmd := &cobra.Command{
		Use:   "duplicates --out DIR GAMES",
		Short: "Find games that the database holds twice, or a longer version of",
		Long: `Find the games of a dataset whose moves another of its games has, or goes on from,
whatever the headers say, and write each down with its original: of equal games the
first, of a game that goes on in longer ones the longest. The games are left as they
are; kifu transform --without takes out what is written here.

Short games agree by chance. The columns same_players, same_date and same_result tell
a copy from a coincidence; --min-prefix says how many moves make a beginning count.`,
		Example: `  kifu duplicates --out dups games
  kifu query "SELECT d.kind, g.first_player, g.second_player, g.date, o.source_file FROM d
    JOIN g USING (game_id) JOIN g o ON o.game_id = d.original_id WHERE d.same_players" d=dups g=games
  kifu transform --out positions --without dups games`,
		Args: exactly(1, "a dataset of games"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if p.MinPrefix < 1 {
				return usagef("--min-prefix %d: want 1 or more", p.MinPrefix)
			}
			if _, err := a.open(args[0], "games"); err != nil {
				return err
			}
			return a.build(cmd.Context(), out, datasets.Step{
				Stage: "duplicates", Output: schemas.Duplicates.ID(), Params: p, Inputs: args,
				Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
					return duplicates.Run(ctx, p, a.workers, in[0], b)
				},
			}, "duplicates")
		},
	}
	outFlag(cmd, &out)
	cmd.Flags().IntVar(&p.MinPrefix, "min-prefix", 30, "a game of at least `N` plies may be the beginning of a longer one")
	return cmd
}
