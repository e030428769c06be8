package fit

import (
	"context"

	"kifu/datasets"
	"kifu/query"
)

// sqlColumns computes added features with the query engine.
func sqlColumns(ctx context.Context, dir *datasets.Dir, features []Feature) (columns [][]float64, err error) {
	db, err := query.Open(ctx, query.Options{})
	if err != nil {
		return nil, err
	}
	defer func() {
		if cerr := db.Close(); err == nil {
			err = cerr
		}
	}()
	var named []query.Named
	for _, f := range features {
		named = append(named, query.Named{Name: f.Name, SQL: f.SQL})
	}
	return db.Columns(ctx, dir, named)
}
