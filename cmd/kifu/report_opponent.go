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
		Long: `Set what kifu learn found of one or more players side by side: the counters of LearnDepth
by depth, the share of moves foretold by depth with the weights given and with those
learned, how often the move played is among the model's first one, three and five by phase,
each beside a draw, and the learned weights beside those given, with errors by games.
DIR gets a page (index.html), the pictures as SVG, PDF and PNG, and the numbers as CSV, Markdown
and LaTeX.`,
		Example: "  kifu report opponent --out opponent tinsley\n  kifu report opponent --out both tinsley mentor",
		Args:    atLeast(1, "models: directories made by kifu learn"),
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
