package main

import (
	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/label"
	"kifu/schemas"
)

func choicesCommand(e *command.Env) *cobra.Command {
	f, choices := usualLabels(), new(label.Choices)
	f.params.Choices = choices
	cmd := &cobra.Command{
		Use:   "choices --out DIR POSITIONS",
		Short: "Evaluate all legal moves of positions",
		Args:  command.Exactly(1, "a dataset of positions"),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := f.read(e.Maker, cmd.Flags(), args[0])
			if err != nil {
				return err
			}
			return f.build(cmd.Context(), e, g, schemas.Choices(schemas.Table{}, nil).ID(), args[0], "moves")
		},
	}
	command.OutFlag(cmd, &f.out)
	flags := cmd.Flags()
	f.addSearches(flags)
	f.addZero(flags)
	flags.IntVar(&choices.Alternatives, "alternatives", 0, "sample `N` moves that were not played (0: all)")
	flags.Uint64Var(&choices.Seed, "seed", 1, "sample the moves of --alternatives by seed `S`")
	f.shards.Declare(flags)
	return cmd
}
