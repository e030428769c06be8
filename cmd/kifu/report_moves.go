package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/query"
	"kifu/report/moves"
)

func movesCommand(rp *reporter) *cobra.Command {
	var games string
	var patterns []string
	var to destination
	var p moves.Params
	var cluster command.DependenceFlags
	cmd := &cobra.Command{
		Use:   "moves --out DIR CHOICES|PREDICTIONS...",
		Short: "Count how many of the moves played an evaluator predicts",
		Args:  command.AtLeast(1, "datasets of choices or predictions"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if p.Patterns, err = query.ParseNamed(patterns); err != nil {
				return command.Misused(fmt.Errorf("--pattern: %w", err))
			}
			if len(p.Patterns) > 0 && !cmd.Flags().Changed("holdout") {
				p.Holdout = 0.3
			}
			if err := p.Validate(); err != nil {
				return command.Misused(err)
			}
			p.Sources = baseNames(args)
			if games != "" {
				args = append(args, games)
				p.Sources = append(p.Sources, baseNames([]string{games})...)
			}
			p.Workers = rp.Workers
			cluster.Games = games
			if p.Clusters, args, err = command.Clusters(rp.Maker, cluster, args); err != nil {
				return err
			}
			return printReport(rp, cmd, "moves", to, p, args, "moves.txt", moves.Make)
		},
	}
	to.declare(cmd, "table")
	flags := cmd.Flags()
	flags.StringSliceVar(&p.Values, "value", nil, "rank moves by each of `COLUMNS` (default: the last search)")
	flags.StringVar(&games, "games", "", "read players from `DATASET`, the choices' games")
	flags.IntVar(&p.Players, "players", 20, "with --games: show the `N` players with the most decisions")
	flags.StringArrayVar(&patterns, "pattern", nil, "also rank moves by how often the pattern `NAME=SQL` was played")
	flags.Float64Var(&p.Holdout, "holdout", 0, "hold out the share `P` of the games (default: 0.3 with --pattern)")
	flags.Uint64Var(&p.Seed, "seed", 1, "choose the held-out games by seed `S`")
	cluster.Declare(flags, true)
	return cmd
}
