package order

import (
	"context"
	"encoding/binary"
	"sync"

	"kifu/datasets"
	"kifu/datasets/columns"
)

// sample returns the keys of every n-th game, and for the order by player the names in
// them; it counts the players first.
func (r *run) sample(ctx context.Context) (keys, names [][]byte, err error) {
	byPlayer := r.order.name == "player"
	if byPlayer {
		err := r.eachGroup(ctx, "count players", r.order.columns, func(_ int, _ int64, b *columns.Batch) error {
			r.busy.add(b)
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	step := max(1, r.in.Rows()/samplesNeeded)
	var mu sync.Mutex
	err = r.eachGroup(ctx, "sample keys", r.order.columns, func(_ int, base int64, b *columns.Batch) error {
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
	keyed := make([]*columns.Batch, r.workers)
	err := r.eachGroup(ctx, "divide by "+r.order.name, nil, func(worker int, base int64, b *columns.Batch) error {
		if keyed[worker] == nil {
			keyed[worker] = columns.NewBatch(r.in.Table, r.order.columns...)
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
			if row, err = b.AppendRow(row[:0], i); err != nil {
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

// eachGroup calls f with every row group of the input on several workers, in unspecified order.
// base is the number of its first row.
func (r *run) eachGroup(ctx context.Context, title string, names []string, f func(worker int, base int64, b *columns.Batch) error) error {
	batches := datasets.Batches(r.in.Table, r.workers, names...)
	return datasets.Each(ctx, r.in, r.workers, title, r.in.Table.Name, func(worker int, g datasets.Group, _ func(struct{}) error) error {
		if err := g.Read(batches[worker]); err != nil {
			return err
		}
		return f(worker, g.First, batches[worker])
	}, nil)
}
