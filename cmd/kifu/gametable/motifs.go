package gametable

import (
	"context"

	"kifu/datasets"
	"kifu/games"
	"kifu/label/motifs"
	"kifu/schemas"
)

// Motifs finds the motifs of the moves in games.
type Motifs struct {
	Table schemas.Table
	Run   func(ctx context.Context, workers int, in *datasets.Dir, out *datasets.Builder) error
}

func motifsOf[P games.Position[P]](rules games.Rules[P], finder games.Motifs[P]) *Motifs {
	if finder == nil {
		return nil
	}
	return &Motifs{Table: motifs.Table(rules, finder), Run: func(ctx context.Context, workers int, in *datasets.Dir, out *datasets.Builder) error {
		return motifs.Run(ctx, rules, finder, workers, in, out)
	}}
}

// WithMotifs returns the names of the games whose moves have motifs.
func WithMotifs() (names []string) {
	for _, g := range All {
		if g.Motifs != nil {
			names = append(names, g.Name)
		}
	}
	return names
}
