package match_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"kifu/datasets"
	"kifu/eval"
	evaltictactoe "kifu/eval/tictactoe"
	"kifu/games/tictactoe"
	"kifu/kit/sample"
	"kifu/players/match"
	"kifu/players/play"
	"kifu/schemas"
)

// A player that looks two plies ahead against one that moves at random.
func ExampleRun() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	game := eval.Game[tictactoe.Position]{Rules: tictactoe.Rules{}, NewEvaluator: evaltictactoe.New, Default: evaltictactoe.Default}
	params := match.Params{Games: 40, Seed: 1, Ends: match.Ends{MaxPlies: 9}}
	for _, text := range []string{"depth=2", "random"} {
		p, err := play.Parse(text)
		if err == nil {
			err = p.Resolve(func(string) (*eval.Model, error) { return evaltictactoe.Default(), nil })
		}
		if err != nil {
			panic(err)
		}
		params.Players = append(params.Players, p)
	}
	games := sample.Build(filepath.Join(dir, "games"), datasets.Step{
		Stage: "match", Output: schemas.Games.ID(), Params: params,
		Run: func(ctx context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			return match.Run(ctx, game, nil, params, 0, out)
		},
	})
	text, err := games.ReadFile(match.ResultText)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s", text)
	// Output:
	// wins  draws  losses  points  score  player
	//     38      0       2    38.0  0.950  depth=2
	//     20      0       0    20.0  1.000    moving first
	//     18      0       2    18.0  0.900    moving second
	//      2      0      38     2.0  0.050  random
	//      2      0      18     2.0  0.100    moving first
	//      0      0      20     0.0  0.000    moving second
	// pairs by points 0, ½, 1, 1½, 2: 0 0 2 0 18
	// Elo +511.5 (95 %: +262.9 to +760.1), normalised +655.5 (+179.9 to +1556.2), likelihood of superiority 100.0 %
	// 37 of 40 games are distinct, from one opening; intervals allow for chance in games of this opening alone
	// ends: three in a line 40
}
