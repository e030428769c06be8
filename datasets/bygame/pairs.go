package bygame

import (
	"cmp"
	"context"
	"slices"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/internal/dyads"
	"kifu/schemas"
)

// EachPair calls take with the players of the game in each wanted row (nil: all), in the order of the dataset. Games
// without a name on either side are skipped. Circular aliases are an error.
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

// Players holds the players of each game, by row.
type Players struct {
	*Index
	Pairs []dyads.Pair
}

// PlayersOf reads the players of all games, with Nobody for games that EachPair skips.
func PlayersOf(ctx context.Context, games *datasets.Dir, workers int, title string, names *dyads.Names) (*Players, error) {
	at, err := indexOf(ctx, games, workers, title)
	if err != nil {
		return nil, err
	}
	p := &Players{at, slices.Repeat([]dyads.Pair{dyads.Nobody}, int(games.Rows()))}
	return p, EachPair(ctx, games, workers, title, names, nil, func(row int64, pair dyads.Pair) { p.Pairs[row] = pair })
}

// Of returns the players of a game, or Nobody if the game is missing.
func (p *Players) Of(id int64) dyads.Pair {
	if row := p.Row(id); row >= 0 {
		return p.Pairs[row]
	}
	return dyads.Nobody
}

// Named returns the players of games with their names, after replacing aliases; nil for nil.
func Named(ctx context.Context, games *datasets.Dir, workers int, aliases []dyads.Alias) (dyads.Players, *dyads.Names, error) {
	if games == nil {
		return nil, nil, nil
	}
	if err := games.Want(schemas.Games.Name); err != nil {
		return nil, nil, err
	}
	names := dyads.NewNames(aliases)
	players, err := PlayersOf(ctx, games, workers, "players", names)
	return players, names, err
}
