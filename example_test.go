package kifu_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"kifu/datasets"
	"kifu/eval"
	evalchess "kifu/eval/chess"
	"kifu/fit"
	"kifu/fit/computed"
	"kifu/fit/fitted"
	"kifu/fit/method"
	"kifu/games/chess"
	"kifu/ingest"
	"kifu/ingest/legal"
	"kifu/ingest/pgn"
	"kifu/ingest/record"
	"kifu/kit/sample"
	"kifu/label"
	"kifu/schemas"
	"kifu/transform"
)

// From records to a weight: what kifu ingest, transform, label and fit do.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	// build makes one dataset of others and returns its path.
	build := func(name string, s datasets.Step) string {
		path := filepath.Join(dir, name)
		m, _, err := datasets.Build(ctx, path, s, datasets.Options{})
		if err != nil {
			panic(err)
		}
		fmt.Println(name+":", m.Counts.Written, "rows")
		return path
	}

	// 1. Records to games.
	reads := legal.Bind(chess.Rules{}, []*record.Format{pgn.Format()})
	from := ingest.Options{Inputs: []string{"-"}, Stdin: bytes.NewReader(sample.PGN())}
	keys, err := ingest.InputKeys(ctx, reads, ingest.Params{Game: "chess"}, from)
	if err != nil {
		panic(err)
	}
	games := build("games", datasets.Step{
		Stage: "ingest", Output: schemas.Games.ID(), Params: ingest.Params{Game: "chess"}, InputKeys: keys,
		Run: func(ctx context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			return ingest.Run(ctx, reads, ingest.Params{Game: "chess"}, from, out)
		},
	})

	// 2. Games to positions.
	middle := transform.Params{MinPly: 10}
	positions := build("positions", datasets.Step{
		Stage: "transform", Output: "positions/v1", Params: middle, Inputs: []string{games},
		Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			return transform.Run(ctx, chess.Rules{}, middle, transform.Options{}, in[0], out)
		},
	})

	// 3. Positions to values and features, by an evaluator without king safety.
	game := eval.Game[chess.Position]{Rules: chess.Rules{}, NewEvaluator: evalchess.New, Default: evalchess.Default}
	search := label.Params{Search: []string{"quiescence"}, Zero: []string{"king_safety"}, Eval: evalchess.Default()}
	labels := build("labels", datasets.Step{
		Stage: "label", Output: "labels/v2", Params: search, Inputs: []string{positions},
		Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			return label.Run(ctx, game, search, 0, in[0], out)
		},
	})

	// 4. Labels to weights: what king safety should weigh, told by the winners.
	method := fit.Params{Method: method.MLM{}, Draws: fit.DrawsExclude, Add: []computed.Feature{{Name: "safety", SQL: "king_safety"}}}
	weights := build("weights", datasets.Step{
		Stage: "fit", Output: schemas.Weights.ID(), Params: method, Inputs: []string{labels},
		Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			return fit.Run(ctx, method, fit.Means{}, fit.Sources{Labels: in[0]}, out)
		},
	})
	found, err := datasets.Open(weights)
	if err != nil {
		panic(err)
	}
	result, err := fitted.Read(found)
	if err != nil {
		panic(err)
	}
	for _, w := range result.Weights {
		fmt.Printf("%s: %.1f ± %.1f of the evaluator's own\n", w.Term, w.Fitted, *w.SERobust)
	}
	// Output:
	// games: 100 rows
	// positions: 6822 rows
	// labels: 6822 rows
	// weights: 1 rows
	// safety: 1.5 ± 0.3 of the evaluator's own
}
