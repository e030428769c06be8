package main

import (
	"github.com/spf13/cobra"

	"kifu/report/database"
)

func (a *app) databaseCommand() *cobra.Command {
	var out string
	var sql bool
	var p database.Params
	var cluster dependenceFlags
	cmd := &cobra.Command{
		Use:   "database --out DIR GAMES... [POSITIONS...]",
		Short: "Tell what is in a database: results, lengths, branching factor, duplicates, rejects",
		Args:  atLeast(1, "datasets of games"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.Validate(); err != nil {
				return usageError{err}
			}
			p.Sources, p.Workers = baseNames(args), a.workers
			var err error
			if p.Clusters, err = a.ownPlayers(cluster); err != nil {
				return err
			}
			err = makeReport(a, cmd, "database", out, p, args, database.Make)
			return a.printReport(err, out, "database.md", "database.sql", sql)
		},
	}
	outFlag(cmd, &out)
	cmd.Flags().IntVar(&p.Bin, "bin", 0, "bins of `N` Elo for rating differences (default: 50)")
	cluster.declare(cmd.Flags(), true)
	cmd.Flags().BoolVar(&sql, "sql", false, "print the query instead of the numbers")
	return cmd
}
