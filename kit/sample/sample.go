// Package sample builds small datasets of chess for the examples of the stages: the first
// hundred of the bundled games, their positions from ply 10 on, and the labels of these.
// Its functions panic on an error, which only a broken stage can cause.
package sample

import (
	"bytes"
	"context"
	"io"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"kifu/datasets"
	"kifu/datasets/catalog"
	"kifu/eval"
	evalchess "kifu/eval/chess"
	"kifu/games/chess"
	"kifu/ingest"
	"kifu/ingest/legal"
	"kifu/ingest/pgn"
	"kifu/ingest/record"
	"kifu/label"
	"kifu/schemas"
	"kifu/transform"
)

// Chess is chess for the stages that search: its rules and its evaluator.
var Chess = eval.Game[chess.Position]{Rules: chess.Rules{}, NewEvaluator: evalchess.New, Default: evalchess.Default}

// Ingest is chess for ingest.
func Ingest() legal.Game { return legal.Bind(chess.Rules{}, []*record.Format{pgn.Format()}) }

// PGN returns the records of the first hundred games.
func PGN() []byte {
	s := must(catalog.FindSample("chess-masters"))
	r := must(zstd.NewReader(bytes.NewReader(s.Data)))
	defer r.Close()
	text := must(io.ReadAll(r))
	at := 0
	for range 100 {
		at += len("[Event ") + bytes.Index(text[at+len("[Event "):], []byte("[Event "))
	}
	return text[:at]
}

// Games makes the dataset of the games in a folder of dir.
func Games(dir string) *datasets.Dir {
	p, o := ingest.Params{Game: "chess"}, ingest.Options{Inputs: []string{"-"}, Stdin: bytes.NewReader(PGN())}
	keys := must(ingest.InputKeys(context.Background(), Ingest(), p, o))
	return Build(filepath.Join(dir, "games"), datasets.Step{Stage: "ingest", Output: schemas.Games.ID(), Params: p, InputKeys: keys,
		Run: func(ctx context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			return ingest.Run(ctx, Ingest(), p, o, out)
		}})
}

// Positions makes the dataset of their positions, and first the games if they are missing.
func Positions(dir string) *datasets.Dir {
	p := transform.Params{MinPly: 10}
	return Build(filepath.Join(dir, "positions"), datasets.Step{Stage: "transform", Output: "positions/v1", Params: p, Inputs: []string{Games(dir).Path},
		Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			return transform.Run(ctx, chess.Rules{}, p, transform.Options{}, in[0], out)
		}})
}

// Labels makes the dataset of their values and features by quiescence.
func Labels(dir string) *datasets.Dir {
	p := label.Params{Search: []string{"quiescence"}, Eval: evalchess.Default()}
	return Build(filepath.Join(dir, "labels"), datasets.Step{Stage: "label", Output: "labels/v2", Params: p, Inputs: []string{Positions(dir).Path},
		Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			return label.Run(ctx, Chess, p, 0, in[0], out)
		}})
}

// Build makes a dataset and opens it.
func Build(dir string, s datasets.Step) *datasets.Dir {
	_, _, err := datasets.Build(context.Background(), dir, s, datasets.Options{})
	if err != nil {
		panic(err)
	}
	return must(datasets.Open(dir))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
