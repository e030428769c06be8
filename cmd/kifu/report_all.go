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
		Args:  atLeast(1, "datasets: games, labels, fits"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p := report.AllParams{Sources: baseNames(args), Workers: a.workers}
			return makeReport(a, cmd, "all", out, p, args, report.All)
		},
	}
	outFlag(cmd, &out)
	return cmd
}
