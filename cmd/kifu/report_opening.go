package main

import (
	"github.com/spf13/cobra"

	"kifu/report/opening"
)

func (a *app) openingCommand() *cobra.Command {
	var out string
	var p opening.Params
	cmd := &cobra.Command{
		Use:   "opening --out DIR POSITIONS|LABELS [CHOICES] [GAMES]",
		Short: "Make the tree of the openings: frequency, score, strength, recency, values",
		Args:  atLeast(1, "a dataset of positions or labels"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.Validate(); err != nil {
				return usageError{err}
			}
			p.Sources, p.Workers = baseNames(args), a.workers
			return makeReport(a, cmd, "opening", out, p, args, opening.Make)
		},
	}
	outFlag(cmd, &out)
	cmd.Flags().IntVar(&p.Depth, "depth", 12, "the first `N` plies")
	cmd.Flags().IntVar(&p.MinGames, "min-games", 5, "moves that at least `N` games have")
	return cmd
}
