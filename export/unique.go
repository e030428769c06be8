package export

import (
	"context"

	"kifu/datasets"
	"kifu/datasets/columns"
)

// Unique returns of the chosen rows of positions or labels the first of each position, by the
// column hash. It keeps the hashes in memory, sixteen to thirty bytes a position. Of ranked
// rows that is the first in their order.
func Unique(ctx context.Context, in *datasets.Dir, rows *Rows, workers int) (*Rows, error) {
	type hashes struct {
		first int64
		list  []uint64
	}
	var all []uint64
	batches := make([]*columns.Batch, max(workers, 1))
	for i := range batches {
		batches[i] = columns.NewBatch(in.Table, "hash")
	}
	err := datasets.Each(ctx, in, len(batches), "unique", in.Table.Name, func(worker int, group datasets.Group, emit func(hashes) error) error {
		b := batches[worker]
		if err := group.Read(b); err != nil {
			return err
		}
		return emit(hashes{group.First, append([]uint64(nil), b.Col("hash").Uint64...)})
	}, func(h hashes) error {
		all = append(all, h.list...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return rows.unique(all), nil
}

// unique returns the chosen rows, but for those whose hash an earlier one has.
func (r *Rows) unique(hashes []uint64) *Rows {
	seen := make(map[uint64]struct{}, len(hashes))
	var kept []int64
	take := func(row int64) {
		if _, known := seen[hashes[row]]; !known {
			seen[hashes[row]] = struct{}{}
			kept = append(kept, row)
		}
	}
	if r != nil && r.ranked {
		order := make([]int64, len(r.wanted))
		for row, rank := range r.wanted {
			order[rank] = row
		}
		for _, row := range order {
			take(row)
		}
		return NewRows(kept, true)
	}
	for row := range int64(len(hashes)) {
		if r.Has(row) {
			take(row)
		}
	}
	return NewRows(kept, false)
}
