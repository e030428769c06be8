package main

import (
	"github.com/spf13/cobra"

	"kifu/report"
)

func (a *app) openingCommand() *cobra.Command {
	var out string
	var p report.OpeningParams
	cmd := &cobra.Command{
		Use:   "opening --out DIR POSITIONS|LABELS [CHOICES] [GAMES]",
		Short: "Make the tree of the openings: frequency, score, strength, recency, values",
		Long: `Make the tree of the openings of a dataset of positions or labels: for each move how many
games have it, its score, the players' strength and performance. Lines that transpose at
equal length are one. Labels add the values of the positions, and what these come to when
both sides choose the best move of the tree. Choices of the same positions (kifu label
--choices) add the best move that nobody played, the games the dates. DIR gets a page
with the tree to open and close (index.html), and the numbers as CSV, Markdown and LaTeX.`,
		Example: "  kifu transform --out positions --max-ply 12 games\n  kifu label --out labels positions\n  kifu label --out choices --choices positions\n  kifu report opening --out opening labels choices games",
		Args:    atLeast(1, "a dataset of positions or labels"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.Validate(); err != nil {
				return usageError{err}
			}
			p.Sources, p.Workers = baseNames(args), a.workers
			return makeReport(a, cmd, "opening", out, p, args, report.Opening)
		},
	}
	outFlag(cmd, &out)
	cmd.Flags().IntVar(&p.Depth, "depth", 12, "the first `N` plies")
	cmd.Flags().IntVar(&p.MinGames, "min-games", 5, "moves that at least `N` games have")
	return cmd
}
