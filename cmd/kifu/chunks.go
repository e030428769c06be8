package main

import (
	"context"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/models"
	"kifu/datasets"
	"kifu/players/chunks"
)

// chunksFlags are the flags of kifu chunks.
type chunksFlags struct {
	out, model string
	params     chunks.Params
}

func chunksCommand(mk *command.Maker) *cobra.Command {
	var f chunksFlags
	cmd := &cobra.Command{
		Use:   "chunks --model MODEL --out DIR GAMES",
		Short: "Predict a player's moves by piece patterns that recur in its games",
		Args:  command.Exactly(1, "a dataset of games"),
		RunE:  func(cmd *cobra.Command, args []string) error { return f.chunks(cmd.Context(), mk, args[0]) },
	}
	command.OutFlag(cmd, &f.out)
	flags, p := cmd.Flags(), &f.params
	flags.StringVar(&f.model, "model", "", "predict moves by `MODEL`, a directory of kifu learn (required)")
	command.DeclarePlies(flags, &p.SkipPlies, &p.MaxPly)
	flags.IntVar(&p.MaxGames, "max-games", 150, "fit to `N` sampled games, and test on as many")
	flags.Uint64Var(&p.Seed, "seed", 1, "`SEED` of random choices")
	return cmd
}

// chunks predicts the moves of a model's player by the chunks of its games.
func (f chunksFlags) chunks(ctx context.Context, mk *command.Maker, games string) error {
	if f.model == "" {
		return command.Usagef("--model MODEL is missing")
	}
	_, g, err := mk.OpenGame(games, "games")
	if err != nil {
		return err
	}
	c, err := models.Candidate(mk, g, f.model)
	if err != nil {
		return err
	}
	p := f.params
	p.Player, p.Names, p.Split, p.Games = c.Player, c.Names, c.Split, c.Games
	if err := p.Validate(); err != nil {
		return command.Misused(err)
	}
	err = mk.Build(ctx, f.out, datasets.Step{
		Stage: "chunks", Output: "report/v1", Params: p, Inputs: []string{games},
		Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
			return g.Chunks(ctx, p, mk.Workers, in[0], b)
		},
	}, "decisions")
	if err != nil || mk.Plan != nil {
		return err
	}
	return mk.PrintFile(f.out, chunks.Text)
}
