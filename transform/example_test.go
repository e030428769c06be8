package transform_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"kifu/datasets"
	"kifu/games/chess"
	"kifu/kit/sample"
	"kifu/transform"
)

// The distinct positions of a dataset of games, without the opening.
func ExampleRun() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	games := sample.Games(dir)
	params := transform.Params{MinPly: 10, Dedup: true}
	positions := sample.Build(filepath.Join(dir, "distinct"), datasets.Step{
		Stage: "transform", Output: "positions/v1", Params: params, Inputs: []string{games.Path},
		Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			return transform.Run(ctx, chess.Rules{}, params, transform.Options{}, in[0], out)
		},
	})
	fmt.Println(games.Rows(), "games,", positions.Rows(), "positions")
	// Output:
	// 100 games, 6610 positions
}
