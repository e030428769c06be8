package query

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"kifu/datasets"
	"kifu/schemas"
)

// WriteParquet runs one SELECT statement and writes its rows as a Parquet file with DuckDB's column types. DuckDB
// writes into the temporary directory, as it cannot write to a stream, and the file is copied. query() takes the statement as a text, so that no
// comment or semicolon at its end meets the COPY around it.
func (db *DB) WriteParquet(ctx context.Context, text string, w io.Writer) error {
	if _, err := db.check(ctx, text); err != nil {
		return err
	}
	db.shut()
	if err := db.verify(ctx, text); err != nil {
		return err
	}
	if err := db.temp.Make(); err != nil {
		return err
	}
	path := filepath.Join(db.temp.Path(), "rows.parquet")
	defer os.Remove(path)
	copying := fmt.Sprintf("COPY (FROM query(%s)) TO %s (FORMAT parquet, COMPRESSION zstd)", QuoteText(text), QuoteText(path))
	if _, err := db.conn.ExecContext(ctx, copying); err != nil {
		return db.namedIn(text).explain(ctx, err)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

// Table runs a SELECT statement and returns its rows as a dataset in the temporary directory, which
// lasts until db is closed. The columns have t's names and types. Readers of datasets thus take rows
// that have to be sorted or computed first.
func (db *DB) Table(ctx context.Context, text string, t schemas.Table) (*datasets.Dir, error) {
	path, err := db.keep(ctx, text)
	if err != nil {
		return nil, err
	}
	return datasets.OpenFile(path, t)
}

// Keep runs a SELECT statement and makes a view of its rows, which lasts until db is closed.
func (db *DB) Keep(ctx context.Context, name, text string) error {
	path, err := db.keep(ctx, text)
	if err != nil {
		return err
	}
	columns, err := db.createView(ctx, name, scan([]string{path}, ""))
	if err != nil {
		return fmt.Errorf("%s as %s: %w", path, name, clean(err))
	}
	db.list(name, path, columns)
	return nil
}

// keep writes the rows of a SELECT statement to a Parquet file in the temporary directory.
func (db *DB) keep(ctx context.Context, text string) (path string, err error) {
	db.shut()
	if err := db.verify(ctx, text); err != nil {
		return "", err
	}
	if err := db.temp.Make(); err != nil {
		return "", err
	}
	db.tables++
	path = filepath.Join(db.temp.Path(), fmt.Sprintf("table-%d.parquet", db.tables))
	if _, err := db.conn.ExecContext(ctx, fmt.Sprintf("COPY (%s\n) TO %s (FORMAT parquet)", text, QuoteText(path))); err != nil {
		return "", db.namedIn(text).explain(ctx, err)
	}
	return path, nil
}
