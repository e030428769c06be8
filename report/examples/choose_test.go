package examples

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/games/board"
	"kifu/games/chess"
	"kifu/kit/datasettest"
	"kifu/kit/sample"
)

// cut returns labels as parts of so many rows, wherever games end.
func cut(t *testing.T, labels *datasets.Dir, rows int) *datasets.Dir {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "labels")
	return datasettest.Build(t, dir, datasets.Step{Stage: "label", Output: labels.Manifest.Schema, Params: rows,
		Run: func(ctx context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
			b.SetTable(labels.Table)
			for k, v := range labels.Manifest.Meta {
				b.SetMeta(k, v)
			}
			batch, next := columns.NewBatch(labels.Table), 0
			end := func() error {
				w, err := b.Part(next)
				if err != nil {
					return err
				}
				g, err := w.Encode(batch)
				if err == nil {
					err = w.Append(g)
				}
				if err != nil {
					return err
				}
				next++
				n := int64(batch.Rows)
				batch.Reset()
				return w.Close(manifest.Counts{Read: n, Written: n}, nil)
			}
			from := columns.NewBatch(labels.Table)
			err := datasets.Each(ctx, labels, 1, "cut", "positions", func(_ int, g datasets.Group, _ func(struct{}) error) error {
				if err := g.Read(from); err != nil {
					return err
				}
				for row := range from.Rows {
					for i := range from.Cols {
						batch.Cols[i].AppendFrom(&from.Cols[i], row)
					}
					if batch.Rows++; batch.Rows == rows {
						if err := end(); err != nil {
							return err
						}
					}
				}
				return nil
			}, nil)
			if err != nil {
				return err
			}
			return end()
		}})
}

// TestParts: what is chosen does not depend on the parts and the workers, though games lie in two parts; and only the
// parts of those games are read.
func TestParts(t *testing.T) {
	ctx := board.With(context.Background(), []board.Game{board.Of(chess.Rules{})})
	whole := sample.Labels(t.TempDir())
	parts := cut(t, whole, 23)
	var want []place
	for _, d := range []*datasets.Dir{whole, parts} {
		for _, workers := range []int{1, 3} {
			db, err := attached(ctx, d, 2)
			if err != nil {
				t.Fatal(err)
			}
			got, err := choose(ctx, db, d, "quiescence_value", workers, asks)
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			if !slices.Equal(got, want) || len(got) < 20 {
				t.Errorf("%d parts, %d workers: %v, want %v", d.NumParts(), workers, got, want)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	one, err := Find(ctx, whole, nil, "quiescence_value", 2, asks)
	if err != nil {
		t.Fatal(err)
	}
	many, err := Find(ctx, parts, nil, "quiescence_value", 2, asks)
	if err != nil {
		t.Fatal(err)
	}
	for _, all := range [][]Example{one, many} {
		for i := range all {
			all[i].Counts = nil // of the weights, which were not copied
		}
	}
	a, err := json.Marshal(one)
	b, err2 := json.Marshal(many)
	if err != nil || err2 != nil || string(a) != string(b) {
		t.Errorf("%d examples of parts, %d of the whole: %v, %v", len(many), len(one), err, err2)
	}
}
