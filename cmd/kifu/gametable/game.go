package gametable

import (
	"context"
	"io"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/eval"
	"kifu/explore/site"
	"kifu/export"
	"kifu/fit/conjunctions"
	"kifu/games"
	"kifu/games/board"
	"kifu/ingest/legal"
	"kifu/internal/elo"
	"kifu/label"
	"kifu/players/chunks"
	"kifu/players/evolve"
	"kifu/players/identify"
	"kifu/players/learn"
	"kifu/players/match"
	"kifu/players/patterns"
	"kifu/players/population"
	"kifu/query/find"
	"kifu/search/engine"
	"kifu/transform"
	"kifu/transform/clean"
	"kifu/transform/duplicates"
	"kifu/transform/tree"
)

// Game is a game bound to every stage, with its position type bound away.
type Game struct {
	Name       string
	Columns    []games.Column // of positions
	Named      bool           // positions have the opening's name
	Ingest     legal.Game
	Protocol   string // of outside programs, as in facts
	Endings    func(dirs string) (Endings, error)
	Wide       bool // as in facts
	Transform  func(ctx context.Context, p transform.Params, o transform.Options, in *datasets.Dir, out *datasets.Builder) error
	Tree       func(ctx context.Context, p tree.Params, workers int, in []*datasets.Dir, out *datasets.Builder) error
	Clean      func(ctx context.Context, p clean.Params, o clean.Options, in *datasets.Dir, out *datasets.Builder) error
	Duplicates func(ctx context.Context, p duplicates.Params, workers int, in *datasets.Dir, out *datasets.Builder) error
	Label      func(ctx context.Context, p label.Params, workers int, in *datasets.Dir, out *datasets.Builder) error
	Match      func(ctx context.Context, p match.Params, workers int, out *datasets.Builder) error
	Duels      func(p match.Params, workers int) (Duels, error)
	Book       func(ctx context.Context, d *datasets.Dir, plies int) (string, error) // openings
	Evolve     func(ctx context.Context, p evolve.Params, workers int, out *datasets.Builder) error
	Network    *evolve.Network // that evolve can evolve; nil: none
	Learn      func(ctx context.Context, p learn.Params, workers int, in *datasets.Dir, out *datasets.Builder) error
	Human      func(ctx context.Context, p population.Params, workers int, in *datasets.Dir, out *datasets.Builder) error
	Identify   func(ctx context.Context, p identify.Params, workers int, in []*datasets.Dir, out *datasets.Builder) error
	Chunks     func(ctx context.Context, p chunks.Params, workers int, in *datasets.Dir, out *datasets.Builder) error
	Patterns   func(ctx context.Context, p patterns.Params, workers int, in *datasets.Dir, out *datasets.Builder) error
	Motifs     *Motifs // of moves; nil: none
	Boards     board.Game
	Find       func(ctx context.Context, q find.Query, workers int, in *datasets.Dir, take func(find.Hit) error) (manifest.Counts, error)
	Formats    export.Formats
	Explore    site.Game
	Export     func(ctx context.Context, workers int, sources []export.Source, w io.Writer) (manifest.Counts, error)
	// StartPhase is the phase of the usual start, by the evaluator.
	StartPhase func() (int, error)
	Points     bool // values that come from the end of the game are points
	// Conjunctions finds the conjunctions of the first of in; the second is to test on, or nil.
	Conjunctions func(ctx context.Context, p conjunctions.Params, m conjunctions.Means, in []*datasets.Dir, out *datasets.Builder) error
	Tables       Tables
	// Model reads weights against the game's evaluator; nil text gives the default.
	Model func(text []byte) (*eval.Model, error)
	// Playing returns the model that plays where none is named.
	Playing func() (*eval.Model, error)
	// Signature is the number of nodes of a fixed set of searches; MStar of M*, 0
	// where it is none.
	Signature, MStar func() (int64, error)
	Perft            func(position string, depth int, report func(move string, nodes uint64)) (uint64, error)
}

// Duels plays pairs of games of a program against itself, as match.Duels.
type Duels interface {
	Pair(ctx context.Context, worker, number int, settings [2][]engine.Option) (elo.Tally, error)
	Close()
}
