package fit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/fit/rows"
	"kifu/query"
)

const (
	mostLevels  = 200
	otherLevels = 255 // of a level that the labels fitted to do not have
)

// readLevels returns what tells the level or set of a position, for each dataset of
// labels; nil when there are none.
func (in *input) readLevels(ctx context.Context, p Params, from Sources, columns columnReader) (map[*datasets.Dir]func(int64, *rows.Row) uint8, error) {
	out := map[*datasets.Dir]func(int64, *rows.Row) uint8{}
	switch {
	case len(p.Phases) > 0:
		for _, dir := range []*datasets.Dir{from.Labels, from.Test} {
			out[dir] = func(_ int64, x *rows.Row) uint8 { return p.setOf(x.Phase) }
		}
		return out, nil
	case p.ScaleBy == "":
		return nil, nil
	case from.Games != nil && from.Test != nil:
		return nil, errors.New("--scale-by over the columns of --games cannot tell the games of --test apart: take --holdout")
	case from.Games != nil:
		if err := from.Games.Want("games"); err != nil {
			return nil, err
		}
		names, codes, err := sqlLevels(ctx, p.ScaleBy, from.Games)
		if err != nil {
			return nil, err
		}
		ids, err := columns(ctx, from.Games, []Feature{{Name: "game_id", SQL: "game_id"}})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", from.Games.Path, err)
		}
		level := map[int64]uint8{}
		for i, id := range ids[0] {
			level[int64(id)] = codes[0][i]
		}
		in.levels = names
		out[from.Labels] = func(_ int64, x *rows.Row) uint8 {
			if l, ok := level[x.Game]; ok {
				return l
			}
			return otherLevels
		}
		return out, nil
	}
	dirs := []*datasets.Dir{from.Labels}
	if from.Test != nil {
		dirs = append(dirs, from.Test)
	}
	names, codes, err := sqlLevels(ctx, p.ScaleBy, dirs...)
	if err != nil {
		return nil, err
	}
	in.levels = names
	for i, dir := range dirs {
		out[dir] = func(at int64, _ *rows.Row) uint8 { return codes[i][at] }
	}
	return out, nil
}

// sqlLevels returns the values of an expression over the rows of the first of dirs, in
// their order, and for every row of each of dirs the number of its value among them.
func sqlLevels(ctx context.Context, text string, dirs ...*datasets.Dir) (names []string, codes [][]uint8, err error) {
	db, err := query.Open(ctx, query.Options{})
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for i, dir := range dirs {
		if err := db.Attach(ctx, fmt.Sprint("levels", i), dir); err != nil {
			return nil, nil, err
		}
	}
	by := query.Named{Name: "scale-by", SQL: text}
	if _, err := db.Expression(ctx, dirs[0], by); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", dirs[0].Path, err)
	}
	value := fmt.Sprintf("coalesce((%s\n)::VARCHAR, 'null')", text)
	found, err := db.Query(ctx, fmt.Sprintf("SELECT %s AS level FROM levels0 GROUP BY 1 ORDER BY min((%s\n)) NULLS LAST, 1 LIMIT %d", value, text, mostLevels+1))
	if err != nil {
		return nil, nil, err
	}
	rows, err := found.All()
	if err != nil {
		return nil, nil, err
	}
	if len(rows) > mostLevels {
		return nil, nil, fmt.Errorf("--scale-by %s has more than %d values: make bands of them, as in first_elo // 200", text, mostLevels)
	}
	list := ""
	for _, row := range rows {
		name, _ := row[0].(string)
		names = append(names, name)
		list += fmt.Sprintf(", '%s'", strings.ReplaceAll(name, "'", "''"))
	}
	by.SQL = fmt.Sprintf("coalesce(list_position([%s], %s) - 1, %d)", strings.TrimPrefix(list, ", "), value, otherLevels)
	for _, dir := range dirs {
		numbers, err := db.Columns(ctx, dir, []query.Named{by})
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", dir.Path, err)
		}
		of := make([]uint8, 0, len(numbers[0]))
		for _, n := range numbers[0] {
			of = append(of, uint8(n))
		}
		codes = append(codes, of)
	}
	return slices.Clip(names), codes, nil
}
