// Package format writes the rows of a query: as text, CSV, JSON, Markdown, LaTeX, Arrow or Parquet.
//
// In: a result of package query, or a statement. Out: its bytes in a format. It does not look at what the rows mean.
package format

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"kifu/internal/edits"
	"kifu/internal/lists"
	"kifu/internal/table"
	"kifu/query"
)

// Parquet is the format that only Write knows: DuckDB writes the rows itself.
const Parquet = "parquet"

// Write runs one SELECT statement and writes its rows in a format of Writer, or as a Parquet file
// with DuckDB's column types. An unknown format is an error before anything is queried.
func Write(ctx context.Context, db *query.DB, text, format string, w io.Writer) error {
	if format == Parquet {
		return db.WriteParquet(ctx, text, w)
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

// Func prints a result and closes it.
type Func func(w io.Writer, r *query.Result) error

// Writer returns the renderer of that name:
//
//	table     aligned by spaces, for a terminal; nulls as NULL, six significant digits
//	csv       with a header; a null is an empty field
//	json      a list of objects, one a line; NaN and infinities are null
//	markdown  a table as GitHub shows it
//	latex     a tabular with booktabs rules
//	arrow     an uncompressed Arrow IPC stream
//
// table, markdown and latex write fractions at six significant digits, the others
// exactly. table needs the whole result in memory.
func Writer(format string) (Func, error) {
	switch format {
	case "table":
		return asTable("NULL", table.WritePlain), nil
	case "csv":
		return writeCSV, nil
	case "json":
		return writeJSON, nil
	case "markdown":
		return asTable("", table.WriteMarkdown), nil
	case "latex":
		return asTable("--", table.WriteLaTeX), nil
	case "arrow":
		return writeArrow, nil
	}
	if format == Parquet {
		return nil, errors.New("rows that are no statement's have no Parquet form: use Write")
	}
	return nil, Check(format)
}

// Names returns the names that Write takes.
func Names() []string {
	return []string{"table", "csv", "json", "markdown", "latex", "arrow", Parquet}
}

// Check returns the error for a format that Write does not know, with the nearest
// one.
func Check(format string) error {
	if slices.Contains(Names(), format) {
		return nil
	}
	if near, ok := edits.Nearest(format, Names()); ok {
		return fmt.Errorf("no format %s: did you mean %s?", format, near)
	}
	return fmt.Errorf("no format %s; there is %s", format, strings.Join(Names(), ", "))
}

// texts gives the rows of r to a writer of tables, nulls as null.
func texts(r *query.Result, null string) ([]table.Cell, table.Rows) {
	head := lists.Of(r.Columns, func(c query.Column) table.Cell { return table.Cell{Text: c.Name, Number: query.IsNumber(c.Type)} })
	cells := make([]string, len(r.Columns))
	return head, func(line func([]string) error) error {
		return r.Each(func(row []any) error {
			for i, v := range row {
				cells[i] = short(v, r.Columns[i].Type, null)
			}
			return line(cells)
		})
	}
}

// asTable writes rows as a table, nulls as null.
func asTable(null string, write func(io.Writer, []table.Cell, table.Rows) error) Func {
	return func(w io.Writer, r *query.Result) error {
		head, rows := texts(r, null)
		return write(w, head, rows)
	}
}

// Table reads all rows of r into a table with the texts of the format markdown: nulls empty,
// fractions at six significant digits. It closes the result.
func Table(r *query.Result) (table.Table, error) {
	head, rows := texts(r, "")
	t := table.Table{Head: head}
	err := rows(func(cells []string) error {
		t.Rows = append(t.Rows, slices.Clone(cells))
		return nil
	})
	return t, err
}

func writeCSV(w io.Writer, r *query.Result) error {
	out := csv.NewWriter(w)
	cells := lists.Of(r.Columns, func(c query.Column) string { return c.Name })
	if err := out.Write(cells); err != nil {
		return err
	}
	err := r.Each(func(row []any) error {
		for i, v := range row {
			cells[i] = exact(v, r.Columns[i].Type, "")
		}
		return out.Write(cells)
	})
	out.Flush()
	if err != nil {
		return err
	}
	return out.Error()
}

func writeJSON(w io.Writer, r *query.Result) error {
	out := bufio.NewWriter(w)
	var line []byte
	before := "[\n"
	err := r.Each(func(row []any) error {
		line = append(append(line[:0], before...), '{')
		before = ",\n"
		for i, v := range row {
			if i > 0 {
				line = append(line, ',')
			}
			line = append(appendText(line, r.Columns[i].Name), ':')
			line = appendJSON(line, v, r.Columns[i].Type)
		}
		_, err := out.Write(append(line, '}'))
		return err
	})
	if err != nil {
		return err
	}
	if before == "[\n" {
		out.WriteString("[")
	}
	out.WriteString("\n]\n")
	return out.Flush()
}
