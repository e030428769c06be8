package fit_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"kifu/datasets"
	"kifu/fit"
	"kifu/fit/fitted"
	"kifu/fit/method"
	"kifu/kit/sample"
	"kifu/schemas"
)

// The weight of a new feature, the side to move, by maximum likelihood.
func ExampleRun() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	params := fit.Params{Method: method.MLM{Positions: method.Positions{SideToMove: true}}, Draws: fit.DrawsExclude}
	weights := sample.Build(filepath.Join(dir, "mlm"), datasets.Step{
		Stage: "fit", Output: schemas.Weights.ID(), Params: params, Inputs: []string{sample.Labels(dir).Path},
		Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			return fit.Run(ctx, params, fit.Means{}, fit.Sources{Labels: in[0]}, out)
		},
	})
	result, err := fitted.Read(weights)
	if err != nil {
		panic(err)
	}
	for _, w := range result.Weights {
		fmt.Printf("%s %.1f ± %.1f %s\n", w.Term, w.Fitted, *w.SERobust, result.Unit)
	}
	// Output:
	// side_to_move -10.1 ± 0.8 centipawns
}
