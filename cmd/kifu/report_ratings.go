package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/internal/bounded"
	"kifu/report/ratings"
)

func ratingsCommand(rp *reporter) *cobra.Command {
	var aliases string
	var to destination
	var p ratings.Params
	cmd := &cobra.Command{
		Use:   "ratings --out DIR GAMES|TABLE.csv...",
		Short: "Rate the players of games, or of a table of results",
		Args:  command.AtLeast(1, "datasets of games, or tables of results (.csv)"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var games []string
			for _, arg := range args {
				if !strings.HasSuffix(strings.ToLower(arg), ".csv") {
					games = append(games, arg)
					continue
				}
				text, err := rp.ReadFile(arg, bounded.Weights)
				if err != nil {
					return err
				}
				scores, err := ratings.ReadScores(text)
				if err != nil {
					return fmt.Errorf("%s: %w", arg, err)
				}
				p.Scores = append(p.Scores, scores...)
			}
			p.Sources, p.Workers = baseNames(games), rp.Workers
			if err := p.Validate(); err != nil {
				return command.Misused(err)
			}
			var err error
			if p.Aliases, err = command.SameNames(rp.Maker, aliases, games...); err != nil {
				return err
			}
			return printReport(rp, cmd, "ratings", to, p, games, "ratings.txt", ratings.Make)
		},
	}
	cmd.SuggestFor = []string{"rate", "elo", "rating", "ordo", "bayeselo"}
	to.declare(cmd, "numbers")
	flags := cmd.Flags()
	flags.Float64Var(&p.Average, "average", 0, "set the mean rating, or the rating of --anchor, to `X`")
	flags.StringVar(&p.Anchor, "anchor", "", "measure ratings relative to player `NAME`")
	flags.Int64Var(&p.MinGames, "min-games", 10, "list players with at least `N` games")
	flags.IntVar(&p.Orders, "orders", 5000, "also rate by Elo's updates in `N` random orders (0: none)")
	flags.Uint64Var(&p.Seed, "seed", 1, "draw the orders by seed `N`")
	command.DeclareAliases(flags, &aliases)
	return cmd
}
