package main

import (
	"github.com/spf13/cobra"

	"kifu/report"
)

func (a *app) opponentCommand() *cobra.Command {
	var out string
	var sql bool
	cmd := &cobra.Command{
		Use:   "opponent --out DIR MODEL...",
		Short: "Set opponent models side by side",
		Args:  atLeast(1, "models: directories made by kifu learn"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p := report.OpponentParams{Sources: baseNames(args), Workers: a.workers}
			err := makeReport(a, cmd, "opponent", out, p, args, report.Opponent)
			return a.printReport(err, out, report.OpponentText, "opponent.sql", sql)
		},
	}
	outFlag(cmd, &out)
	cmd.Flags().BoolVar(&sql, "sql", false, "print the query instead of the tables")
	return cmd
}
