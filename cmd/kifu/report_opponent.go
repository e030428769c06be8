package main

import (
	"context"

	"github.com/spf13/cobra"

	"kifu/datasets"
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
			err := a.build(cmd.Context(), out, datasets.Step{
				Stage: "report opponent", Output: "report/v1", Params: p, Inputs: args,
				Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
					return report.Opponent(ctx, p, in, b)
				},
			}, "files")
			if err != nil || a.plan != nil {
				return err
			}
			name := report.OpponentText
			if sql {
				name = "opponent.sql"
			}
			return a.printFile(out, name)
		},
	}
	outFlag(cmd, &out)
	cmd.Flags().BoolVar(&sql, "sql", false, "print the query instead of the tables")
	return cmd
}
