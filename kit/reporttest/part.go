package reporttest

import (
	"context"
	"maps"
	"slices"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/kit/datasettest"
	"kifu/schemas"
)

// onePart describes a test dataset of one part.
type onePart struct {
	stage  string
	table  schemas.Table
	params any
	meta   map[string]string
	counts manifest.Counts
	size   int // rows to a row group
}

// writePart makes the dataset in dir, of rows that add writes into a batch.
func writePart[T any](t *testing.T, dir string, p onePart, rows []T, add func(b *columns.Batch, row T)) *datasets.Dir {
	t.Helper()
	return datasettest.Build(t, dir, datasets.Step{Stage: p.stage, Output: p.table.ID(), Params: p.params,
		Run: func(_ context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
			b.SetTable(p.table)
			for _, k := range slices.Sorted(maps.Keys(p.meta)) {
				b.SetMeta(k, p.meta[k])
			}
			w, err := b.Part(0)
			if err != nil {
				return err
			}
			batch := columns.NewBatch(p.table)
			for group := range slices.Chunk(rows, max(1, p.size)) {
				batch.Reset()
				for _, row := range group {
					batch.Rows++
					add(batch, row)
				}
				g, err := w.Encode(batch)
				if err != nil {
					return err
				}
				if err := w.Append(g); err != nil {
					return err
				}
			}
			return w.Close(p.counts, nil)
		}})
}
