package study

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/base64"
	"encoding/csv"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kifu/internal/pattern"
	"kifu/internal/step"
	"kifu/internal/table"
)

// page is the study as a reader sees it, in one file: what its commands said, in the
// order of the steps, with their pictures.
//
// It is not made as the page of kifu report all, which has reports in memory, with views and a script: it reads files that runs have left,
// of any age and by any command, and what commands printed.
type page struct {
	Title    string
	About    []string
	Sections []section
	Tool     string
	Study    string   // name of the file
	Lines    []string // of the commands
	Missing  []string // runs that are not done, with the reason
}

// section is a step; Results are its runs that have something to show.
type section struct {
	Name, Title string
	About       []string
	Results     []result
}

// result holds the output of one run.
type result struct {
	table.Document
	Swept    string
	Pictures []picture
	Text     string // what the command printed, if it is no table
	Files    []file
}

// manyRows are more than a page opens with.
const manyRows = 12

func long(t table.Table) bool { return len(t.Rows) > manyRows }

type picture struct {
	Data template.URL
	Alt  string
}

type file struct{ Name, Path string }

//go:embed page.html
var pageTemplate string

// WritePage writes index.html into the directory of the outputs: pictures and tables of each
// finished run with reports or printed tables, the study's texts, and the commands. It names the
// runs that are not done and the steps left out. It returns the file's path, "" if there is nothing
// to show. tool names the program and its version.
func (s *Study) WritePage(all []Outcome, tool string) (string, error) {
	out, err := s.Dir()
	if err != nil {
		return "", err
	}
	where := s.ground(out)
	out = s.local(out)
	p := page{Title: s.Title, About: paragraphs(s.About), Tool: tool, Study: filepath.Base(s.Path)}
	p.Title = cmp.Or(p.Title, strings.TrimSuffix(p.Study, filepath.Ext(p.Study)))
	for i := range s.Steps {
		of := &s.Steps[i]
		c := section{Name: of.Name, Title: of.Title, About: paragraphs(of.About)}
		c.Title = cmp.Or(c.Title, of.Name)
		for _, o := range all {
			r := o.Run
			if r.Step != of {
				continue
			}
			p.Lines = append(p.Lines, step.Line(r.Work.Words()))
			if o.Status != Done {
				p.Missing = append(p.Missing, o.missing())
				continue
			}
			found, err := r.results(located(r.Base, out))
			if err != nil {
				return "", err
			}
			c.Results = append(c.Results, found...)
		}
		if len(c.Results) > 0 {
			p.Sections = append(p.Sections, c)
		}
	}
	if len(p.Sections) == 0 {
		return "", nil
	}
	for _, left := range s.Left {
		name, why, _ := strings.Cut(left, ": ")
		p.Missing = append(p.Missing, name+": left out, "+why)
	}
	t, err := template.New("page").Funcs(template.FuncMap{"long": long, "pieces": table.Pieces}).Parse(pageTemplate)
	if err != nil {
		return "", err
	}
	name := filepath.Join(located(filepath.Dir(s.Path), out), "index.html")
	f, err := create(where, name)
	if err != nil {
		return "", err
	}
	return name, f.install(t.Execute(f, p))
}

// missing returns the reason why a run is not done.
func (o Outcome) missing() string {
	switch {
	case o.Err != nil:
		why, _, _ := strings.Cut(o.Err.Error(), "\n")
		return o.Run.Name() + ": failed, " + why
	case o.Said != "":
		return o.Run.Name() + ": " + o.Said
	}
	return o.Run.Name() + ": not run, the study was stopped"
}

// results reads what r made: a result for each report in its dataset, and what it printed.
func (r *Run) results(out string) ([]result, error) {
	var all []result
	swept := strings.ReplaceAll(variant(r.Swept), ",", ", ")
	if r.Dir != "" && !Remote(r.Dir) {
		dir := located(r.Base, r.Dir)
		names, err := fs.Glob(os.DirFS(dir), "*.md")
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			base := filepath.Join(dir, strings.TrimSuffix(name, ".md"))
			c := result{Swept: swept}
			if c.Document, err = readDocument(base + ".json"); err != nil {
				return nil, err
			}
			if err := c.addFiles(out, base); err != nil {
				return nil, err
			}
			all = append(all, c)
		}
	}
	if r.File == "" {
		return all, nil
	}
	text, err := os.ReadFile(located(r.Base, r.File))
	if err != nil {
		return nil, err
	}
	c := result{Swept: swept}
	switch {
	case len(r.Printed) > 0:
		c.Tables = r.Printed
	case filepath.Ext(r.File) == ".csv":
		rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.File, err)
		}
		c.Tables = append(c.Tables, newTable(rows))
	default:
		c.Text = string(text)
	}
	c.Files = []file{{strings.TrimPrefix(filepath.Ext(r.File), "."), relative(out, located(r.Base, r.File))}}
	return append(all, c), nil
}

// readDocument reads the tables that a report wrote as data.
func readDocument(name string) (table.Document, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return table.Document{}, fmt.Errorf("%w: an earlier kifu made this dataset: remove it, and run the study again", err)
	}
	if err != nil {
		return table.Document{}, err
	}
	d, err := table.ParseDocument(data)
	if err != nil {
		return d, fmt.Errorf("%s: %w", name, err)
	}
	return d, nil
}

// newTable makes a table of the rows of a CSV file, the first of which is the head; columns of numbers
// are aligned to the right.
func newTable(rows [][]string) table.Table {
	var t table.Table
	if len(rows) == 0 {
		return t
	}
	t.Rows = rows[1:]
	for i, name := range rows[0] {
		words := slices.ContainsFunc(t.Rows, func(row []string) bool { return !number().MatchString(row[i]) })
		t.Head = append(t.Head, table.Cell{Text: name, Number: !words})
	}
	return t
}

var number = pattern.Of(`^([-+−]?[0-9][0-9,.]*([eE][-+]?[0-9]+)?( ?%)?)?$`)

// fileKinds are the kinds of a report's files that a page links to.
var fileKinds = []file{{"picture as PDF", ".pdf"}, {"as PNG", ".png"}, {"numbers as CSV", ".csv"}, {"LaTeX", ".tex"}, {"query", ".sql"}}

// addFiles adds the pictures of a report, and refers to its other files. base is the
// path without the ending.
func (c *result) addFiles(out, base string) error {
	dir := filepath.Dir(base)
	more, err := fs.Glob(os.DirFS(dir), "*.svg")
	if err != nil {
		return err
	}
	more = slices.DeleteFunc(more, func(name string) bool { return !strings.HasPrefix(name, filepath.Base(base)+"-") })
	for _, name := range slices.Insert(more, 0, filepath.Base(base)+".svg") {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return err
		}
		c.Pictures = append(c.Pictures, picture{template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(data)), c.Title})
	}
	if _, err := os.Stat(filepath.Join(dir, "index.html")); err == nil {
		c.Files = append(c.Files, file{"page of this report, to point at and to choose", relative(out, filepath.Join(dir, "index.html"))})
	}
	for _, k := range fileKinds {
		if _, err := os.Stat(base + k.Path); err == nil {
			c.Files = append(c.Files, file{k.Name, relative(out, base+k.Path)})
		}
	}
	return nil
}

// relative is a file as a page in out refers to it.
func relative(out, name string) string {
	rel, err := filepath.Rel(out, name)
	if err != nil {
		return filepath.ToSlash(name)
	}
	return filepath.ToSlash(rel)
}

// paragraphs are the texts between empty lines.
func paragraphs(text string) []string {
	var all []string
	for _, p := range strings.Split(text, "\n\n") {
		p = strings.Join(strings.Fields(p), " ")
		if p != "" {
			all = append(all, p)
		}
	}
	return all
}
