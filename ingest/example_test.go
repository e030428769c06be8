package ingest_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"kifu/datasets"
	"kifu/games/chess"
	"kifu/ingest"
	"kifu/ingest/legal"
	"kifu/ingest/pgn"
	"kifu/ingest/record"
	"kifu/schemas"
)

// Two games and a damaged one: what can be read becomes a row, the rest is counted.
func ExampleRun() {
	const records = `[White "Greco"]
[Black "NN"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

[White "NN"]
[Black "Greco"]

1. e4 e5 2. Ke4 1-0

[White "NN"]
[Black "Greco"]

1. f3 e5 2. g4 Qh4# 0-1
`
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	game := legal.Bind(chess.Rules{}, []*record.Format{pgn.Format()})
	params := ingest.Params{Game: "chess"}
	options := ingest.Options{Inputs: []string{"-"}, Stdin: bytes.NewReader([]byte(records))}
	ctx := context.Background()
	keys, err := ingest.InputKeys(ctx, game, params, options)
	if err != nil {
		panic(err)
	}
	m, _, err := datasets.Build(ctx, filepath.Join(dir, "games"), datasets.Step{
		Stage: "ingest", Output: schemas.Games.ID(), Params: params, InputKeys: keys,
		Run: func(ctx context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			return ingest.Run(ctx, game, params, options, out)
		},
	}, datasets.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println("read", m.Counts.Read, "wrote", m.Counts.Written, "rejected", m.Counts.Rejected)
	// Output:
	// read 3 wrote 2 rejected map[illegal move:1]
}
