package main

import (
	"github.com/spf13/cobra"

	"kifu/report/database"
)

func databaseCommand(rp *reporter) *cobra.Command {
	var to made
	var p database.Params
	var cluster dependenceFlags
	cmd := &cobra.Command{
		Use:   "database --out DIR GAMES... [POSITIONS...]",
		Short: "Describe a database: results, lengths, branching factor, duplicates, rejects",
		Args:  atLeast(1, "datasets of games"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.Validate(); err != nil {
				return usageError{err}
			}
			p.Sources, p.Workers = baseNames(args), rp.workers
			var err error
			if p.Clusters, err = ownPlayers(rp.maker, cluster); err != nil {
				return err
			}
			return printReport(rp, cmd, "database", to, p, args, "database.md", database.Make)
		},
	}
	to.declare(cmd, "numbers")
	cmd.Flags().IntVar(&p.Bin, "bin", 0, "bins of `N` Elo for rating differences (default: 50)")
	cluster.declare(cmd.Flags(), true)
	return cmd
}
