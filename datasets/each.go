package datasets

import (
	"context"
	"iter"
	"slices"
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
	Index  int // number of the group in the part

	part *Part
}

// Read fills b with the rows of g, of the columns that b has.
func (g Group) Read(b *columns.Batch) error { return g.part.Read(g.Index, b) }

// Bounds returns the least and the greatest value of a column of whole numbers, or false if they are not stored.
func (g Group) Bounds(column string) (low, high uint64, ok bool) {
	return g.part.Bounds(g.Index, column)
}

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
	w := Walk[T]{In: in, Take: take, Work: func(worker int, g Group, emit func(T) error) error {
		if err := work(worker, g, emit); err != nil {
			return err
		}
		bar.Add(g.Rows)
		return nil
	}}
	return w.Run(ctx, workers, nil)
}

// Walk goes through the row groups of a dataset. At the end of a part no worker waits for the others: it begins the next one. An error
// ends all when everything before it is taken.
type Walk[T any] struct {
	In    *Dir
	Begin func(part int) error // before the work at a part, in the order of the parts; may be nil
	Work  func(worker int, g Group, emit func(T) error) error
	Take  func(T) error        // what Work emits, in the order of the row groups, in one goroutine
	End   func(part int) error // when all of a part is taken, in that goroutine; may be nil

	mu   sync.Mutex
	open []*Part // in order
}

// visit is a row group to work at, or after the last one of a part its end.
type visit struct {
	Group
	end bool
	err error // instead of either
}

// Run goes through these parts (nil: all) on so many workers (0: one a processor).
func (w *Walk[T]) Run(ctx context.Context, workers int, parts iter.Seq[int]) error {
	type piece struct {
		made T
		of   visit
	}
	defer w.shut()
	return ordered.Tasks(ctx, w.visits(parts), ordered.Workers(workers), func(worker int, v visit, emit func(piece) error) error {
		if !v.end && v.err == nil {
			if v.err = w.Work(worker, v.Group, func(made T) error { return emit(piece{made: made}) }); v.err == nil {
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
		return w.Take(p.made)
	})
}

// close ends the first open part.
func (w *Walk[T]) close(v visit) error {
	w.mu.Lock()
	w.open = w.open[1:]
	w.mu.Unlock()
	err := v.part.Close()
	if err == nil && w.End != nil {
		err = w.End(v.Part)
	}
	return err
}

// shut closes the open parts.
func (w *Walk[T]) shut() {
	for _, part := range w.open {
		part.Close()
	}
}

// visits opens the parts for their row groups.
func (w *Walk[T]) visits(parts iter.Seq[int]) iter.Seq[visit] {
	if parts == nil {
		parts = func(yield func(part int) bool) {
			for i := 0; i < w.In.NumParts() && yield(i); i++ {
			}
		}
	}
	return func(yield func(visit) bool) {
		next := Group{}
		for i := range parts {
			part, err := w.In.OpenPart(i)
			if err == nil {
				w.mu.Lock()
				w.open = append(w.open, part)
				w.mu.Unlock()
				if w.Begin != nil {
					err = w.Begin(i)
				}
			}
			if err != nil {
				yield(visit{err: err})
				return
			}
			next.part, next.Part, next.At = part, i, 0
			for next.Index = range part.RowGroups() {
				next.Rows = part.Rows(next.Index)
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

// Groups returns the row groups of all parts, or of some, one after the other. Number and First count those of the parts asked for. A
// group is read into b, if that is not nil, and can be read until the next one is asked for. Nothing follows an error.
func (d *Dir) Groups(b *columns.Batch, parts ...int) iter.Seq2[Group, error] {
	return func(yield func(Group, error) bool) {
		w := Walk[struct{}]{In: d}
		defer w.shut()
		var of iter.Seq[int]
		if parts != nil {
			of = slices.Values(parts)
		}
		for v := range w.visits(of) {
			if v.end {
				if v.err = w.close(v); v.err == nil {
					continue
				}
			}
			if v.err == nil && b != nil {
				v.err = v.Read(b)
			}
			if !yield(v.Group, v.err) || v.err != nil {
				return
			}
		}
	}
}

// OpenGroups returns all row groups of d, which can be read until shut is called.
func (d *Dir) OpenGroups() (all []Group, shut func(), err error) {
	w := Walk[struct{}]{In: d}
	for v := range w.visits(nil) {
		if v.err != nil {
			w.shut()
			return nil, nil, v.err
		}
		if !v.end {
			all = append(all, v.Group)
		}
	}
	return all, w.shut, nil
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
