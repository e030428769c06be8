package computed

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/fit/rows"
	"kifu/kit/datasettest"
	"kifu/schemas"
)

// TestBlunders: a blunder costs the player who moved more than the limit, by the value of
// the next ply of the same game; only the loser's are left out.
func TestBlunders(t *testing.T) {
	nan := float32(math.NaN())
	moments := []moment{{1, 0, true, 20}, {1, 1, false, -180}, {1, 2, true, -180}, {1, 3, false, 30}, {1, 4, true, 500},
		{2, 0, true, 10}, {2, 1, false, nan}, {2, 2, true, 400}, {2, 4, true, 0}}
	find := func(limit float64) ([]blunder, int64) {
		f := &blunderFinder{limit: limit}
		for _, m := range moments {
			f.add(m)
		}
		return f.end(int64(len(moments))), f.gaps
	}
	// Ply 0 of game 1 costs the first player 200; ply 3, of the second player, 470; ply 2
	// gains. Game 2 has no value at ply 1 and no ply 3.
	want := []blunder{byFirst, none, none, bySecond, none, none, none, none, none}
	if got, gaps := find(100); fmt.Sprint(got) != fmt.Sprint(want) || gaps != 1 {
		t.Errorf("%v, want %v; %d gaps", got, want, gaps)
	}
	if got, _ := find(200); got[0] != none || got[3] != bySecond {
		t.Errorf("with a limit of 200: %v", got)
	}
	x := &Part{blunders: want}
	for _, c := range []struct {
		at   int
		won  rows.Results
		lost bool
	}{{0, rows.Results{Second: 1}, true}, {0, rows.Results{First: 1}, false}, {0, rows.Results{Draws: 1}, false}, {1, rows.Results{Second: 1}, false}, {3, rows.Results{First: 1}, true}, {3, rows.Results{Second: 1}, false}, {0, rows.Results{}, false}} {
		if got := x.Lost(c.at, c.won); got != c.lost {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestBlundersOverParts: the move that follows the last row of a part is in the next one, or in the one after
// an empty part; what is found does not depend on where parts end.
func TestBlundersOverParts(t *testing.T) {
	all := func(dir *datasets.Dir) (out []blunder, gaps int64) {
		for i := range dir.NumParts() {
			part, n, err := findBlunders(dir, i, "quiescence_value", 100)
			if err != nil {
				t.Fatal(err)
			}
			out, gaps = append(out, part...), gaps+n
		}
		return out, gaps
	}
	whole, gaps := all(movesIn(t, 40))
	for _, sizes := range [][]int{{7, 33}, {1, 1, 38}, {20, 0, 20}, {39, 1, 0}} {
		if got, n := all(movesIn(t, sizes...)); fmt.Sprint(got) != fmt.Sprint(whole) || n != gaps {
			t.Errorf("parts of %v rows: %v, %d gaps; in one %v, %d", sizes, got, n, whole, gaps)
		}
	}
	if gaps != 3 || !slices.Contains(whole, byFirst) || !slices.Contains(whole, bySecond) {
		t.Errorf("%d gaps, %v", gaps, whole)
	}
}

// movesIn are labels of moves of games of ten plies, one of which is missing in three of four, in parts of these sizes.
func movesIn(t *testing.T, parts ...int) *datasets.Dir {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "labels")
	table := schemas.Table{Name: "labels", Version: schemas.LabelsVersion, Columns: []schemas.Column{{Name: "game_id", Type: schemas.Int64}, {Name: "ply", Type: schemas.Int32},
		{Name: "first_to_move", Type: schemas.Bool}, {Name: "quiescence_value", Type: schemas.Float32, Nullable: true}}}
	return datasettest.Build(t, dir, datasets.Step{Stage: "label", Output: table.ID(), Params: parts,
		Run: func(_ context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
			b.SetTable(table)
			row := 0
			for i, n := range parts {
				batch := columns.NewBatch(table)
				for ; batch.Rows < n; batch.Rows++ {
					game, ply := row/10, row%10
					if game > 0 && ply > 4 {
						ply++
					}
					batch.Col("game_id").AppendInt64(int64(game))
					batch.Col("ply").AppendInt32(int32(ply))
					batch.Col("first_to_move").AppendBool(ply%2 == 0)
					batch.Col("quiescence_value").AppendFloat32(float32(row*137%331 - 165))
					row++
				}
				if err := datasettest.Part(b, i, batch); err != nil {
					return err
				}
			}
			return nil
		}})
}

// TestFollowed: labels of a sample are refused, and so are those without plies.
func TestFollowed(t *testing.T) {
	dir := movesIn(t, 40)
	x := &Labels{dir: dir}
	if err := x.LookForBlunders("quiescence_value", 100); err != nil || x.Followed() != nil {
		t.Error(err, x.Followed())
	}
	x.gaps[0] = 21
	if err := x.Followed(); err == nil || !strings.Contains(err.Error(), "21 of 40 positions") || !strings.Contains(err.Error(), "games whose plies were all labelled") {
		t.Error(err)
	}
	dir.Table = schemas.Table{}
	if err := x.LookForBlunders("v", 100); err == nil || !strings.Contains(err.Error(), `no column "ply"`) {
		t.Error(err)
	}
}
