package chosen

import (
	"context"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/export"
	"kifu/query"
)

// IDs returns the game ids that a query returns, in its order.
func IDs(ctx context.Context, mk *command.Maker, in *datasets.Dir, sql string) ([]int64, error) {
	columns, rows, err := command.Ask(ctx, query.Options{Threads: mk.Workers}, sql, command.TableViews{"g": in})
	if err != nil {
		return nil, err
	}
	if len(columns) != 1 {
		return nil, command.Usagef("the query returns %d columns; want game_id alone", len(columns))
	}
	return IDsIn(rows)
}

// IDsIn returns the game ids in the first column of rows.
func IDsIn(rows [][]any) ([]int64, error) {
	ids := make([]int64, len(rows))
	for i, row := range rows {
		var err error
		if ids[i], err = export.ID(row[0]); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// Set returns whether an id is one of a list.
func Set(ids []int64) func(id int64) bool {
	set := export.IDs{}
	for _, id := range ids {
		set.Add(id)
	}
	return set.Has
}

// Both returns whether two conditions hold for a game; nil holds for all.
func Both(a, b func(id int64) bool) func(id int64) bool {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return func(id int64) bool { return a(id) && b(id) }
}
