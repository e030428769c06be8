package report

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"kifu/datasets"
	"kifu/query"
)

// sheet is a report of one query: what it says, draws and prints.
type sheet struct {
	Name    string // of the files
	Text    document
	Chart   *chart
	SQL     string
	Rows    *query.Result
	Inputs  []string
	Read    int64
	Printed []int // tables of Text that are printed when the report is made
}

// write puts everything that s has to say into out; NAME.txt is what is printed.
func (s *sheet) write(out Output) error {
	csv, err := render("csv", s.Rows)
	if err != nil {
		return err
	}
	out.AddCounts(datasets.Counts{Read: s.Read})
	err = write(out, s.Name, page{
		Document: s.Text, Legend: s.Chart.legend(), Picture: s.Chart.svg(plainNumber), SQL: s.SQL, Inputs: s.Inputs,
	}, s.Chart, csv)
	if err != nil {
		return err
	}
	text, err := s.summary()
	if err != nil {
		return err
	}
	return out.AddFile(s.Name+".txt", []byte(text))
}

func (s *sheet) summary() (string, error) {
	text := "  " + s.Text.Lead + "\n"
	for _, i := range s.Printed {
		t := s.Text.Tables[i]
		rows, err := render("table", t.result())
		if err != nil {
			return "", err
		}
		text += "\n" + t.Caption + "\n" + rows
	}
	return text, nil
}

// runTemplate fills in the query's template, runs it and keeps its rows.
func runTemplate(ctx context.Context, db *query.DB, name, text string, data any) (sql string, rows []fields, result *query.Result, err error) {
	t, err := template.New(name).Parse(text)
	if err != nil {
		return "", nil, nil, err
	}
	var out bytes.Buffer
	if err := t.Execute(&out, data); err != nil {
		return "", nil, nil, err
	}
	result, err = db.Query(ctx, out.String())
	if err != nil {
		return "", nil, nil, err
	}
	all, err := result.All()
	if err != nil {
		return "", nil, nil, err
	}
	for _, row := range all {
		rows = append(rows, fields{result.Columns, row})
	}
	return out.String(), rows, query.NewResult(result.Columns, all), nil
}

// contender is a column of values of a dataset: one evaluator, by one search.
type contender struct {
	Index        int
	Source, Name string // the dataset; what the report calls it
	Column       string
	View, Value  string // as SQL
	Phase        string // column of the phase, as SQL
	Key          string
	Rows         int64
}

// Quoted is the name as an SQL text.
func (c contender) Quoted() string { return quoteText(c.Name) }

// contenders attaches the datasets and takes the columns named, or the one that each
// dataset names as its last search.
func contenders(ctx context.Context, db *query.DB, in []*datasets.Dir, sources, columns []string, table string) ([]contender, error) {
	if len(in) == 0 || len(in) != len(sources) {
		return nil, fmt.Errorf("%d datasets for %d names", len(in), len(sources))
	}
	names, err := attach(ctx, db, in, sources, table)
	if err != nil {
		return nil, err
	}
	var all []contender
	for i, d := range in {
		if d.Table.Index("occurrences") >= 0 {
			return nil, dataErrorf("%s holds distinct positions (transform --dedup), which stand for many games: this report tells games apart", d.Path)
		}
		of := columns
		if len(of) == 0 {
			leaf := d.Manifest.Meta["leaf"]
			if leaf == "" {
				return nil, dataErrorf("%s does not say which column is the evaluation: name one with --value", d.Path)
			}
			of = []string{leaf}
		}
		for _, column := range of {
			typ, err := db.Expression(ctx, d, query.Named{Name: "value", SQL: query.QuoteName(column)})
			if err != nil {
				return nil, err
			}
			if !query.IsNumber(typ) {
				return nil, dataErrorf("%s: column %s is %s, and no evaluation: name a column of numbers with --value", d.Path, column, typ)
			}
			name := strings.ReplaceAll(column, "_", " ")
			switch {
			case len(in) > 1 && len(of) > 1:
				name = names[i] + ", " + name
			case len(in) > 1 || len(of) == 1:
				name = names[i]
			}
			all = append(all, contender{
				Index: len(all), Source: names[i], Name: name, Column: column, View: query.QuoteName(names[i]), Value: query.QuoteName(column),
				Phase: phaseOf(d), Key: d.Manifest.Key, Rows: d.Rows(),
			})
		}
	}
	return all, nil
}

// phaseOf is the column of the position's phase, or where the game has none of the
// leaf's.
func phaseOf(d *datasets.Dir) string {
	if d.Table.Index("phase") >= 0 {
		return "phase"
	}
	return "leaf_phase"
}

// bands cuts whole numbers into bands of equal width.
type bands struct{ First, Width int64 }

// phaseBands are at most six bands of the phases that there are.
func phaseBands(ctx context.Context, db *query.DB, all []contender) (bands, error) {
	var selects []string
	for _, c := range all {
		selects = append(selects, fmt.Sprintf("SELECT min(%s)::BIGINT AS low, max(%s)::BIGINT AS high FROM %s", c.Phase, c.Phase, c.View))
	}
	r, err := db.Query(ctx, "SELECT coalesce(min(low), 0) AS low, coalesce(max(high), 0) AS high FROM ("+strings.Join(selects, " UNION ALL ")+")")
	if err != nil {
		return bands{}, err
	}
	rows, err := r.All()
	if err != nil {
		return bands{}, err
	}
	f := fields{r.Columns, rows[0]}
	low, high := f.whole("low"), f.whole("high")
	return bands{low, (high-low)/6 + 1}, nil
}

// inputsOf names the datasets of a report in its footer.
func inputsOf(all []contender, one, many string) (inputs []string, read int64) {
	for _, c := range all {
		line := fmt.Sprintf("%s: %s, key %s", c.Source, plural(c.Rows, one, many), c.Key[:min(16, len(c.Key))])
		if !slices.Contains(inputs, line) {
			inputs, read = append(inputs, line), read+c.Rows
		}
	}
	return inputs, read
}

// sourceNames are the names of the datasets, each once.
func sourceNames(all []contender) []string {
	var names []string
	for _, c := range all {
		if !slices.Contains(names, c.Source) {
			names = append(names, c.Source)
		}
	}
	return names
}
