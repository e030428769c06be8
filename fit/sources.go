package fit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"kifu/datasets"
	"kifu/fit/computed"
	"kifu/fit/rows"
	"kifu/query"
)

const otherLevels = 255 // of a level that the labels fitted to do not have

// levelled returns the levels or sets of positions; the zero value has none.
type levelled struct {
	of     func(x *rows.Row) uint8 // by what has been read of a position
	column computed.Feature        // instead of it: the number of the level
}

func (l levelled) any() bool { return l.of != nil || l.column.SQL != "" }

// readLevels returns the source of the level or set of a position of labels.
func (in *input) readLevels(ctx context.Context, from Sources, columns computed.Reader) (l levelled, err error) {
	switch {
	case len(in.p.Phases) > 0:
		l.of = func(x *rows.Row) uint8 { return stretches(in.p.Phases).set(x.Phase) }
	case in.p.ScaleBy == "":
	case from.Games != nil && from.Test != nil:
		return l, errors.New("--scale-by on columns of --games cannot read those of --test: use --holdout")
	case from.Games != nil:
		if err := from.Games.Want("games"); err != nil {
			return l, err
		}
		var number computed.Feature
		if in.levels, number, err = sqlLevels(ctx, in.p.ScaleBy, from.Games); err != nil {
			return l, err
		}
		games, err := computed.Whole(ctx, from.Games, []computed.Feature{{Name: "game_id", SQL: "game_id"}, number}, columns)
		if err != nil {
			return l, err
		}
		level := map[int64]uint8{}
		for i, id := range games[0] {
			level[int64(id)] = uint8(games[1][i])
		}
		l.of = func(x *rows.Row) uint8 {
			if l, ok := level[x.Game]; ok {
				return l
			}
			return otherLevels
		}
	default:
		in.levels, l.column, err = sqlLevels(ctx, in.p.ScaleBy, from.Labels)
	}
	return l, err
}

// sqlLevels returns the values of an expression over the rows of dir, in their order. number is the
// feature that numbers a row's value among them, also in other datasets with these columns.
func sqlLevels(ctx context.Context, text string, dir *datasets.Dir) (names []string, number computed.Feature, err error) {
	db, err := query.Open(ctx, query.Options{})
	if err != nil {
		return nil, number, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.Attach(ctx, "levels", dir); err != nil {
		return nil, number, err
	}
	if _, err := db.Expression(ctx, dir, query.Named{Name: scaleBy, SQL: text}); err != nil {
		return nil, number, fmt.Errorf("%s: %w", dir.Path, err)
	}
	value := fmt.Sprintf("coalesce((%s\n)::VARCHAR, 'null')", text)
	found, err := db.Query(ctx, fmt.Sprintf("SELECT %s AS level FROM levels GROUP BY 1 ORDER BY min((%s\n)) NULLS LAST, 1 LIMIT %d", value, text, mostLevels+1))
	if err != nil {
		return nil, number, err
	}
	rows, err := found.All()
	if err != nil {
		return nil, number, err
	}
	if len(rows) > mostLevels {
		return nil, number, fmt.Errorf("--scale-by %s has more than %d values: group them, as in first_elo // 200", text, mostLevels)
	}
	for _, row := range rows {
		name, _ := row[0].(string)
		names = append(names, name)
	}
	number = computed.Numbered(scaleBy, text, names, otherLevels)
	return slices.Clip(names), number, nil
}

const scaleBy = "scale-by"
