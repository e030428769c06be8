package query

import (
	"context"
	"fmt"
	"path/filepath"

	"kifu/datasets"
	"kifu/schemas"
)

// Table runs a SELECT statement and returns its rows as a dataset in the temporary directory, which
// lasts until db is closed. The columns have t's names and types. Readers of datasets thus take rows
// that have to be sorted or computed first.
func (db *DB) Table(ctx context.Context, text string, t schemas.Table) (*datasets.Dir, error) {
	db.shut()
	if err := db.verify(ctx, text); err != nil {
		return nil, err
	}
	if err := db.temp.Make(); err != nil {
		return nil, err
	}
	db.tables++
	path := filepath.Join(db.temp.Path(), fmt.Sprintf("table-%d.parquet", db.tables))
	if _, err := db.conn.ExecContext(ctx, fmt.Sprintf("COPY (%s\n) TO %s (FORMAT parquet)", text, quote(path))); err != nil {
		return nil, db.namedIn(text).explain(ctx, err)
	}
	return datasets.OpenFile(path, t)
}
