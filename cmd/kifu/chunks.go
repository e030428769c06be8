package main

import (
	"context"

	"github.com/spf13/cobra"

	"kifu/datasets"
	"kifu/players/chunks"
)

// withChunks are the flags of learn that --chunks takes.
var withChunks = []string{"out", "chunks", "skip-plies", "max-ply", "max-games", "seed"}

// chunks predicts the moves of a model's player by the chunks of its games.
func (a *app) chunks(cmd *cobra.Command, f *learnFlags, games string) error {
	if err := onlyWith(cmd, "chunks", withChunks); err != nil {
		return err
	}
	in, err := a.open(games, "games")
	if err != nil {
		return err
	}
	g, err := gameOf(in)
	if err != nil {
		return err
	}
	c, err := a.candidate(g, f.chunks)
	if err != nil {
		return err
	}
	p := chunks.Params{
		Player: c.Player, Names: c.Names, Split: c.Split, Games: c.Games, Seed: f.params.Seed,
		SkipPlies: f.params.SkipPlies, MaxPly: f.params.MaxPly, MaxGames: f.identify.params.MaxGames,
	}
	if err := p.Validate(); err != nil {
		return usageError{err}
	}
	err = a.build(cmd.Context(), f.out, datasets.Step{
		Stage: "chunks", Output: "report/v1", Params: p, Inputs: []string{games},
		Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
			return g.chunks(ctx, p, a.workers, in[0], b)
		},
	}, "decisions")
	if err != nil || a.plan != nil {
		return err
	}
	return a.printFile(f.out, chunks.Text)
}
