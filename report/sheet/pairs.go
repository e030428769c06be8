package sheet

import (
	"cmp"
	"context"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/internal/dyads"
)

// EachPair calls take with who played each game that is wanted (nil: all), in the order of the dataset. Games
// without a name on either side are left out. Aliases that lead in a circle are an error.
func EachPair(ctx context.Context, games *datasets.Dir, workers int, title string, names *dyads.Names,
	wanted func(game int64) bool, take func(game int64, pair dyads.Pair)) error {
	return datasets.Each(ctx, games, workers, title, "games", func(_ int, g datasets.Group, emit func(*columns.Batch) error) error {
		b := columns.NewBatch(games.Table, "game_id", "first_player", "second_player")
		if err := g.Read(b); err != nil {
			return err
		}
		return emit(b)
	}, func(b *columns.Batch) error {
		one, other := b.Col("first_player"), b.Col("second_player")
		for i, id := range b.Col("game_id").Int64 {
			if wanted != nil && !wanted(id) || one.IsNull(i) || other.IsNull(i) || len(one.Value(i)) == 0 || len(other.Value(i)) == 0 {
				continue
			}
			first, err := names.Number(string(one.Value(i)))
			second, err2 := names.Number(string(other.Value(i)))
			if err := cmp.Or(err, err2); err != nil {
				return err
			}
			take(id, dyads.Pair{A: first, B: second})
		}
		return nil
	})
}
