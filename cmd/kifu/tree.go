package main

import (
	"context"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/schemas"
	"kifu/transform/tree"
)

// The defaults of a tree.
const (
	treeDepth = 50
	treeGames = 2
)

func treeCommand(mk *command.Maker) *cobra.Command {
	var out string
	var add bool
	var p tree.Params
	cmd := &cobra.Command{
		Use:   "tree --out DIR GAMES...",
		Short: "Make an opening tree: the moves played in each position, with results",
		Args:  command.AtLeast(1, "datasets of games"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.Validate(); err != nil {
				return command.Misused(err)
			}
			if add && mk.Force {
				return command.Usagef("--append extends the dataset and --force replaces it: choose one")
			}
			_, g, err := mk.OpenGame(args[0], "games")
			if err != nil {
				return err
			}
			return mk.BuildOr(cmd.Context(), out, treeStep(g, p, mk.Workers, args), datasets.Options{Force: mk.Force, Append: add}, "rows")
		},
	}
	command.OutFlag(cmd, &out)
	flags := cmd.Flags()
	flags.IntVar(&p.Depth, "depth", treeDepth, "count the first `N` plies of each game")
	flags.IntVar(&p.MinGames, "min-games", treeGames, "keep positions of at least `N` games")
	flags.StringSliceVar(&p.By, "by", nil, "divide the games of a move by `GROUPS`: rating, speed, month")
	flags.BoolVar(&add, "append", false, "add the games to the existing tree")
	return cmd
}

// treeStep is the step that makes a tree of games.
func treeStep(g command.Game, p tree.Params, workers int, games []string) datasets.Step {
	return datasets.Step{Stage: "tree", Output: schemas.Tree().ID(), Params: p, Inputs: games,
		Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			return g.Tree(ctx, p, workers, in, out)
		}}
}
