package page

import (
	"cmp"
	"fmt"

	"kifu/datasets"
	"kifu/internal/table"
	"kifu/report/chart"
)

// WritePicture puts a picture's files beside the others.
func WritePicture(out Output, name string, c chart.Picture) error {
	paper, err := c.Print()
	if err != nil {
		return fmt.Errorf("drawing %s: %w", name, err)
	}
	for _, f := range []struct {
		end  string
		data []byte
	}{{".svg", paper.SVG}, {".pdf", paper.PDF}, {".png", paper.PNG}} {
		if err := out.AddFile(name+f.end, f.data); err != nil {
			return err
		}
	}
	return nil
}

// Files takes the files of a report with what its manifest says: a datasets.Builder.
type Files interface {
	AddFile(name string, data []byte) error
	AddCounts(datasets.Counts)
	SetMeta(key, value string)
}

// Output receives what a report writes: its files, and the page, which stands alone or beside
// those of other reports.
type Output interface {
	Files
	AddPage(Section) error
	// ReportName is the name of a report among those of the output: opening, opening-2.
	ReportName(name string) string
	// Paper is how a report of the name is made for a paper.
	Paper(name string) Paper
}

// Paper says how the tables of reports are made for a paper; the zero value is the usual
// form.
type Paper struct {
	table.Paper
}

// Alone is the output of one report, whose page is index.html.
func Alone(f Files) Output { return ForPaper(f, Paper{}) }

// ForPaper is Alone with tables as a paper wants them.
func ForPaper(f Files, p Paper) Output { return alone{f, p} }

type alone struct {
	Files
	paper Paper
}

// Paper has the name of the report as the prefix of labels if there is no other.
func (a alone) Paper(name string) Paper {
	a.paper.Prefix = cmp.Or(a.paper.Prefix, name)
	return a.paper
}

// ReportName returns name: there is one report.
func (a alone) ReportName(name string) string { return name }

// AddPage writes p as index.html.
func (a alone) AddPage(p Section) error {
	index, err := p.html()
	if err != nil {
		return err
	}
	return a.AddFile("index.html", index)
}

// Write puts the files of a report beside each other, in a fixed order.
func Write(out Output, name string, p Section, c chart.Picture, csv string) error {
	p.Name = name
	if err := out.AddPage(p); err != nil {
		return err
	}
	paper, err := c.Print()
	if err != nil {
		return fmt.Errorf("drawing %s: %w", name, err)
	}
	for _, f := range []struct {
		name string
		data []byte
	}{
		{name + ".svg", paper.SVG}, {name + ".pdf", paper.PDF}, {name + ".png", paper.PNG}, {name + ".csv", []byte(csv)},
		{name + ".json", p.Document.JSON()},
		{name + ".md", []byte(p.Document.Markdown())}, {name + ".sql", []byte(p.SQL)},
	} {
		if err := out.AddFile(f.name, f.data); err != nil {
			return err
		}
	}
	return writeTables(out, name, p.Document)
}

// writeTables writes NAME.tex with all tables, and a file for each.
func writeTables(out Output, name string, d table.Document) error {
	paper := out.Paper(name).Paper
	if err := out.AddFile(name+".tex", []byte(d.LaTeX(name, paper))); err != nil {
		return err
	}
	for i, t := range d.Tables {
		file := table.Paper{Prefix: name}.Label(name, t)
		if file == name {
			file += "-table"
		}
		if err := out.AddFile(file+".tex", []byte(d.OneLaTeX(name, paper, i))); err != nil {
			return err
		}
	}
	return nil
}
