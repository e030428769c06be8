// Package sheet has the common parts of reports with one query. It attaches datasets as views, runs the query
// of a template, and reads its rows by column name. It writes the page, picture, tables and printed summary.
//
// It depends on no report: each report decides which datasets go together, its query and the texts of
// its tables.
package sheet

import (
	"bytes"
	"cmp"
	"context"
	html "html/template"
	"math"
	"slices"
	"strings"
	"text/template"

	"kifu/datasets/manifest"
	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/internal/progress"
	"kifu/internal/table"
	"kifu/query"
	"kifu/query/format"
	"kifu/report/chart"
	"kifu/report/page"
	"kifu/schemas"
)

// Sheet is a report: its text, tables and pictures, and the result that they are made of.
type Sheet struct {
	Name    string // of the files
	Unit    string // of the values, for the manifest; empty: none
	Text    table.Document
	Picture chart.Picture // whose files have the report's name
	Caption string        // of the picture on the page
	Shown   html.HTML     // on the page instead of the picture
	More    []Figure
	Views   []chart.View // of the picture
	Boards  html.HTML    // of positions, for the page (report/examples)
	SQL     string
	Rows    *query.Result
	Inputs  []string
	Read    int64
	Printed []int  // tables of Text that are printed below its lead when the report is made, from NAME.txt
	Summary string // what is printed instead
}

// Figure is a further picture on the page.
type Figure struct {
	Name, Title, Lead string // Name ends the name of the files; none: it has no files
	chart.Picture
}

// FigureOf is a picture under its own title.
func FigureOf(name string, p chart.Picture) Figure {
	title, subtitle := p.Titles()
	return Figure{name, title, human.Capital(subtitle) + ".", p}
}

// Make writes the report that run makes with a database.
func Make[R interface{ Sheet() *Sheet }](ctx context.Context, threads int, out page.Output, run func(db *query.DB) (R, error)) error {
	made, err := Ask(ctx, threads, run)
	if err != nil {
		return err
	}
	return made.Sheet().Write(out)
}

// Write puts the page, the pictures, the tables and what is printed into out.
func (s *Sheet) Write(out page.Output) error {
	csv, err := typedCSV(out, s.Name, s.Rows)
	if err != nil {
		return err
	}
	if out.AddCounts(manifest.Counts{Read: s.Read}); s.Unit != "" {
		out.SetMeta("unit", s.Unit)
	}
	p := page.Section{Document: s.Text, Caption: s.Caption, Legend: s.Picture.Legend(), Picture: s.Picture.SVG(), SQL: s.SQL, Inputs: s.Inputs, Examples: s.Boards, Views: s.Views}
	if s.Shown != "" {
		p.Legend, p.Picture = nil, s.Shown
	}
	for _, f := range s.More {
		p.More = append(p.More, page.Section{Document: table.Document{Title: f.Title, Lead: f.Lead}, Legend: f.Legend(), Picture: f.SVG()})
		if f.Name == "" {
			continue
		}
		if err := page.WritePicture(out, s.Name+"-"+f.Name, f.Picture); err != nil {
			return err
		}
	}
	if err := page.Write(out, s.Name, p, s.Picture, csv); err != nil || s.Printed == nil && s.Summary == "" {
		return err
	}
	return out.AddFile(s.Name+".txt", []byte(cmp.Or(s.Summary, s.Text.Plain(s.Printed...))))
}

// typedCSV is a result as NAME.csv of out. A column of numbers without any value would be read as text, so
// its type is noted in the manifest, where query.Attach finds it.
func typedCSV(out page.Output, name string, r *query.Result) (string, error) {
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
	write, err := format.Writer("csv")
	if err != nil {
		return "", err
	}
	var text strings.Builder
	err = write(&text, r)
	return text.String(), err
}

// Result returns rows with these columns, a type and the names of its columns each: "DOUBLE low high". Numbers that are not
// finite become null.
func Result(rows [][]any, columns ...string) *query.Result {
	var all []query.Column
	for _, some := range columns {
		names := strings.Fields(some)
		all = append(all, lists.Of(names[1:], func(name string) query.Column { return query.Column{Name: name, Type: names[0]} })...)
	}
	for _, row := range rows {
		for i, v := range row {
			if x, is := v.(float64); is && (math.IsNaN(x) || math.IsInf(x, 0)) {
				row[i] = nil
			}
		}
	}
	return query.NewResult(all, rows)
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
	return RunFound(ctx, db, name, text, data, data)
}

// RunFound is Run where found has found already what the published query finds, with the same rows.
func RunFound(ctx context.Context, db *query.DB, name, text string, published, found any) (sql string, rows []Fields, result *query.Result, err error) {
	if sql, err = Fill(name, text, published); err != nil {
		return "", nil, nil, err
	}
	run, err := Fill(name, text, found)
	if err != nil {
		return "", nil, nil, err
	}
	defer progress.Phase(ctx, strings.TrimSuffix(name, ".sql")+": query").Done()
	result, err = db.Query(ctx, run)
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
