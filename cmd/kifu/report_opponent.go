package main

import (
	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/report/opponent"
)

func opponentCommand(rp *reporter) *cobra.Command {
	var games string
	var to destination
	cmd := &cobra.Command{
		Use:   "opponent --out DIR MODEL...",
		Short: "Compare models of opponents",
		Args:  command.AtLeast(1, "models: directories made by kifu learn"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p := opponent.Params{Sources: baseNames(args), Games: games != "", Workers: rp.Workers}
			if p.Games {
				args = append(args, games)
			}
			return printReport(rp, cmd, "opponent", to, p, args, "opponent.txt", opponent.Make)
		},
	}
	to.declare(cmd, "tables")
	cmd.Flags().StringVar(&games, "games", "", "read players and results from `DATASET`, the models' games")
	return cmd
}
