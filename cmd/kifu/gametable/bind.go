package gametable

import (
	"context"
	"io"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/eval"
	"kifu/explore/models"
	"kifu/explore/site"
	"kifu/export"
	"kifu/fit/conjunctions"
	"kifu/games"
	"kifu/games/board"
	"kifu/ingest/legal"
	"kifu/label"
	"kifu/players/chunks"
	"kifu/players/evolve"
	"kifu/players/identify"
	"kifu/players/learn"
	"kifu/players/match"
	"kifu/players/patterns"
	"kifu/players/population"
	"kifu/query/find"
	"kifu/search"
	"kifu/search/signature"
	"kifu/transform"
	"kifu/transform/clean"
	"kifu/transform/duplicates"
	"kifu/transform/tree"
)

func bind[P games.Position[P]](rules games.Rules[P], evaluator func(*eval.Model) (eval.Evaluator[P], error), model func() *eval.Model, f facts) Game {
	tables, evaluator := bindTables(rules, evaluator, model)
	g := eval.Game[P]{Rules: rules, NewEvaluator: evaluator, Default: model, Play: tables.Playing(model)}
	_, named := rules.(games.OpeningNames[P])
	finder, _ := f.motifs.(games.Motifs[P])
	seek := func(ctx context.Context, q find.Query, workers int, in *datasets.Dir, take func(find.Hit) error) (manifest.Counts, error) {
		return find.Run(ctx, rules, finder, q, workers, in, take)
	}
	return Game{
		Named:   named,
		Name:    rules.Name(),
		Columns: rules.Columns(),
		Model:   g.Model,
		Playing: g.Playing,
		Points:  label.Points(rules), StartPhase: func() (int, error) { return label.StartPhase(g) },
		Tables:   tables,
		Boards:   board.Of(rules),
		Explore:  site.Game{Boards: board.Of(rules), Judge: models.Bind(g, tables.Stored), People: models.BindPeople(g), Find: seek},
		Find:     seek,
		Formats:  f.write,
		Protocol: f.protocol, Endings: f.endings, Motifs: motifsOf(rules, finder),
		Wide: f.wide,
		Export: func(ctx context.Context, workers int, sources []export.Source, w io.Writer) (manifest.Counts, error) {
			return export.Run(ctx, rules, f.write, workers, sources, w)
		},
		Signature: counting(g, signature.Nodes[P]),
		MStar:     counting(g, signature.MStar[P]),
		Ingest:    legal.Bind(rules, f.read, f.also...),
		Transform: func(ctx context.Context, p transform.Params, o transform.Options, in *datasets.Dir, out *datasets.Builder) error {
			return transform.Run(ctx, rules, p, o, in, out)
		},
		Tree: func(ctx context.Context, p tree.Params, workers int, in []*datasets.Dir, out *datasets.Builder) error {
			return tree.Run(ctx, rules, p, workers, in, out)
		},
		Clean: func(ctx context.Context, p clean.Params, o clean.Options, in *datasets.Dir, out *datasets.Builder) error {
			return clean.Run(ctx, rules, p, o, in, out)
		},
		Duplicates: func(ctx context.Context, p duplicates.Params, workers int, in *datasets.Dir, out *datasets.Builder) error {
			return duplicates.Run(ctx, rules, p, workers, in, out)
		},
		Label: func(ctx context.Context, p label.Params, workers int, in *datasets.Dir, out *datasets.Builder) error {
			return label.Run(ctx, g, p, workers, in, out)
		},
		Match: func(ctx context.Context, p match.Params, workers int, out *datasets.Builder) error {
			return match.Run(ctx, g, relearner(g), p, workers, out)
		},
		Duels: func(p match.Params, workers int) (Duels, error) { return match.NewDuels(g, p, workers) },
		Book: func(ctx context.Context, d *datasets.Dir, plies int) (string, error) {
			return match.ReadBook(ctx, rules, d, plies)
		},
		Evolve: func(ctx context.Context, p evolve.Params, workers int, out *datasets.Builder) error {
			return evolve.Run(ctx, g, p, workers, out)
		},
		Learn: func(ctx context.Context, p learn.Params, workers int, in *datasets.Dir, out *datasets.Builder) error {
			return learn.Run(ctx, g, p, workers, in, out)
		},
		Human: func(ctx context.Context, p population.Params, workers int, in *datasets.Dir, out *datasets.Builder) error {
			return population.Run(ctx, g, p, workers, in, out)
		},
		Identify: func(ctx context.Context, p identify.Params, workers int, in []*datasets.Dir, out *datasets.Builder) error {
			return identify.Run(ctx, g, p, workers, in, out)
		},
		Chunks: func(ctx context.Context, p chunks.Params, workers int, in *datasets.Dir, out *datasets.Builder) error {
			return chunks.Run(ctx, g, p, workers, in, out)
		},
		Patterns: func(ctx context.Context, p patterns.Params, workers int, in *datasets.Dir, out *datasets.Builder) error {
			return patterns.Run(ctx, rules, p, workers, in, out)
		},
		Conjunctions: func(ctx context.Context, p conjunctions.Params, m conjunctions.Means, in []*datasets.Dir, out *datasets.Builder) error {
			return conjunctions.Run(ctx, rules, p, m, in[0], in[1], out)
		},
		Perft: func(position string, depth int, report func(string, uint64)) (uint64, error) {
			p, _, err := rules.Start("", position)
			if err != nil {
				return 0, err
			}
			return divide(rules, p, depth, report), nil
		},
	}
}

// counting returns the number of nodes of searches with the counted terms of g.
func counting[P games.Position[P]](g eval.Game[P], nodes func(games.Rules[P], search.Static[P]) (int64, error)) func() (int64, error) {
	return func() (int64, error) {
		e, err := g.NewEvaluator(g.Default())
		if err != nil {
			return 0, err
		}
		return nodes(g.Rules, e)
	}
}

// divide counts the leaves depth plies below p and reports the share of each move.
func divide[P games.Position[P]](rules games.Rules[P], p P, depth int, report func(string, uint64)) uint64 {
	if depth == 0 {
		return 1
	}
	var total uint64
	for _, m := range p.AppendMoves(nil) {
		n := games.Perft(rules, p.Play(m), depth-1)
		report(string(rules.AppendCoordinates(nil, p, m)), n)
		total += n
	}
	return total
}
