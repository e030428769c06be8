package label_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"kifu/datasets"
	evalchess "kifu/eval/chess"
	"kifu/kit/sample"
	"kifu/label"
)

// Values of positions by two searches, by an evaluator that lacks king safety.
func ExampleRun() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	positions := sample.Positions(dir)
	params := label.Params{Search: []string{"static", "quiescence"}, Zero: []string{"king_safety"}, Eval: evalchess.Default()}
	labels := sample.Build(filepath.Join(dir, "blind"), datasets.Step{
		Stage: "label", Output: "labels/v2", Params: params, Inputs: []string{positions.Path},
		Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			return label.Run(ctx, sample.Chess, params, 0, in[0], out)
		},
	})
	fmt.Println(labels.Rows() == positions.Rows(), labels.Manifest.Meta["leaf"])
	// Output:
	// true quiescence_value
}
