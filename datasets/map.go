package datasets

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"

	"kifu/internal/progress"
)

// MapFunc computes the output rows of one row group. Both batches are reused.
type MapFunc func(in, out *Batch) (Counts, error)

// MapOptions are the ways to run Map. They do not change its output.
type MapOptions struct {
	Workers int      // 0: as many as there are processors
	Columns []string // of the input that newWorker's functions read; none: all
	Title   string   // of the progress bar
	Unit    string   // what the bar counts: the input's rows
}

// Map makes part i of out from part i of in, row group by row group, on several
// workers. Row groups keep their order, so the bytes do not depend on Workers. Each
// worker has its own function, which may keep buffers. Parts that out has from an
// interrupted run are skipped. A row group without rows is left out of the file.
func Map(ctx context.Context, in *Dir, out *Builder, o MapOptions, newWorker func() MapFunc) error {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	bar := progress.Start(ctx, o.Title, in.Rows(), o.Unit)
	defer bar.Done()
	workers := make([]*mapWorker, o.Workers)
	for i := range workers {
		workers[i] = &mapWorker{f: newWorker(), in: NewBatch(in.Table, o.Columns...), out: NewBatch(out.Table())}
	}
	for i, info := range in.Manifest.Parts {
		if _, done := out.Done(i); done {
			bar.Skip(info.Rows)
			continue
		}
		if err := mapPart(ctx, in, i, out, workers, bar); err != nil {
			return err
		}
	}
	return nil
}

type mapWorker struct {
	f       MapFunc
	in, out *Batch
}

type mapped struct {
	rows   int64
	groups []*RowGroup
	counts Counts
}

func mapPart(ctx context.Context, in *Dir, index int, out *Builder, workers []*mapWorker, bar *progress.Bar) error {
	part, err := in.OpenPart(index)
	if err != nil {
		return err
	}
	defer part.Close()
	w, err := out.Part(index)
	if err != nil {
		return err
	}
	type task struct {
		rowGroup int
		done     chan mapped
	}
	// order hands the results over in the order of the row groups; its capacity keeps
	// the workers from running far ahead of the file.
	tasks, order := make(chan task), make(chan task, len(workers))
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(tasks)
		defer close(order)
		for i := range part.RowGroups() {
			t := task{i, make(chan mapped, 1)}
			for _, c := range []chan task{order, tasks} {
				select {
				case c <- t:
				case <-gctx.Done():
					return gctx.Err()
				}
			}
		}
		return nil
	})
	for _, worker := range workers {
		g.Go(func() error {
			for t := range tasks {
				r, err := worker.rowGroup(part, t.rowGroup, w)
				if err != nil {
					return err
				}
				t.done <- r
			}
			return nil
		})
	}
	var counts Counts
	g.Go(func() error {
		for t := range order {
			select {
			case r := <-t.done:
				for _, group := range r.groups {
					if err := w.Append(group); err != nil {
						return err
					}
				}
				counts.Add(r.counts)
				bar.Add(r.rows)
			case <-gctx.Done():
				return gctx.Err()
			}
		}
		return nil
	})
	if err := g.Wait(); err != nil {
		w.Abort()
		return err
	}
	return w.Close(counts, nil)
}

// rowGroup computes and encodes what one row group of the input makes.
func (m *mapWorker) rowGroup(part *Part, index int, w *PartWriter) (r mapped, err error) {
	m.out.Reset()
	m.out.flush = func() error {
		group, err := w.Encode(m.out)
		r.groups = append(r.groups, group)
		m.out.Reset()
		return err
	}
	if err := part.Read(index, m.in); err != nil {
		return r, err
	}
	r.rows = int64(m.in.Rows)
	if r.counts, err = m.f(m.in, m.out); err != nil {
		return r, err
	}
	return r, m.out.Flush()
}
