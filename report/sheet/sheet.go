// Package sheet has what reports of one query have in common: it attaches datasets as views,
// fills in and runs the query of a template, reads its rows by the names of their columns, and
// writes the page, the picture, the tables and the printed summary made of them.
//
// It depends on no report: each report decides which datasets go together, its query and the texts of
// its tables.
package sheet

import (
	"bytes"
	"context"
	html "html/template"
	"math"
	"slices"
	"strings"
	"text/template"

	"kifu/datasets"
	"kifu/internal/human"
	"kifu/internal/table"
	"kifu/query"
	"kifu/report/chart"
	"kifu/report/page"
	"kifu/schemas"
)

// Sheet is a report of one query: its text, tables, picture and printed summary.
type Sheet struct {
	Name    string // of the files
	Text    table.Document
	Chart   *chart.Chart
	SQL     string
	Rows    *query.Result
	Inputs  []string
	Read    int64
	Boards  html.HTML // of positions, for the page (report/examples)
	Printed []int     // tables of Text that are printed when the report is made
}

// Write puts the page, the picture and the tables into out; NAME.txt is the printed summary.
func (s *Sheet) Write(out page.Output) error {
	csv, err := TypedCSV(out, s.Name, s.Rows)
	if err != nil {
		return err
	}
	out.AddCounts(datasets.Counts{Read: s.Read})
	err = page.Write(out, s.Name, page.Section{
		Document: s.Text, Legend: s.Chart.Legend(), Picture: s.Chart.SVG(human.Number), SQL: s.SQL, Inputs: s.Inputs, Examples: s.Boards,
	}, s.Chart, csv)
	if err != nil {
		return err
	}
	return out.AddFile(s.Name+".txt", []byte(s.Summary()))
}

// Summary is the text printed when the report is made: the lead and the tables of Printed.
func (s *Sheet) Summary() string {
	text := "  " + s.Text.Lead + "\n"
	for _, i := range s.Printed {
		text += "\n" + s.Text.Tables[i].Caption + "\n" + s.Text.Tables[i].Plain()
	}
	return text
}

// TypedCSV is a result as NAME.csv of out. A column of numbers in which no cell has a value would be
// read as texts: its type is noted in the manifest, from where query.Attach takes it.
func TypedCSV(out page.Output, name string, r *query.Result) (string, error) {
	rows, err := r.All()
	if err != nil {
		return "", err
	}
	var types []string
	for i, c := range r.Columns {
		typ := c.Type
		if len(rows) == 0 || !query.IsNumber(typ) || slices.ContainsFunc(rows, func(row []any) bool { return row[i] != nil }) {
			continue
		}
		if strings.HasPrefix(typ, "DECIMAL") {
			typ = "DOUBLE"
		}
		types = append(types, c.Name+" "+typ)
	}
	if len(types) > 0 {
		out.SetMeta(query.TypesOf+name+".csv", strings.Join(types, ","))
	}
	return CSV(query.NewResult(r.Columns, rows))
}

// CSV writes a result as CSV.
func CSV(r *query.Result) (string, error) {
	write, err := query.Writer("csv")
	if err != nil {
		return "", err
	}
	var text strings.Builder
	err = write(&text, r)
	return text.String(), err
}

// Cells returns numbers as cells of a row: null for those that are not finite.
func Cells(numbers ...float64) []any {
	cells := make([]any, len(numbers))
	for i, x := range numbers {
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			cells[i] = x
		}
	}
	return cells
}

// NewTemplate is the template of a query, in which {{decided}} is schemas.Decided.
func NewTemplate(name string) *template.Template {
	return template.New(name).Funcs(template.FuncMap{"decided": func() int { return schemas.Decided }})
}

// Fill fills in the query's template.
func Fill(name, text string, data any) (string, error) {
	t, err := NewTemplate(name).Parse(text)
	if err == nil {
		err = ParseClusters(t)
	}
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = t.Execute(&out, data)
	return out.String(), err
}

// Ask returns what run makes with a database that uses so many threads (0: one a processor), and that ends with it.
func Ask[R any](ctx context.Context, threads int, run func(db *query.DB) (R, error)) (made R, err error) {
	db, err := query.Open(ctx, query.Options{Threads: threads})
	if err != nil {
		return made, err
	}
	defer db.Close()
	return run(db)
}

// Run fills in the query's template, runs it and keeps its rows.
func Run(ctx context.Context, db *query.DB, name, text string, data any) (sql string, rows []Fields, result *query.Result, err error) {
	if sql, err = Fill(name, text, data); err != nil {
		return "", nil, nil, err
	}
	result, err = db.Query(ctx, sql)
	if err != nil {
		return "", nil, nil, err
	}
	rows, result, err = Keep(result)
	return sql, rows, result, err
}

// Keep reads the rows of a result.
func Keep(result *query.Result) (rows []Fields, kept *query.Result, err error) {
	all, err := result.All()
	if err != nil {
		return nil, nil, err
	}
	rows = make([]Fields, len(all))
	for i, row := range all {
		rows[i] = Fields{result.Columns, row}
	}
	return rows, query.NewResult(result.Columns, all), nil
}
