package query

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/internal/lists"
	"kifu/schemas"
)

// Filter reports whether an SQL condition holds for rows in memory, with the meaning it has in a query. It is
// for one goroutine.
type Filter struct {
	db    *DB
	text  string
	table schemas.Table // of the columns that the condition reads
	keep  []bool
	of    []int32 // row of each number
}

// NewFilter checks the condition over the columns of t: one scalar expression, true or
// false for a row by itself. The error begins with the flag it came from. Close ends
// the filter.
func NewFilter(ctx context.Context, flag, condition string, t schemas.Table) (*Filter, error) {
	db, err := Open(ctx, Options{Threads: 1})
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
	dir := &datasets.Dir{Path: t.Name, Table: t}
	list := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		typ, err := sqlType(c.Type)
		if err != nil {
			return err
		}
		list[i] = QuoteName(c.Name) + " " + typ
	}
	if _, err := f.db.conn.ExecContext(ctx, "CREATE TABLE "+QuoteName(t.Name)+" ("+strings.Join(list, ", ")+")"); err != nil {
		return err
	}
	f.db.views = append(f.db.views, view{name: t.Name, dir: dir})
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
	f.table = schemas.Table{Name: t.Name, Plain: true}
	for _, c := range t.Columns {
		if used[c.Name] {
			f.table.Columns = append(f.table.Columns, c)
		}
	}
	if len(f.table.Columns) == 0 {
		f.table.Columns = t.Columns[:1] // of a constant, as true: any column has the rows
	}
	return nil
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
	case schemas.Float64:
		return "DOUBLE", nil
	case schemas.StringMap:
		return "MAP(VARCHAR, VARCHAR)", nil
	}
	return "", fmt.Errorf("a filter over a column of type %v", t)
}

// Columns returns the table of the columns that the condition reads.
func (f *Filter) Columns() schemas.Table { return f.table }

// Select returns for each row of b whether the condition is true; null is not true. The
// slice is valid until the next call. b must have the columns that the condition reads.
//
// The rows go to DuckDB as an uncompressed Parquet file: its appender takes values one by one, at ten times the cost.
func (f *Filter) Select(ctx context.Context, b *columns.Batch) ([]bool, error) {
	return f.SelectAll(ctx, []*columns.Batch{b})
}

// SelectAll is Select for the rows of several batches, one after the other. A statement takes some milliseconds, however few the rows.
// A condition on one column of numbers, such as loss >= 200, is evaluated once for each of its numbers, if these are few.
func (f *Filter) SelectAll(ctx context.Context, all []*columns.Batch) ([]bool, error) {
	f.keep = f.keep[:0]
	if numbers := f.numbers(all); numbers != nil {
		keep, err := f.evaluate(ctx, []*columns.Batch{numbers})
		for _, i := range f.of {
			f.keep = append(f.keep, err == nil && keep.Has(int(i)))
		}
		return f.keep, err
	}
	keep, err := f.evaluate(ctx, all)
	for _, b := range all {
		for range b.Rows {
			f.keep = append(f.keep, err == nil && keep.Has(len(f.keep)))
		}
	}
	return f.keep, err
}

// mostNumbers is how many numbers are few.
const mostNumbers = 1 << 13

// numbers returns a row for each number of the one column that the condition reads, and writes to f.of the row of each row of the
// batches; nil: the column is none of numbers, there are others, or the numbers are too many.
func (f *Filter) numbers(all []*columns.Batch) *columns.Batch {
	if c := f.table.Columns; len(c) != 1 || c[0].Type != schemas.Float64 && c[0].Type != schemas.Int64 && c[0].Type != schemas.Int32 {
		return nil
	}
	f.of = f.of[:0]
	out, seen, null := columns.NewBatch(f.table), map[uint64]int32{}, int32(-1)
	for _, b := range all {
		from := b.Col(f.table.Columns[0].Name)
		for row := range b.Rows {
			i := null
			isNull, key := from.IsNull(row), uint64(0)
			if !isNull {
				var known bool
				key = from.Bits(row)
				if i, known = seen[key]; !known {
					i = -1
				}
			}
			if i < 0 {
				if out.Rows == mostNumbers {
					return nil
				}
				i = int32(out.Rows)
				out.Cols[0].AppendFrom(from, row)
				out.Rows++
				if isNull {
					null = i
				} else {
					seen[key] = i
				}
			}
			f.of = append(f.of, i)
		}
	}
	return out
}

// evaluate returns the rows of batches, one after the other, for which the condition is true.
func (f *Filter) evaluate(ctx context.Context, all []*columns.Batch) (Bits, error) {
	rows := lists.Sum(all, func(b *columns.Batch) int { return b.Rows })
	if rows == 0 {
		return nil, nil
	}
	path, err := f.write(all)
	if err != nil {
		return nil, fmt.Errorf("rows to be filtered: %w", err)
	}
	defer os.Remove(path)
	var bits Bits
	// The last bit ends a byte: otherwise the database would put some bits before the first.
	text := fmt.Sprintf("SELECT bitstring_agg(file_row_number, 0, %d) FILTER (WHERE %s)::BLOB FROM %s AS %s", (rows+7)&^7-1, inner(f.text), scan([]string{path}, ", file_row_number = true"), QuoteName(f.table.Name))
	if err := f.db.conn.QueryRowContext(ctx, text).Scan((*[]byte)(&bits)); err != nil {
		return nil, fmt.Errorf("%s: %w", f.text, clean(err))
	}
	return bits, nil
}

// write writes the columns that the condition reads to a file of the temporary directory.
func (f *Filter) write(all []*columns.Batch) (path string, err error) {
	if err := f.db.temp.Make(); err != nil {
		return "", err
	}
	path = filepath.Join(f.db.temp.Path(), "rows.parquet")
	file, err := os.Create(path)
	if err != nil {
		return "", err
	}
	defer func() {
		if err = errors.Join(err, file.Close()); err != nil {
			os.Remove(path)
		}
	}()
	w, err := columns.NewWriter(f.table, "kifu", file)
	if err != nil {
		return "", err
	}
	for _, b := range all {
		g, err := w.Encode(&columns.Batch{Table: f.table, Rows: b.Rows, Cols: lists.Of(f.table.Columns, func(c schemas.Column) columns.Vec { return *b.Col(c.Name) })})
		if err != nil {
			return "", err
		}
		if err := w.Append(g); err != nil {
			return "", err
		}
	}
	_, err = w.Finish()
	return path, err
}

// Close ends the filter.
func (f *Filter) Close() error { return f.db.Close() }
