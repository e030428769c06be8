package fit

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/fit/rows"
	"kifu/schemas"
)

// TestBlunders: a blunder costs the player who moved more than the limit, by the value of
// the next ply of the same game; only the loser's are left out.
func TestBlunders(t *testing.T) {
	dir := &datasets.Dir{Path: "labels", Table: schemas.Table{Columns: []schemas.Column{{Name: "ply"}, {Name: "first_to_move"}}}}
	game := []float64{1, 1, 1, 1, 1, 2, 2, 2, 2}
	ply := []float64{0, 1, 2, 3, 4, 0, 1, 2, 4}
	turn := []float64{1, 0, 1, 0, 1, 1, 0, 1, 1}
	value := []float64{20, -180, -180, 30, 500, 10, absent, 400, 0}
	read := func(_ context.Context, _ *datasets.Dir, f []Feature) ([][]float64, error) {
		if f[3].Name != "quiescence_value" {
			return nil, fmt.Errorf("%+v", f)
		}
		return [][]float64{game, ply, turn, value}, nil
	}
	got, missing, err := findBlunders(context.Background(), dir, "quiescence_value", 100, read)
	if err != nil {
		t.Fatal(err)
	}
	// Ply 0 of game 1 costs the first player 200; ply 3, of the second player, 470; ply 2
	// gains. Game 2 has no value at ply 1 and no ply 3.
	want := []blunder{byFirst, nobody, nobody, bySecond, nobody, nobody, nobody, nobody, nobody}
	if fmt.Sprint(got) != fmt.Sprint(want) || missing.positions != 1 || missing.of != 9 {
		t.Errorf("%v, want %v; %+v", got, want, missing)
	}
	if got, _, _ = findBlunders(context.Background(), dir, "quiescence_value", 200, read); got[0] != nobody || got[3] != bySecond {
		t.Errorf("with a limit of 200: %v", got)
	}
	x := computed{blunders: want}
	for _, c := range []struct {
		at   int64
		won  rows.Results
		lost bool
	}{{0, rows.Results{Second: 1}, true}, {0, rows.Results{First: 1}, false}, {0, rows.Results{Draws: 1}, false}, {1, rows.Results{Second: 1}, false}, {3, rows.Results{First: 1}, true}, {3, rows.Results{Second: 1}, false}, {0, rows.Results{}, false}} {
		if got := x.lost(c.at, c.won); got != c.lost {
			t.Errorf("%+v: %v", c, got)
		}
	}
	ply = []float64{0, 2, 4, 6, 8, 0, 2, 4, 6}
	if _, _, err := findBlunders(context.Background(), dir, "quiescence_value", 100, read); err == nil || !strings.Contains(err.Error(), "games whose plies were all labelled") {
		t.Error(err)
	}
	dir.Table = schemas.Table{}
	if _, _, err := findBlunders(context.Background(), dir, "v", 100, read); err == nil || !strings.Contains(err.Error(), `no column "ply"`) {
		t.Error(err)
	}
}
