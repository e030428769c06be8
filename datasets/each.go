package datasets

import (
	"context"

	"kifu/datasets/columns"
	"kifu/internal/ordered"
	"kifu/internal/progress"
	"kifu/schemas"
)

// Group is one row group of all parts of a dataset.
type Group struct {
	Number int   // from 0
	First  int64 // number of its first row in the dataset
	Rows   int64
	Part   int // number of its part
	At     int // number of its first row in the part

	part  *Part
	index int // in the part
}

// Read fills b with the rows of g, of the columns that b has.
func (g Group) Read(b *columns.Batch) error { return g.part.Read(g.index, b) }

// Batches returns a batch of these columns for each worker of Each, so that row groups share
// memory.
func Batches(t schemas.Table, workers int, names ...string) []*columns.Batch {
	workers = ordered.Workers(workers)
	all := make([]*columns.Batch, workers)
	for i := range all {
		all[i] = columns.NewBatch(t, names...)
	}
	return all
}

// Each calls work with every row group of in on so many workers (0: one a processor),
// which have the numbers from 0. What work emits comes to take in the order of the row
// groups, in one goroutine; take may be nil if work emits nothing. The bar of that title
// counts rows by the name unit. The first error ends all and is returned.
func Each[T any](ctx context.Context, in *Dir, workers int, title, unit string, work func(worker int, g Group, emit func(T) error) error, take func(T) error) error {
	workers = ordered.Workers(workers)
	bar := progress.Start(ctx, title, in.Rows(), unit)
	defer bar.Done()
	next := Group{}
	for i := range in.NumParts() {
		part, err := in.OpenPart(i)
		if err != nil {
			return err
		}
		groups := make([]Group, part.RowGroups())
		next.Part, next.At = i, 0
		for k := range groups {
			next.part, next.index, next.Rows = part, k, part.Rows(k)
			groups[k] = next
			next.Number++
			next.First += next.Rows
			next.At += int(next.Rows)
		}
		err = ordered.Run(ctx, len(groups), workers, func(worker, k int, emit func(T) error) error {
			if err := work(worker, groups[k], emit); err != nil {
				return err
			}
			bar.Add(groups[k].Rows)
			return nil
		}, take)
		if cerr := part.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Scan reads the row groups of in one after the other, of these columns (nil: all), and calls do with each. The
// bar of that title counts rows by the name unit. The first error ends all and is returned.
func Scan(ctx context.Context, in *Dir, title, unit string, names []string, do func(g Group, b *columns.Batch) error) error {
	b := columns.NewBatch(in.Table, names...)
	return Each(ctx, in, 1, title, unit, func(_ int, g Group, _ func(struct{}) error) error {
		if err := g.Read(b); err != nil {
			return err
		}
		return do(g, b)
	}, nil)
}
