package query

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// Column is a column of a result. Type is DuckDB's name of it: "BIGINT".
type Column struct {
	Name string
	Type string
}

// Result is the answer to a query. Its rows can be read once, and before the next
// query of the same database.
//
// Values are nil (null), bool, int64, uint64, json.Number (integers that do not fit,
// and decimals), float32, float64, string, []byte, time.Time (DATE, TIME, TIMESTAMP),
// []any (lists) and map[string]any (structs, maps).
type Result struct {
	Columns []Column

	rows *sql.Rows
	held [][]any
}

// NewResult makes a result of rows that are already there, for the renderers. A
// column of a number type is set to the right, also when its values are strings.
func NewResult(columns []Column, rows [][]any) *Result {
	return &Result{Columns: columns, held: rows}
}

// Query runs one SELECT statement over what is attached. Cancelling the context ends
// it.
func (db *DB) Query(ctx context.Context, text string) (*Result, error) {
	if _, err := db.check(ctx, text); err != nil {
		return nil, err
	}
	return db.run(ctx, text)
}

// shut closes the last result.
func (db *DB) shut() {
	if db.open != nil {
		db.open.Close()
	}
}

// run is Query without the checks, for the package's own statements.
func (db *DB) run(ctx context.Context, text string) (*Result, error) {
	db.shut()
	if err := db.verify(ctx, text); err != nil {
		return nil, err
	}
	rows, err := db.conn.QueryContext(ctx, text)
	if err != nil {
		return nil, db.namedIn(text).explain(ctx, err)
	}
	db.open = rows
	types, err := rows.ColumnTypes()
	if err != nil {
		rows.Close()
		return nil, err
	}
	r := &Result{rows: rows}
	for _, t := range types {
		r.Columns = append(r.Columns, Column{t.Name(), t.DatabaseTypeName()})
	}
	return r, nil
}

// Each calls f with every row; the slice is reused. It closes the result.
func (r *Result) Each(f func(row []any) error) error {
	if r.rows == nil {
		for _, row := range r.held {
			if err := f(row); err != nil {
				return err
			}
		}
		return nil
	}
	defer r.rows.Close()
	row := make([]any, len(r.Columns))
	into := make([]any, len(row))
	for i := range row {
		into[i] = &row[i]
	}
	for r.rows.Next() {
		if err := r.rows.Scan(into...); err != nil {
			return fmt.Errorf("reading a row: %w", err)
		}
		for i, v := range row {
			row[i] = plain(v, r.Columns[i].Type)
		}
		if err := f(row); err != nil {
			return err
		}
	}
	return r.rows.Err()
}

// All returns every row, not to be changed. It closes the result.
func (r *Result) All() ([][]any, error) {
	if r.rows == nil {
		return slices.Clone(r.held), nil
	}
	var all [][]any
	err := r.Each(func(row []any) error {
		all = append(all, append([]any(nil), row...))
		return nil
	})
	return all, err
}

// Close drops the rows that were not read.
func (r *Result) Close() error {
	if r.rows == nil {
		return nil
	}
	return r.rows.Close()
}

// IsNumber reports whether DuckDB's type typ, as Expression gives it, is one of numbers.
func IsNumber(typ string) bool {
	switch typ {
	case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT",
		"UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT", "FLOAT", "DOUBLE":
		return true
	}
	return strings.HasPrefix(typ, "DECIMAL")
}
