package order

import (
	"context"

	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/internal/ordered"
	"kifu/internal/progress"
	"kifu/schemas"
)

// sizes holds the sizes of what is written.
type sizes struct {
	group      int   // the largest number of rows in a row group
	rangeRows  int64 // in a range, about
	partRanges int   // the number of ranges in a part
}

var (
	// A row group of games is one of DuckDB's vectors of rows, some 200 kB. A part has as many games as a
	// part of ingest.
	sizesOfGames = sizes{group: 1 << 11, rangeRows: rangeRecords, partRanges: 2}
	// Positions are small, and the footers of many row groups take longer to read than the rows. With groups
	// of 8,192, sorted positions took longer to read than 10 million unsorted ones.
	sizesOfRows = sizes{group: 1 << 15, rangeRows: 1 << 16, partRanges: 16}
)

// groupBytes ends a row group of very long games.
const groupBytes = 8 << 20

// write makes the parts of the ranges, in order.
func (r *run) write(ctx context.Context, games *sorter) error {
	bar := progress.Start(ctx, "sort by "+r.order.name, r.in.Rows(), r.in.Table.Name)
	defer bar.Done()
	workers := make([]*arranger, r.workers)
	for i := range workers {
		workers[i] = &arranger{run: r, reader: sortReader{from: games}, batch: columns.NewBatch(r.out.Table())}
		if r.index != nil {
			workers[i].index = &indexWriter{r.index.players.newWriter(), columns.NewBatch(schemas.Players)}
		}
	}
	ranges := len(r.first) - 1
	for from := 0; from < ranges; from += r.sizes.partRanges {
		to := min(from+r.sizes.partRanges, ranges)
		_, done := r.out.Done(from / r.sizes.partRanges)
		if done {
			bar.Skip(r.first[to] - r.first[from])
			if r.index == nil {
				continue
			}
		}
		if err := r.part(ctx, workers, from, to, done, bar); err != nil {
			return err
		}
	}
	for _, w := range workers {
		if w.index == nil {
			continue
		}
		if err := w.index.sorted.close(); err != nil {
			return err
		}
	}
	return nil
}

// part writes one part with the ranges from to to. If it exists already its games only go
// to the index.
func (r *run) part(ctx context.Context, workers []*arranger, from, to int, done bool, bar *progress.Bar) error {
	if done {
		return ordered.Run(ctx, to-from, len(workers), func(worker, i int, emit func(struct{}) error) error {
			return workers[worker].arrange(from+i, func(*columns.Batch) error { return nil })
		}, func(struct{}) error { return nil })
	}
	w, err := r.out.Part(from / r.sizes.partRanges)
	if err != nil {
		return err
	}
	var counts manifest.Counts
	err = ordered.Run(ctx, to-from, len(workers), func(worker, i int, emit func(*columns.RowGroup) error) error {
		return workers[worker].arrange(from+i, func(b *columns.Batch) error {
			g, err := w.Encode(b)
			if err != nil {
				return err
			}
			return emit(g)
		})
	}, func(g *columns.RowGroup) error {
		counts.Read += g.Rows()
		counts.Written += g.Rows()
		bar.Add(g.Rows())
		return w.Append(g)
	})
	return w.End(err, counts, nil)
}

// arranger is one worker of write.
type arranger struct {
	run    *run
	reader sortReader
	batch  *columns.Batch
	index  *indexWriter // nil: none
}

// arrange calls emit with the row groups of a range.
func (a *arranger) arrange(i int, emit func(*columns.Batch) error) error {
	n, err := a.reader.load(i)
	if err != nil || n == 0 {
		return err
	}
	groups := (n + a.run.sizes.group - 1) / a.run.sizes.group
	b := a.batch
	ids := b.Col("game_id")
	ofGames := a.run.out.Table().Name == schemas.Games.Name
	flush := func() error {
		if b.Rows == 0 {
			return nil
		}
		if a.index != nil {
			if err := a.index.add(b); err != nil {
				return err
			}
		}
		err := emit(b)
		b.Reset()
		return err
	}
	b.Reset()
	bytes, next := 0, 1
	for k := range n {
		row, err := a.reader.at(k)
		if err != nil {
			return err
		}
		if err := b.ReadRow(row); err != nil {
			return err
		}
		if ofGames {
			ids.Int64[b.Rows-1] = a.run.first[i] + int64(k)
		}
		if bytes += len(row); k+1 == next*n/groups || bytes >= groupBytes {
			if k+1 == next*n/groups {
				next++
			}
			if err := flush(); err != nil {
				return err
			}
			bytes = 0
		}
	}
	return flush()
}
