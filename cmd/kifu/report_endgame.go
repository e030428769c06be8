package main

import (
	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/report/endgame"
)

func endgameCommand(rp *reporter) *cobra.Command {
	var to destination
	p := endgame.Usual
	var cluster command.DependenceFlags
	cmd := &cobra.Command{
		Use:   "endgame --out DIR POSITIONS|LABELS",
		Short: "Count endings: material, results, and the expected score",
		Args:  command.Exactly(1, "a dataset of positions or labels"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.Validate(); err != nil {
				return command.Misused(err)
			}
			p.Source, p.Workers = baseNames(args)[0], rp.Workers
			var err error
			if p.Clusters, args, err = command.Clusters(rp.Maker, cluster, args); err != nil {
				return err
			}
			return printReport(rp, cmd, "endgame", to, p, args, "endgame.txt", endgame.Make)
		},
	}
	cmd.SuggestFor = []string{"endgames", "endings", "material"}
	to.declare(cmd, "numbers")
	flags := cmd.Flags()
	flags.StringVar(&p.Value, "value", "", "compare with positions of equal `COLUMN` (default: last search; for positions, ratings)")
	flags.IntVar(&p.Phase, "phase", 0, "an ending begins at phase `N` (default: a third of the maximum)")
	flags.IntVar(&p.Plies, "plies", p.Plies, "an ending lasts `N` positions or more")
	flags.IntVar(&p.MinGames, "min-games", p.MinGames, "list endings of `N` games or more")
	cluster.Declare(flags, false)
	return cmd
}
