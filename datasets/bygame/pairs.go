package bygame

import (
	"cmp"
	"context"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/internal/dyads"
)

// EachPair calls take with who played the game in each row that is wanted (nil: all), in the order of the dataset. Games
// without a name on either side are left out. Aliases that lead in a circle are an error.
func EachPair(ctx context.Context, games *datasets.Dir, workers int, title string, names *dyads.Names,
	wanted func(row int64) bool, take func(row int64, pair dyads.Pair)) error {
	type rows struct {
		first int64
		*columns.Batch
	}
	return datasets.Each(ctx, games, workers, title, "games", func(_ int, g datasets.Group, emit func(rows) error) error {
		b := columns.NewBatch(games.Table, "first_player", "second_player")
		if err := g.Read(b); err != nil {
			return err
		}
		return emit(rows{g.First, b})
	}, func(b rows) error {
		one, other := b.Cols[0], b.Cols[1]
		for i := range b.Rows {
			row := b.first + int64(i)
			if wanted != nil && !wanted(row) || one.IsNull(i) || other.IsNull(i) || len(one.Value(i)) == 0 || len(other.Value(i)) == 0 {
				continue
			}
			first, err := names.Number(string(one.Value(i)))
			second, err2 := names.Number(string(other.Value(i)))
			if err := cmp.Or(err, err2); err != nil {
				return err
			}
			take(row, dyads.Pair{A: first, B: second})
		}
		return nil
	})
}
