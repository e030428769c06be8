package page

import (
	"fmt"

	"kifu/datasets"
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
}

// Alone is the output of one report, whose page is index.html.
func Alone(f Files) Output { return alone{f} }

type alone struct{ Files }

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
		{name + ".md", []byte(p.Document.Markdown())}, {name + ".tex", []byte(p.Document.LaTeX(out.ReportName(name)))}, {name + ".sql", []byte(p.SQL)},
	} {
		if err := out.AddFile(f.name, f.data); err != nil {
			return err
		}
	}
	return nil
}
