package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/gametable"
	"kifu/datasets"
)

func motifsCommand(mk *command.Maker) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "motifs --out DIR GAMES",
		Short: "Find the tactical motifs of the moves: forks, pins, sacrifices, mates",
		Args:  command.Exactly(1, "a dataset of games"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, g, err := mk.OpenGame(args[0], "games")
			if err != nil {
				return err
			}
			if g.Motifs == nil {
				return command.Usagef("%s holds games of %s, which have no motifs; motifs are of %s", in.Path, g.Name, strings.Join(gametable.WithMotifs(), ", "))
			}
			return mk.Build(cmd.Context(), out, datasets.Step{
				Stage: "motifs", Output: g.Motifs.Table.ID(), Inputs: args, Apart: true,
				Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
					return g.Motifs.Run(ctx, mk.Workers, in[0], b)
				},
			}, "moves")
		},
	}
	command.OutFlag(cmd, &out)
	return cmd
}
