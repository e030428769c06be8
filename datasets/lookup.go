package datasets

import (
	"context"
	"slices"

	"kifu/datasets/columns"
	"kifu/datasets/part"
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
	w := Walk[*columns.Batch]{In: d, Take: do, Work: func(worker int, g Group, emit func(*columns.Batch) error) error {
		if low, high, ok := g.Bounds(part.GameID); ok {
			if i, _ := slices.BinarySearch(asked, int64(low)); i == len(asked) || asked[i] > int64(high) {
				return nil
			}
		}
		if err := g.Read(ids[worker]); err != nil {
			return err
		}
		rows := rowsOf(nil, ids[worker].Col(part.GameID).Int64, asked)
		if len(rows) == 0 {
			return nil
		}
		b := columns.NewBatch(d.Table, names...)
		if err := g.part.ReadRows(g.Index, rows, b); err != nil {
			return err
		}
		return emit(b)
	}}
	return w.Run(ctx, 0, nil)
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
