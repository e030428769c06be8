package transform

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/games/chess"
	"kifu/kit/datasettest"
	"kifu/schemas"
)

// dups writes a dataset of duplicates that names the games.
func dups(t *testing.T, of string, ids ...int64) *datasets.Dir {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "dups")
	return datasettest.Build(t, dir, datasets.Step{Stage: "duplicates", Output: schemas.Duplicates.ID(), Params: ids, Run: func(_ context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
		out.SetTable(schemas.Duplicates)
		out.SetMeta("games_key", of)
		b := columns.NewBatch(schemas.Duplicates)
		for _, id := range ids {
			b.Col("game_id").AppendInt64(id)
			b.Col("original_id").AppendInt64(0)
			b.Col("kind").AppendString("moves")
			b.Col("ply_count").AppendInt32(1)
			b.Col("original_ply_count").AppendInt32(1)
			for _, name := range []string{"same_players", "same_date", "same_result"} {
				b.Col(name).AppendBool(true)
			}
			b.Rows++
		}
		return datasettest.Part(out, 0, b)
	}})
}

func TestWithout(t *testing.T) {
	in := datasettest.Open(t, write(t, randomGames(100)))
	for _, dedup := range []bool{false, true} {
		p := Params{Dedup: dedup, MinPly: 3}
		without := func(d *datasets.Dir) (*manifest.Manifest, []int64, error) {
			dir := filepath.Join(t.TempDir(), "positions")
			m, _, err := datasets.Build(context.Background(), dir, datasets.Step{Stage: "transform", Output: "positions/v1", Params: p, Inputs: []string{in.Path, d.Path},
				Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
					return Run(ctx, chess.Rules{}, p, Options{Workers: 2, Without: in[1]}, in[0], b)
				}}, datasets.Options{})
			if err != nil {
				return nil, nil, err
			}
			return m, gameIDs(t, dir), nil
		}
		m, ids, err := without(dups(t, in.Manifest.Key, 0, 3, 64))
		if err != nil {
			t.Fatal(err)
		}
		if m.Counts.Rejected[duplicate] != 3 {
			t.Errorf("dedup %v: %+v", dedup, m.Counts)
		}
		for _, id := range []int64{0, 3, 64} {
			if slices.Contains(ids, id) {
				t.Errorf("dedup %v: game %d is there", dedup, id)
			}
		}
		if !dedup && (!slices.Contains(ids, 1) || !slices.Contains(ids, 65)) {
			t.Errorf("dedup %v: games that are no duplicates are missing", dedup)
		}
		for want, d := range map[string]*datasets.Dir{
			"other games":                    dups(t, "another key", 1),
			"game_id 1000000 does not occur": dups(t, in.Manifest.Key, 1_000_000),
		} {
			if _, _, err := without(d); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("want %q: %v", want, err)
			}
		}
	}
}

func gameIDs(t *testing.T, dir string) []int64 {
	t.Helper()
	return datasettest.Rows(t, datasettest.Open(t, dir), "game_id").Cols[0].Int64
}
