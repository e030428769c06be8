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
	"kifu/internal/splitmix"
	"kifu/query/syntax"
	"kifu/schemas"
)

// Filter reports whether an SQL condition holds for rows in memory, with the meaning it has in a query. It is
// for one goroutine.
type Filter struct {
	db    *DB
	text  string
	table schemas.Table // of the columns that the condition reads
	keep  []bool
	numbered
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
	if err := f.db.Condition(ctx, dir, Named{SQL: f.text}); err != nil {
		return err
	}
	statements, err := f.db.parse(ctx, "SELECT "+f.text)
	if err != nil {
		return err
	}
	used := map[string]bool{}
	syntax.Walk(statements[0], func(n syntax.Tree) {
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
	name, known := sqlTypes[t]
	if !known {
		return "", fmt.Errorf("a filter over a column of type %v", t)
	}
	return name, nil
}

var sqlTypes = map[schemas.Type]string{
	schemas.String: "VARCHAR", schemas.Int16: "SMALLINT", schemas.Int32: "INTEGER", schemas.Int64: "BIGINT",
	schemas.Float32: "FLOAT", schemas.Float64: "DOUBLE", schemas.StringMap: "MAP(VARCHAR, VARCHAR)",
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
	if fresh, few := f.numbers(all); few {
		keep, err := f.evaluate(ctx, []*columns.Batch{fresh})
		if err != nil {
			f.many = true // no verdicts on these
			return nil, err
		}
		for i := range fresh.Rows {
			f.verdicts = append(f.verdicts, keep.Has(i))
		}
		for _, i := range f.of {
			f.keep = append(f.keep, f.verdicts[i])
		}
		return f.keep, nil
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

// numbered has the numbers of one column of which a Filter has verdicts.
type numbered struct {
	many     bool // there are too many
	seen     map[uint64]int32
	null     int32 // one more than the number of null; 0: not seen
	verdicts []bool
	recent   [1 << 10]struct { // numbers seen, by their hashes
		key   uint64
		after int32 // one more than the number; 0: none
	}
	of []int32 // number of each row
}

// numbers returns a row for each new number of the one column that the condition reads, and writes to f.of the number of each row of
// the batches, which count from 0 over all calls. few is false if the column is none of numbers, there are others, or the numbers are
// too many.
func (f *Filter) numbers(all []*columns.Batch) (fresh *columns.Batch, few bool) {
	if c := f.table.Columns; f.many || len(c) != 1 || c[0].Type != schemas.Float64 && c[0].Type != schemas.Int64 && c[0].Type != schemas.Int32 {
		return nil, false
	}
	if f.seen == nil {
		f.seen = map[uint64]int32{}
	}
	f.of = f.of[:0]
	fresh = columns.NewBatch(f.table)
	add := func(from *columns.Vec, row int) int32 {
		fresh.Cols[0].AppendFrom(from, row)
		fresh.Rows++
		return int32(len(f.verdicts) + fresh.Rows)
	}
	for _, b := range all {
		from := b.Col(f.table.Columns[0].Name)
		for row := range b.Rows {
			if from.IsNull(row) {
				if f.null == 0 {
					f.null = add(from, row)
				}
				f.of = append(f.of, f.null-1)
				continue
			}
			key := from.Bits(row)
			at := &f.recent[key*splitmix.Golden>>54]
			if at.key != key || at.after == 0 {
				after := f.seen[key]
				if after == 0 {
					if len(f.verdicts)+fresh.Rows >= mostNumbers {
						f.many = true
						return nil, false
					}
					after = add(from, row)
					f.seen[key] = after
				}
				at.key, at.after = key, after
			}
			f.of = append(f.of, at.after-1)
		}
	}
	return fresh, true
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
