package export

import (
	"context"
	"fmt"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/internal/lists"
)

// IDs is a set of game ids. A page of 65,536 neighbours takes eight kilobytes.
type IDs map[int64]*[1024]uint64

// ID returns what a query returned, an integer of any size, as a game id.
func ID(v any) (int64, error) {
	id, ok := v.(int64)
	if u, unsigned := v.(uint64); unsigned {
		id, ok = int64(u), u>>63 == 0
	}
	if !ok {
		return 0, fmt.Errorf("%v is not a game id: the query must return the column game_id alone", v)
	}
	return id, nil
}

// Add adds an id.
func (s IDs) Add(id int64) {
	page := s[id>>16]
	if page == nil {
		page = new([1024]uint64)
		s[id>>16] = page
	}
	page[id>>6&1023] |= 1 << (id & 63)
}

// Has reports whether id is in the set.
func (s IDs) Has(id int64) bool {
	page := s[id>>16]
	return page != nil && page[id>>6&1023]>>(id&63)&1 != 0
}

// Unique returns of the chosen rows of positions or labels the first of each position, by the
// column hash. It keeps the hashes in memory, sixteen to thirty bytes a position. Of ranked
// rows that is the first in their order.
func Unique(ctx context.Context, in *datasets.Dir, rows *Rows, workers int) (*Rows, error) {
	type hashes struct {
		first int64
		list  []uint64
	}
	var all []uint64
	batches := lists.N(max(workers, 1), func(int) *columns.Batch { return columns.NewBatch(in.Table, "hash") })
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
		ranks := lists.N(len(kept), func(i int) int { return i })
		return NewRows(kept, ranks)
	}
	for row := range int64(len(hashes)) {
		if r.Has(row) {
			take(row)
		}
	}
	return NewRows(kept, nil)
}
