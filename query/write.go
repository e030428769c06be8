package query

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Parquet is the format that only Write knows: DuckDB writes the rows itself.
const Parquet = "parquet"

// Write runs one SELECT statement and writes its rows in a format of Writer, or as a
// Parquet file with the types that DuckDB gives the columns. An unknown format is an
// error before anything is queried.
func (db *DB) Write(ctx context.Context, text, format string, w io.Writer) error {
	if format == Parquet {
		return db.writeParquet(ctx, text, w)
	}
	write, err := Writer(format)
	if err != nil {
		return err
	}
	result, err := db.Query(ctx, text)
	if err != nil {
		return err
	}
	return write(w, result)
}

// writeParquet lets DuckDB write into the temporary directory, as it cannot write to a
// stream, and copies the file. query() takes the statement as a text, so that no
// comment or semicolon at its end meets the COPY around it.
func (db *DB) writeParquet(ctx context.Context, text string, w io.Writer) error {
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
	copying := fmt.Sprintf("COPY (FROM query(%s)) TO %s (FORMAT parquet, COMPRESSION zstd)", quote(text), quote(path))
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
