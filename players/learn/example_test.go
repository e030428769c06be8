package learn_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"kifu/datasets"
	"kifu/kit/sample"
	"kifu/players/learn"
	"kifu/schemas"
)

// How many plies those who move first look ahead, if they value positions by the default
// weights.
func ExampleRun() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	params := learn.Params{Player: []string{"*"}, Side: "first", SkipPlies: 20, MaxDepth: 2, MaxDecisions: 60, Fit: learn.Given, Seed: 1}
	params.Eval = sample.Chess.Default()
	model := sample.Build(filepath.Join(dir, "model"), datasets.Step{
		Stage: "learn", Output: "report/v1", Params: params, Inputs: []string{sample.Games(dir).Path},
		Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			return learn.Run(ctx, sample.Chess, params, 0, in[0], out)
		},
	})
	text, err := model.ReadFile("learn.json")
	if err != nil {
		panic(err)
	}
	var learned schemas.Learn
	if err := json.Unmarshal(text, &learned); err != nil {
		panic(err)
	}
	fmt.Println("decisions:", learned.Train.Decisions, "likeliest depth:", learned.ByPosterior)
	// Output:
	// decisions: 60 likeliest depth: 2
}
