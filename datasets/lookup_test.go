package datasets

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kifu/datasets/columns"
	"kifu/datasets/part"
	"kifu/datasets/several"
	"kifu/internal/lists"
	"kifu/schemas"
)

// lookable is a table of games with columns of all types.
func lookable() schemas.Table {
	t := every()
	t.Columns = append(t.Columns, schemas.Column{Name: part.GameID, Type: schemas.Int64, Doc: "g"})
	return t
}

// gamesIn writes a dataset of two row groups of 10,000 rows, with games of one to three rows. shuffled: in no order.
func gamesIn(t *testing.T, shuffled bool) *Dir {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	game := int64(0)
	var batches []*columns.Batch
	for range 2 {
		b := columns.NewBatch(lookable())
		fill(b, 2_500, r)
		ids := b.Col(part.GameID).Int64
		for i := range ids {
			if ids[i] = game; r.IntN(2) == 0 {
				game += 1 + r.Int64N(3)
			}
		}
		if shuffled {
			r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		}
		batches = append(batches, b)
	}
	return writeOne(t, lookable(), batches...)
}

// looked returns the rows of games as text.
func looked(d *Dir, games []int64) (all []string, err error) {
	names := lists.Of(d.Table.Columns, func(c schemas.Column) string { return c.Name })
	return all, Lookup(context.Background(), d, games, names, func(b *columns.Batch) error {
		all = append(all, rows(b)...)
		return nil
	})
}

// TestLookup: the rows of some games are those that a scan of all rows finds, in their order.
func TestLookup(t *testing.T) {
	for _, shuffled := range []bool{false, true} {
		d := gamesIn(t, shuffled)
		var texts []string
		var ids []int64
		err := Scan(context.Background(), d, "", "", nil, func(_ Group, b *columns.Batch) error {
			texts, ids = append(texts, rows(b)...), append(ids, b.Col(part.GameID).Int64...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 2))
		for _, n := range []int{0, 1, 3, 40, 500} {
			games := []int64{-5, 1 << 40}
			for range n {
				games = append(games, r.Int64N(5_000))
			}
			var want []string
			for i, id := range ids {
				if slices.Contains(games, id) {
					want = append(want, texts[i])
				}
			}
			got, err := looked(d, games)
			if err != nil || !slices.Equal(got, want) || n > 3 && len(got) == 0 {
				t.Errorf("shuffled %v, %d games: %d rows, want %d, %v", shuffled, n, len(got), len(want), err)
			}
		}
	}
}

// TestLookupOfSeveral: games of datasets that are read as one have their own numbers.
func TestLookupOfSeveral(t *testing.T) {
	root := t.TempDir()
	for i, name := range []string{"1", "2"} {
		month(t, filepath.Join(root, "games-"+name), "games", "", i+3)
	}
	d, err := OpenAt(context.Background(), filepath.Join(root, "games-*"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := looked(d, []int64{several.GamesApart + 2, 1, 7})
	b := columns.NewBatch(d.Table)
	b.Cols[0].AppendInt64(1)
	b.Cols[0].AppendInt64(several.GamesApart + 2)
	b.Rows = 2
	if err != nil || !slices.Equal(got, rows(b)) {
		t.Errorf("%q, %v; want %q", got, err, rows(b))
	}
}

// TestLookupOfDamaged: with a bit flipped, rows are as they were, or there is an error.
func TestLookupOfDamaged(t *testing.T) {
	d := gamesIn(t, false)
	path := filepath.Join(d.Path, "part-00000.parquet")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	games := []int64{0, 77, 1500, 2999, 4_000}
	want, err := looked(d, games)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 6))
	found := 0
	for range 60 {
		flipped(t, path, r.Int64N(int64(len(text))), func() {
			again, err := Open(d.Path)
			if err != nil {
				t.Fatal(err)
			}
			got, err := looked(again, games)
			if err != nil {
				found++
			} else if !slices.Equal(got, want) {
				t.Fatal("rows of a damaged part are not what was written, and there is no error")
			}
		})
	}
	if found < 5 {
		t.Errorf("%d of 60 flips were found", found)
	}
}
