// Package arrange sorts games: it writes the games of a dataset in another order, with
// row groups so small that a reader who looks at the bounds of columns, as DuckDB does,
// reads few of them for a year, a rating or a player.
//
// The sort is stable and holds over the whole dataset. game_id is numbered anew, as in
// every games dataset it is the number of the row; source_file and source_offset say
// which game it is. So positions and labels belong to the dataset they were made from,
// and are to be made of the sorted one if they are to be joined with it.
//
// Games go to scratch files by ranges of the key (see sorter), so memory does not grow
// with the dataset; scratch takes about the size of the decompressed columns. After an
// interruption the ranges are made again, but not the parts that were whole.
//
// Sorted by player, games stand with the busier of their two players, and an index
// beside the parts, players.parquet, says where the games of each player are.
package arrange

import (
	"context"
	"encoding/binary"
	"maps"
	"runtime"
	"slices"
	"sync"

	"kifu/datasets"
	"kifu/internal/ordered"
	"kifu/internal/progress"
	"kifu/schemas"
)

// Params are the parameters that decide the output.
type Params struct {
	By string // date, player, elo or a column: see Orders
}

// Check returns an error unless games with the columns of t can be sorted so.
func (p Params) Check(t schemas.Table) error {
	_, err := newOrder(p.By, t, nil)
	return err
}

const (
	// groupGames is how many games a row group has at most: one of DuckDB's vectors of
	// rows, and some 200 kB.
	groupGames = 1 << 11
	// groupBytes ends a row group of very long games.
	groupBytes = 8 << 20
	// partRanges make a part, of as many games as those of ingest have.
	partRanges = 2
)

// Run writes the games of in to out, sorted, on several workers (0: one a processor).
func Run(ctx context.Context, p Params, workers int, in *datasets.Dir, out *datasets.Builder) error {
	if err := in.Want("games"); err != nil {
		return err
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	r := &run{in: in, out: out, workers: workers, busy: newBusy()}
	var err error
	if r.order, err = newOrder(p.By, in.Table, r.busy); err != nil {
		return err
	}
	table := in.Table
	table.Sorted = append(slices.Clone(r.order.sorted), "game_id")
	out.SetTable(table)
	meta := maps.Clone(in.Manifest.Meta)
	for _, key := range slices.Sorted(maps.Keys(meta)) {
		out.SetMeta(key, meta[key])
	}
	out.SetMeta("order", p.By)
	return r.run(ctx)
}

// run is one sort.
type run struct {
	in      *datasets.Dir
	out     *datasets.Builder
	workers int
	order   order
	busy    *busy

	index *index  // nil but for the order by player
	first []int64 // game_id of the first game of each range, and how many there are
}

func (r *run) run(ctx context.Context) error {
	dir, err := r.out.Spill("sort")
	if err != nil {
		return err
	}
	ranges := rangesFor(r.in.Rows())
	samples, names, err := r.sample(ctx)
	if err != nil {
		return err
	}
	games, err := newSorter(dir+"/games", samples, ranges, r.workers)
	defer games.close()
	if err != nil {
		return err
	}
	if err := r.scatter(ctx, games); err != nil {
		return err
	}
	sizes, err := games.sizes()
	if err != nil {
		return err
	}
	r.first = make([]int64, ranges+1)
	for i, n := range sizes {
		r.first[i+1] = r.first[i] + n
	}
	if r.order.name == "player" {
		players, err := newSorter(dir+"/players", names, rangesFor(2*r.in.Rows()), r.workers)
		defer players.close()
		if err != nil {
			return err
		}
		r.index = &index{players: players, workers: r.workers}
	}
	if err := r.write(ctx, games); err != nil || r.index == nil {
		return err
	}
	games.close()
	return r.index.write(ctx, r.in.Rows(), r.out)
}

// sample returns the keys of every so many games, and for the order by player the
// names in them; it counts the players first.
func (r *run) sample(ctx context.Context) (keys, names [][]byte, err error) {
	byPlayer := r.order.name == "player"
	if byPlayer {
		err := r.each(ctx, "count players", r.order.columns, func(_ int, _ int64, b *datasets.Batch) error {
			r.busy.add(b)
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	step := max(1, r.in.Rows()/samplesNeeded)
	var mu sync.Mutex
	err = r.each(ctx, "sample keys", r.order.columns, func(_ int, base int64, b *datasets.Batch) error {
		mu.Lock()
		defer mu.Unlock()
		for i := range b.Rows {
			row := base + int64(i)
			if row%step != 0 {
				continue
			}
			keys = append(keys, rowKey(r.order.key(nil, b, i), row))
			for side := range 2 {
				if v := b.Col(sides[side].player); byPlayer && !v.IsNull(i) {
					names = append(names, playerKey(nil, v.Value(i), row, side))
				}
			}
		}
		return nil
	})
	return keys, names, err
}

// rowKey makes a key distinct and the sort stable.
func rowKey(key []byte, row int64) []byte {
	return binary.BigEndian.AppendUint64(key, uint64(row))
}

// scatter spills all games by the range of their keys.
func (r *run) scatter(ctx context.Context, to *sorter) error {
	writers := make([]*sortWriter, r.workers)
	for i := range writers {
		writers[i] = to.newWriter()
	}
	keyed := make([]*datasets.Batch, r.workers)
	err := r.each(ctx, "divide by "+r.order.name, nil, func(worker int, base int64, b *datasets.Batch) error {
		if keyed[worker] == nil {
			keyed[worker] = datasets.NewBatch(r.in.Table, r.order.columns...)
		}
		k := keyed[worker]
		for c := range k.Cols {
			k.Cols[c] = *b.Col(k.Cols[c].Column.Name)
		}
		k.Rows = b.Rows
		var key, row []byte
		for i := range b.Rows {
			key = rowKey(r.order.key(key[:0], k, i), base+int64(i))
			var err error
			if row, err = appendRow(row[:0], b, i); err != nil {
				return err
			}
			if err := writers[worker].add(key, row); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, w := range writers {
		if err := w.close(); err != nil {
			return err
		}
	}
	return nil
}

// each calls f with every row group of the input on several workers, in no order. base
// is the number of its first row.
func (r *run) each(ctx context.Context, title string, columns []string, f func(worker int, base int64, b *datasets.Batch) error) error {
	bar := progress.Start(ctx, title, r.in.Rows(), "games")
	defer bar.Done()
	batches := make([]*datasets.Batch, r.workers)
	for i := range batches {
		batches[i] = datasets.NewBatch(r.in.Table, columns...)
	}
	base := int64(0)
	for i := range r.in.Manifest.Parts {
		part, err := r.in.OpenPart(i)
		if err != nil {
			return err
		}
		starts := make([]int64, part.RowGroups())
		for g := range starts {
			starts[g] = base
			base += part.Rows(g)
		}
		err = ordered.Run(ctx, len(starts), r.workers, func(worker, group int, emit func(int64) error) error {
			b := batches[worker]
			if err := part.Read(group, b); err != nil {
				return err
			}
			if err := f(worker, starts[group], b); err != nil {
				return err
			}
			return emit(int64(b.Rows))
		}, func(rows int64) error {
			bar.Add(rows)
			return nil
		})
		if cerr := part.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// write makes the parts of the ranges, in order.
func (r *run) write(ctx context.Context, games *sorter) error {
	bar := progress.Start(ctx, "sort by "+r.order.name, r.in.Rows(), "games")
	defer bar.Done()
	workers := make([]*arranger, r.workers)
	for i := range workers {
		workers[i] = &arranger{run: r, reader: sortReader{from: games}, batch: datasets.NewBatch(r.out.Table())}
		if r.index != nil {
			workers[i].index = &indexWriter{r.index.players.newWriter(), datasets.NewBatch(schemas.Players)}
		}
	}
	ranges := len(r.first) - 1
	for from := 0; from < ranges; from += partRanges {
		to := min(from+partRanges, ranges)
		_, done := r.out.Done(from / partRanges)
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

// part makes one part of the ranges from to to. If it is done already its games only go
// to the index.
func (r *run) part(ctx context.Context, workers []*arranger, from, to int, done bool, bar *progress.Bar) error {
	if done {
		return ordered.Run(ctx, to-from, len(workers), func(worker, i int, emit func(struct{}) error) error {
			return workers[worker].arrange(from+i, func(*datasets.Batch) error { return nil })
		}, func(struct{}) error { return nil })
	}
	w, err := r.out.Part(from / partRanges)
	if err != nil {
		return err
	}
	var counts datasets.Counts
	err = ordered.Run(ctx, to-from, len(workers), func(worker, i int, emit func(*datasets.RowGroup) error) error {
		return workers[worker].arrange(from+i, func(b *datasets.Batch) error {
			g, err := w.Encode(b)
			if err != nil {
				return err
			}
			return emit(g)
		})
	}, func(g *datasets.RowGroup) error {
		counts.Read += g.Rows()
		counts.Written += g.Rows()
		bar.Add(g.Rows())
		return w.Append(g)
	})
	if err != nil {
		w.Abort()
		return err
	}
	return w.Close(counts, nil)
}

// arranger is one worker of write.
type arranger struct {
	run    *run
	reader sortReader
	batch  *datasets.Batch
	index  *indexWriter // nil: none
}

// arrange calls emit with the row groups of a range.
func (a *arranger) arrange(i int, emit func(*datasets.Batch) error) error {
	n, err := a.reader.load(i)
	if err != nil || n == 0 {
		return err
	}
	groups := (n + groupGames - 1) / groupGames
	b := a.batch
	ids := b.Col("game_id")
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
		if err := readRow(b, row); err != nil {
			return err
		}
		ids.Int64[b.Rows-1] = a.run.first[i] + int64(k)
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
