package main

import (
	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/report/database"
)

func databaseCommand(rp *reporter) *cobra.Command {
	var to destination
	var p database.Params
	var cluster command.DependenceFlags
	cmd := &cobra.Command{
		Use:   "database --out DIR GAMES... [POSITIONS...]",
		Short: "Describe a database: results, lengths, branching factor, duplicates, rejects",
		Args:  command.AtLeast(1, "datasets of games"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.Validate(); err != nil {
				return command.Misused(err)
			}
			p.Sources, p.Workers = baseNames(args), rp.Workers
			var err error
			if p.Clusters, err = command.OwnPlayers(rp.Maker, cluster, args); err != nil {
				return err
			}
			return printReport(rp, cmd, "database", to, p, args, "database.md", database.Make)
		},
	}
	to.declare(cmd, "numbers")
	cmd.Flags().IntVar(&p.Bin, "bin", 0, "bins of `N` Elo for rating differences (default: 50)")
	cluster.Declare(cmd.Flags(), true)
	return cmd
}
