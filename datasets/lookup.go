package datasets

import (
	"context"
	"slices"

	"kifu/datasets/columns"
	"kifu/datasets/part"
)

// Lookup calls do with the rows of d that belong to some games, once for each row group that has any, in the
// order of d. The rows have the columns of b, among them game_id. Only the pages that have such rows are
// read, after the ids of row groups that may have them.
func Lookup(ctx context.Context, d *Dir, games []int64, b *columns.Batch, do func(b *columns.Batch) error) error {
	asked := slices.Clone(games)
	slices.Sort(asked)
	asked = slices.Compact(asked)
	ids := columns.NewBatch(d.Table, part.GameID)
	var rows []int
	look := func(p *Part, group int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if low, high, ok := p.Bounds(group, part.GameID); ok {
			if i, _ := slices.BinarySearch(asked, int64(low)); i == len(asked) || asked[i] > int64(high) {
				return nil
			}
		}
		if err := p.Read(group, ids); err != nil {
			return err
		}
		rows = rowsOf(rows[:0], ids.Col(part.GameID).Int64, asked)
		if len(rows) == 0 {
			return nil
		}
		if err := p.ReadRows(group, rows, b); err != nil {
			return err
		}
		return do(b)
	}
	for i := range d.NumParts() {
		p, err := d.OpenPart(i)
		if err != nil {
			return err
		}
		for group := range p.RowGroups() {
			if err = look(p, group); err != nil {
				break
			}
		}
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
