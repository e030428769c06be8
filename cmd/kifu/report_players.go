package main

import (
	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/report/pairs"
)

func playersCommand(rp *reporter) *cobra.Command {
	var aliases string
	var to destination
	var p pairs.Params
	cmd := &cobra.Command{
		Use:   "players --out DIR GAMES...",
		Short: "Find opponents that do not suit a player, and three-cycles",
		Args:  command.AtLeast(1, "datasets of games"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.Validate(); err != nil {
				return command.Misused(err)
			}
			var err error
			if p.Aliases, err = command.SameNames(rp.Maker, aliases, args...); err != nil {
				return err
			}
			p.Sources, p.Workers = baseNames(args), rp.Workers
			return printReport(rp, cmd, "players", to, p, args, "players.txt", pairs.Make)
		},
	}
	to.declare(cmd, "numbers")
	flags := cmd.Flags()
	flags.Int64Var(&p.MinGames, "min-games", 10, "test pairs that played at least `N` games")
	flags.StringVar(&p.Expectation, "expectation", pairs.ExpectAuto, "expect by `SOURCE`: ratings, model, or auto (ratings if half the games have them)")
	flags.Float64Var(&p.FDR, "fdr", 0.05, "false discovery rate `Q` of pairs and of cycles")
	command.DeclareAliases(flags, &aliases)
	return cmd
}
