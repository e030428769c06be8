package main

import (
	"cmp"
	"context"
	"slices"

	"kifu/datasets"
	"kifu/export"
	"kifu/query"
)

// exportRows returns the rows that --where, --top and --by choose; nil for all. Of equal rows
// the earlier comes first.
func (a *app) exportRows(ctx context.Context, f exportFlags, in *datasets.Dir) (*export.Rows, error) {
	if f.where == "" && f.by == "" {
		return nil, nil
	}
	db, err := query.Open(ctx, query.Options{Threads: a.workers})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	if err := db.Attach(ctx, "g", in); err != nil {
		return nil, err
	}
	condition, order := "true", "0"
	if f.where != "" {
		if err := db.Condition(ctx, in, query.Named{Name: "--where", SQL: f.where}); err != nil {
			return nil, err
		}
		condition = "coalesce((" + f.where + "\n), false)"
	}
	if f.by != "" {
		by := query.Named{Name: "--by", SQL: f.by}
		typ, err := db.Expression(ctx, in, by)
		if err != nil {
			return nil, err
		}
		if typ != "BOOLEAN" && !query.IsNumber(typ) {
			return nil, usagef("--by %s: a %s is not a number", f.by, typ)
		}
		condition += " AND (" + f.by + "\n) IS NOT NULL"
		order = "coalesce((" + f.by + "\n)::DOUBLE, 0)"
	}
	columns, err := db.Columns(ctx, in, []query.Named{{Name: "--where", SQL: condition}, {Name: "--by", SQL: order}})
	if err != nil {
		return nil, err
	}
	return chosenRows(columns[0], columns[1], f), nil
}

// chosenRows picks the rows whose condition is 1, those with the highest keys if --by is given.
func chosenRows(holds, keys []float64, f exportFlags) *export.Rows {
	var rows []int64
	for i, x := range holds {
		if x == 1 {
			rows = append(rows, int64(i))
		}
	}
	if f.by == "" {
		return export.NewRows(rows, false)
	}
	slices.SortStableFunc(rows, func(a, b int64) int { return cmp.Compare(keys[b], keys[a]) })
	if f.top > 0 {
		rows = rows[:min(f.top, len(rows))]
	}
	return export.NewRows(rows, true)
}
