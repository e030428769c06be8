package query

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strings"

	"github.com/marcboeker/go-duckdb"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/internal/lists"
	"kifu/schemas"
)

// Filter reports for rows that are still in memory whether an SQL condition holds for
// them, with the very meaning that it has in a query. It is for one goroutine.
type Filter struct {
	db      *DB
	text    string
	columns []schemas.Column // that the condition reads
	keep    []bool
}

// filterTable is the name of the rows in DuckDB's messages.
const filterTable = "games"

// NewFilter checks the condition over the columns of t: one scalar expression, true or
// false for a row by itself. The error begins with the flag it came from. Close ends
// the filter.
func NewFilter(ctx context.Context, flag, condition string, t schemas.Table) (*Filter, error) {
	db, err := Open(ctx, Options{Threads: 1, noFiles: true})
	if err != nil {
		return nil, err
	}
	f := &Filter{db: db, text: condition}
	if err := f.prepare(ctx, t); err != nil {
		db.Close()
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	return f, nil
}

func (f *Filter) prepare(ctx context.Context, t schemas.Table) error {
	if err := f.create(ctx, t.Columns); err != nil {
		return err
	}
	dir := &datasets.Dir{Path: filterTable, Table: t}
	f.db.views = append(f.db.views, view{name: filterTable, dir: dir})
	if err := f.db.Condition(ctx, dir, Named{"condition", f.text}); err != nil {
		return err
	}
	statements, err := f.db.parse(ctx, "SELECT "+f.text)
	if err != nil {
		return err
	}
	used := map[string]bool{}
	walk(statements[0], func(n tree) {
		names, _ := n["column_names"].([]any)
		for _, name := range names {
			if name, ok := name.(string); ok {
				used[strings.ToLower(name)] = true
			}
		}
	})
	for _, c := range t.Columns {
		if used[c.Name] {
			f.columns = append(f.columns, c)
		}
	}
	if len(f.columns) == 0 {
		f.columns = t.Columns[:1] // of a constant, as true: any column has the rows
	}
	return nil
}

func (f *Filter) create(ctx context.Context, columns []schemas.Column) error {
	list := make([]string, len(columns))
	for i, c := range columns {
		typ, err := sqlType(c.Type)
		if err != nil {
			return err
		}
		list[i] = QuoteName(c.Name) + " " + typ
	}
	_, err := f.db.conn.ExecContext(ctx, "CREATE OR REPLACE TABLE "+filterTable+" ("+strings.Join(list, ", ")+")")
	return err
}

func sqlType(t schemas.Type) (string, error) {
	switch t {
	case schemas.String:
		return "VARCHAR", nil
	case schemas.Int16:
		return "SMALLINT", nil
	case schemas.Int32:
		return "INTEGER", nil
	case schemas.Int64:
		return "BIGINT", nil
	case schemas.Float32:
		return "FLOAT", nil
	case schemas.StringMap:
		return "MAP(VARCHAR, VARCHAR)", nil
	}
	return "", fmt.Errorf("a filter over a column of type %v", t)
}

// Select returns for each row of b whether the condition is true; null is not true. The
// slice is valid until the next call. b must have the columns that the condition reads.
func (f *Filter) Select(ctx context.Context, b *columns.Batch) ([]bool, error) {
	f.keep = f.keep[:0]
	if b.Rows == 0 {
		return f.keep, nil
	}
	// A new table each time: deleted rows would go on taking memory.
	if err := f.create(ctx, f.columns); err != nil {
		return nil, err
	}
	err := f.db.conn.Raw(func(conn any) error {
		appender, err := duckdb.NewAppenderFromConn(conn.(driver.Conn), "", filterTable)
		if err != nil {
			return err
		}
		if err := f.append(appender, b); err != nil {
			appender.Close()
			return err
		}
		return appender.Close()
	})
	if err != nil {
		return nil, fmt.Errorf("rows to be filtered: %w", err)
	}
	rows, err := f.db.conn.QueryContext(ctx, "SELECT coalesce("+inner(f.text)+", false) FROM "+filterTable)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.text, clean(err))
	}
	defer rows.Close()
	for rows.Next() {
		var yes bool
		if err := rows.Scan(&yes); err != nil {
			return nil, err
		}
		f.keep = append(f.keep, yes)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", f.text, clean(err))
	}
	if len(f.keep) != b.Rows {
		return nil, fmt.Errorf("%s: %d answers for %d rows", f.text, len(f.keep), b.Rows)
	}
	return f.keep, nil
}

func (f *Filter) append(a *duckdb.Appender, b *columns.Batch) error {
	cells := make([]driver.Value, len(f.columns))
	vecs := lists.Of(f.columns, func(c schemas.Column) *columns.Vec { return b.Col(c.Name) })
	for row := range b.Rows {
		for i, v := range vecs {
			cells[i] = cell(v, row)
		}
		if err := a.AppendRow(cells...); err != nil {
			return err
		}
	}
	return nil
}

// cell is row i of v as DuckDB's appender takes it.
func cell(v *columns.Vec, i int) driver.Value {
	if v.IsNull(i) {
		return nil
	}
	switch v.Column.Type {
	case schemas.Int16:
		return int16(v.Int32[i])
	case schemas.Int32:
		return v.Int32[i]
	case schemas.Int64:
		return v.Int64[i]
	case schemas.Float32:
		return v.Float32[i]
	case schemas.StringMap:
		m := duckdb.Map{}
		from, to := v.List(i)
		for k := from; k < to; k += 2 {
			m[string(v.Text(k))] = string(v.Text(k + 1))
		}
		return m
	}
	return string(v.Value(i))
}

// Close ends the filter.
func (f *Filter) Close() error { return f.db.Close() }
