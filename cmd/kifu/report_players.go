package main

import (
	"github.com/spf13/cobra"

	"kifu/report/pairs"
)

func playersCommand(rp *reporter) *cobra.Command {
	var out, aliases string
	var sql bool
	var p pairs.Params
	cmd := &cobra.Command{
		Use:   "players --out DIR GAMES...",
		Short: "Find opponents that do not suit a player, and three-cycles",
		Args:  atLeast(1, "datasets of games"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.Validate(); err != nil {
				return usageError{err}
			}
			var err error
			if aliases != "" {
				if p.Aliases, err = readSameAs(cmd.Context(), rp.maker, aliases, "same_as", "canonical"); err != nil {
					return err
				}
			}
			p.Sources, p.Workers = baseNames(args), rp.workers
			err = makeReport(rp, cmd, "players", out, p, args, pairs.Make)
			return printReport(rp.maker, err, out, "players.txt", "players.sql", sql)
		},
	}
	outFlag(cmd, &out)
	flags := cmd.Flags()
	flags.Int64Var(&p.MinGames, "min-games", 10, "test pairs with at least `N` games with each other")
	flags.StringVar(&p.Expectation, "expectation", pairs.ExpectAuto, "expect by `SOURCE`: ratings, model, or auto (ratings if half the games have them)")
	flags.Float64Var(&p.FDR, "fdr", 0.05, "false discovery rate `Q` of pairs and of cycles")
	flags.StringVar(&aliases, "aliases", "", "merge players' names by the table in `FILE` (kifu names --format csv)")
	flags.BoolVar(&sql, "sql", false, "print the query instead of the numbers")
	return cmd
}
