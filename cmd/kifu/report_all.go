package main

import (
	"github.com/spf13/cobra"

	"kifu/report"
)

func (a *app) allCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "all --out DIR DATASET...",
		Short: "Make every report that the datasets allow, on one page",
		Long: `Make every report that the datasets allow, each with its usual parameters: one page with
a table of contents, and beside it the pictures, tables and queries of each. Datasets of
one game and unit go into one report where it takes several; fits are set beside what ships
of the literature, positions and the games that they were made of beside each other. A
report that the data do not allow is named on the page with the reason.`,
		Example: "  kifu report all --out study games positions labels fit",
		Args:    atLeast(1, "datasets: games, labels, fits"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p := report.AllParams{Sources: baseNames(args), Workers: a.workers}
			return makeReport(a, cmd, "all", out, p, args, report.All)
		},
	}
	outFlag(cmd, &out)
	return cmd
}
