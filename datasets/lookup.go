package datasets

import (
	"context"
	"slices"

	"kifu/datasets/columns"
	"kifu/datasets/part"
	"kifu/internal/ordered"
)

// Lookup calls do with the rows of d that belong to some games, once for each row group that has any, in the
// order of d. The rows have the named columns and game_id. Only the pages that have such rows are
// read, after the ids of row groups that may have them.
func Lookup(ctx context.Context, d *Dir, games []int64, names []string, do func(b *columns.Batch) error) error {
	asked := slices.Clone(games)
	slices.Sort(asked)
	asked = slices.Compact(asked)
	names = append([]string{part.GameID}, names...)
	ids := Batches(d.Table, 0, part.GameID)
	look := func(p *Part, group int, ids *columns.Batch) (*columns.Batch, error) {
		if low, high, ok := p.Bounds(group, part.GameID); ok {
			if i, _ := slices.BinarySearch(asked, int64(low)); i == len(asked) || asked[i] > int64(high) {
				return nil, nil
			}
		}
		if err := p.Read(group, ids); err != nil {
			return nil, err
		}
		rows := rowsOf(nil, ids.Col(part.GameID).Int64, asked)
		if len(rows) == 0 {
			return nil, nil
		}
		b := columns.NewBatch(d.Table, names...)
		return b, p.ReadRows(group, rows, b)
	}
	for i := range d.NumParts() {
		p, err := d.OpenPart(i)
		if err != nil {
			return err
		}
		err = ordered.Run(ctx, p.RowGroups(), len(ids), func(worker, group int, emit func(*columns.Batch) error) error {
			b, err := look(p, group, ids[worker])
			if b == nil || err != nil {
				return err
			}
			return emit(b)
		}, do)
		if cerr := p.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// rowsOf appends the rows whose game is one of those asked for, which ascend; most often the rows do so, too.
func rowsOf(rows []int, games, asked []int64) []int {
	if slices.IsSorted(games) {
		for _, id := range asked {
			for i, _ := slices.BinarySearch(games, id); i < len(games) && games[i] == id; i++ {
				rows = append(rows, i)
			}
		}
		return rows
	}
	for i, id := range games {
		if _, found := slices.BinarySearch(asked, id); found {
			rows = append(rows, i)
		}
	}
	return rows
}
