package main

import (
	"github.com/spf13/cobra"

	"kifu/report/opponent"
)

func opponentCommand(rp *reporter) *cobra.Command {
	var out, games string
	var sql bool
	cmd := &cobra.Command{
		Use:   "opponent --out DIR MODEL...",
		Short: "Set opponent models side by side",
		Args:  atLeast(1, "models: directories made by kifu learn"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p := opponent.Params{Sources: baseNames(args), Games: games != "", Workers: rp.workers}
			if p.Games {
				args = append(args, games)
			}
			err := makeReport(rp, cmd, "opponent", out, p, args, opponent.Make)
			return printReport(rp.maker, err, out, "opponent.txt", "opponent.sql", sql)
		},
	}
	outFlag(cmd, &out)
	cmd.Flags().StringVar(&games, "games", "", "find players and results in `DATASET`, the games behind the models")
	cmd.Flags().BoolVar(&sql, "sql", false, "print the query instead of the tables")
	return cmd
}
