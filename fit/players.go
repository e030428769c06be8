package fit

import (
	"cmp"
	"fmt"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/internal/dyads"
	"kifu/schemas"
)

// ReadPlayers returns the two players of every game of dir, by id. A game without a name on either side
// has unknown players. Names in aliases are replaced by others, and these by others again.
func ReadPlayers(dir *datasets.Dir, aliases []dyads.Alias) (map[int64]dyads.Pair, *dyads.Names, error) {
	if dir == nil {
		return nil, nil, nil
	}
	if err := dir.Want(schemas.Games.Name); err != nil {
		return nil, nil, err
	}
	names := dyads.NewNames(aliases)
	number := func(v *columns.Vec, i int) (int32, error) {
		if v.IsNull(i) || len(v.Value(i)) == 0 {
			return -1, nil
		}
		return names.Number(string(v.Value(i)))
	}
	of := map[int64]dyads.Pair{}
	batch := columns.NewBatch(dir.Table, "game_id", "first_player", "second_player")
	for i := range dir.NumParts() {
		err := eachGroup(dir, i, batch, func() error {
			for row := range batch.Rows {
				first, err := number(batch.Col("first_player"), row)
				second, err2 := number(batch.Col("second_player"), row)
				if err := cmp.Or(err, err2); err != nil {
					return err
				}
				of[batch.Col("game_id").Int64[row]] = dyads.Pair{A: first, B: second}
			}
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return of, names, nil
}

// eachGroup calls do for every row group of a part, once it is in batch.
func eachGroup(dir *datasets.Dir, i int, batch *columns.Batch, do func() error) error {
	part, err := dir.OpenPart(i)
	if err != nil {
		return err
	}
	defer part.Close()
	for g := range part.RowGroups() {
		if err := part.Read(g, batch); err != nil {
			return err
		}
		if err := do(); err != nil {
			return fmt.Errorf("%s: %w", dir.Path, err)
		}
	}
	return nil
}
