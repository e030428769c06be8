package reporttest

import (
	"context"
	"path"
	"testing"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/kit/datasettest"
	"kifu/schemas"
)

// PositionsTable is a table of chess positions with their numbers of legal moves.
func PositionsTable() schemas.Table {
	table := schemas.Positions(1, []schemas.GameColumn{{Name: "phase"}}, false)
	table.Columns = append(table.Columns, schemas.LegalMoves)
	return table
}

// Games returns the games and positions that database.py wrote.
func Games(t *testing.T) (games, positions *datasets.Dir) {
	counts := manifest.Counts{Rejected: map[string]int64{"illegal move": 7, "it's odd": 9}, Noted: map[string]int64{"no result": 3}}
	return WriteTable(t, schemas.Games, sharedRows(t, "database_games.csv"), counts), WriteTable(t, PositionsTable(), sharedRows(t, "database_positions.csv"), manifest.Counts{})
}

// Learned is a directory of testdata/opponent as kifu learn made it, from the sample
// checkers-selfplay with --player 'depth=4*':
//
//	learned  --side first --max-decisions 120 --max-depth 3 --seed 2 --free material,mobility --fit both
//	again    --side first --max-decisions 120 --max-depth 1 --seed 2 --fit given --quiescence=false
//	given    --side second --max-decisions 40 --max-depth 2 --fit given --test 0
//
// given is as versions wrote it that had no candidates with quiescence.
func Learned(t *testing.T, name string) *datasets.Dir {
	t.Helper()
	files, err := shared.ReadDir(path.Join("testdata", "opponent", name))
	if err != nil {
		t.Fatal(err)
	}
	contents := map[string][]byte{}
	for _, f := range files {
		contents[f.Name()] = Data(t, path.Join("opponent", name, f.Name()))
	}
	return ModelOf(t, "learn", contents)
}

// ModelOf makes a directory of the stage with the files.
func ModelOf(t *testing.T, stage string, files map[string][]byte) *datasets.Dir {
	t.Helper()
	dir := t.TempDir()
	return datasettest.Build(t, dir, datasets.Step{Stage: stage, Output: "report/v1", Params: len(files),
		Run: func(_ context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
			for name, text := range files {
				if err := b.AddFile(name, text); err != nil {
					return err
				}
			}
			return nil
		}})
}
