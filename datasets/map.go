package datasets

import (
	"context"
	"slices"

	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/internal/ordered"
	"kifu/internal/progress"
)

// MapFunc computes the output rows of one row group. Both batches are reused.
type MapFunc func(in, out *columns.Batch) (manifest.Counts, error)

// MapOptions control how Map runs, without changing its output.
type MapOptions struct {
	Workers int      // 0: as many as there are processors
	Columns []string // of the input that newWorker's functions read; none: all
	Copy    bool     // the functions get the other columns too, without their values, to pass them on row for row
	Title   string   // of the progress bar
	Unit    string   // what the bar counts: the input's rows
}

// Map makes part i of out from part i of in, row group by row group, on several
// workers. Row groups keep their order, so the bytes do not depend on Workers. Each
// worker has its own function, which may keep buffers. Parts that out has from an
// interrupted run are skipped. A row group without rows is left out of the file.
func Map(ctx context.Context, in *Dir, out *Builder, o MapOptions, newWorker func() MapFunc) error {
	o.Workers = ordered.Workers(o.Workers)
	bar := progress.Start(ctx, o.Title, in.Rows(), o.Unit)
	defer bar.Done()
	workers := make([]*mapWorker, o.Workers)
	for i := range workers {
		workers[i] = &mapWorker{f: newWorker(), in: columns.NewBatch(in.Table, o.Columns...), out: columns.NewBatch(out.Table())}
		if o.Copy {
			workers[i].in, workers[i].values = columns.NewBatch(in.Table), append([]string{}, o.Columns...)
		}
	}
	parts := Make(in, out)
	defer parts.Abort()
	w := Walk[mapped]{In: in, Begin: parts.Begin, Work: func(worker int, g Group, emit func(mapped) error) error {
		return workers[worker].rowGroup(g, parts.To(g.Part), bar, emit)
	}, Take: func(m mapped) error {
		bar.Add(m.rows)
		return parts.Add(m.part, m.counts, m.group)
	}, End: parts.End}
	var failed error
	todo := func(yield func(part int) bool) {
		for i := range in.NumParts() {
			if _, done := out.Done(i); !done {
				if !yield(i) {
					return
				}
				continue
			}
			info, err := in.Info(i)
			if err != nil {
				failed = err
				return
			}
			bar.Skip(info.Rows)
		}
	}
	if out.lease == nil {
		if err := w.Run(ctx, o.Workers, todo); err != nil {
			return err
		}
		return failed
	}
	for i := range todo { // another part is leased when the one before is made
		if err := w.Run(ctx, o.Workers, slices.Values([]int{i})); err != nil {
			return err
		}
	}
	return failed
}

type mapWorker struct {
	f       MapFunc
	in, out *columns.Batch
	values  []string // columns of in whose values f reads, if it copies the others; nil: it reads all
}

// mapped is a piece of the output of one input row group: a row group. The last piece also has the counts,
// and the rows not yet shown by the progress bar.
type mapped struct {
	part   int
	rows   int64
	group  *columns.RowGroup
	counts manifest.Counts
}

// rowGroup computes and encodes what one row group of the input makes.
func (m *mapWorker) rowGroup(g Group, w *PartWriter, bar *progress.Bar, emit func(mapped) error) error {
	m.out.Reset()
	m.out.OnFlush = func() error {
		group, err := w.Encode(m.out)
		if err != nil {
			return err
		}
		m.out.Reset()
		return emit(mapped{part: g.Part, group: group})
	}
	if err := g.part.Take(g.Index, m.in, m.values); err != nil {
		return err
	}
	rows := int64(m.in.Rows) // before f, which may take the columns over
	m.in.OnSeen = func(n int64) {
		n = min(n, rows)
		rows -= n
		bar.Add(n)
	}
	counts, err := m.f(m.in, m.out)
	if err != nil {
		return err
	}
	if err := m.out.Flush(); err != nil {
		return err
	}
	return emit(mapped{part: g.Part, rows: rows, counts: counts})
}
