package main

import (
	"github.com/spf13/cobra"

	"kifu/report"
)

func (a *app) databaseCommand() *cobra.Command {
	var out string
	var sql bool
	var p report.DatabaseParams
	cmd := &cobra.Command{
		Use:   "database --out DIR GAMES... [POSITIONS...]",
		Short: "Tell what is in a database: results, lengths, branching factor, duplicates, rejects",
		Long: `Tell what is in datasets of games: how many games and plies, results by rating
difference beside Elo's expectation, what it is worth to move first (in Elo, by the score
and given the ratings), lengths, games that are there again, and what was rejected and
why. Datasets of positions or labels with the column legal_moves (kifu transform
--legal-moves) add the branching factor by phase and by ply, beside that of the literature.
DIR gets a page (index.html), the pictures as SVG, PDF and PNG, and the numbers as CSV,
Markdown and LaTeX, all from one SQL query.`,
		Example: "  kifu report database --out database games\n  kifu transform --legal-moves --out positions games\n  kifu report database --out database games positions",
		Args:    atLeast(1, "datasets of games"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.Validate(); err != nil {
				return usageError{err}
			}
			p.Sources, p.Workers = baseNames(args), a.workers
			err := makeReport(a, cmd, "database", out, p, args, report.Database)
			return a.printReport(err, out, "database.md", "database.sql", sql)
		},
	}
	outFlag(cmd, &out)
	cmd.Flags().IntVar(&p.Bin, "bin", 0, "bins of `N` Elo for rating differences (default: 50)")
	cmd.Flags().BoolVar(&sql, "sql", false, "print the query instead of the numbers")
	return cmd
}
