package datasets

import (
	"context"
	"iter"
	"sync"

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
// counts rows by the name unit. The first error, in this order, ends all and is returned.
func Each[T any](ctx context.Context, in *Dir, workers int, title, unit string, work func(worker int, g Group, emit func(T) error) error, take func(T) error) error {
	bar := progress.Start(ctx, title, in.Rows(), unit)
	defer bar.Done()
	w := walk[T]{in: in, take: take, work: func(worker int, g Group, emit func(T) error) error {
		if err := work(worker, g, emit); err != nil {
			return err
		}
		bar.Add(g.Rows)
		return nil
	}}
	return w.run(ctx, workers, in.parts)
}

// parts are the numbers of the parts.
func (d *Dir) parts(yield func(part int) bool) {
	for i := range d.NumParts() {
		if !yield(i) {
			return
		}
	}
}

// walk goes through the row groups of parts. At the end of a part no worker waits for the others: it begins the next one. An error
// ends all when everything before it is taken.
type walk[T any] struct {
	in    *Dir
	begin func(part int) error // before the work at a part; may be nil
	work  func(worker int, g Group, emit func(T) error) error
	take  func(T) error
	end   func(part int) error // when all of a part is taken; may be nil

	mu   sync.Mutex
	open []*Part // in order
}

// visit is a row group to work at, or after the last one of a part its end.
type visit struct {
	Group
	end bool
	err error // instead of either
}

// run goes through these parts.
func (w *walk[T]) run(ctx context.Context, workers int, parts iter.Seq[int]) error {
	type piece struct {
		made T
		of   visit
	}
	defer func() {
		for _, part := range w.open {
			part.Close()
		}
	}()
	return ordered.Tasks(ctx, w.visits(parts), ordered.Workers(workers), func(worker int, v visit, emit func(piece) error) error {
		if !v.end && v.err == nil {
			if v.err = w.work(worker, v.Group, func(made T) error { return emit(piece{made: made}) }); v.err == nil {
				return nil
			}
		}
		return emit(piece{of: v})
	}, func(p piece) error {
		switch {
		case p.of.err != nil:
			return p.of.err
		case p.of.end:
			return w.close(p.of)
		}
		return w.take(p.made)
	})
}

// close ends the first open part.
func (w *walk[T]) close(v visit) error {
	w.mu.Lock()
	w.open = w.open[1:]
	w.mu.Unlock()
	err := v.part.Close()
	if err == nil && w.end != nil {
		err = w.end(v.Part)
	}
	return err
}

// visits opens the parts for their row groups.
func (w *walk[T]) visits(parts iter.Seq[int]) iter.Seq[visit] {
	return func(yield func(visit) bool) {
		next := Group{}
		for i := range parts {
			part, err := w.in.OpenPart(i)
			if err == nil {
				w.mu.Lock()
				w.open = append(w.open, part)
				w.mu.Unlock()
				if w.begin != nil {
					err = w.begin(i)
				}
			}
			if err != nil {
				yield(visit{err: err})
				return
			}
			next.part, next.Part, next.At = part, i, 0
			for next.index = range part.RowGroups() {
				next.Rows = part.Rows(next.index)
				if !yield(visit{Group: next}) {
					return
				}
				next.Number++
				next.First += next.Rows
				next.At += int(next.Rows)
			}
			if !yield(visit{Group: next, end: true}) {
				return
			}
		}
	}
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
