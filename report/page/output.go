package page

import (
	"cmp"
	"fmt"
	"strings"

	"kifu/datasets/manifest"
	"kifu/internal/human"
	"kifu/internal/table"
	"kifu/report/chart"
	"kifu/report/numbers"
)

// WritePicture puts a further picture's files next to the others. The parts of a look for the first
// picture alone, title and limits, do not apply to it.
func WritePicture(out Output, name string, c chart.Picture) error {
	report, rest, _ := strings.Cut(name, "-")
	paper := out.Paper(report)
	paper.Prefix += "-" + rest
	look := &paper.Look
	if look.Title != nil && *look.Title != "" {
		look.Title = nil
	}
	look.X, look.Y = nil, nil
	return writePicture(out, name, c, paper)
}

// writePicture writes a picture, its caption, its numbers and the programs that draw it again. Its label is
// the prefix of the paper.
func writePicture(out Output, name string, c chart.Picture, paper Paper) error {
	printed, err := c.Print(paper.Look)
	if err != nil {
		return fmt.Errorf("drawing %s: %w", name, err)
	}
	again := c.Recipe(out.ReportName(name+"-plot"), paper.Look)
	for _, f := range []struct {
		end  string
		data []byte
	}{
		{".svg", printed.SVG}, {".pdf", printed.PDF}, {".png", printed.PNG}, {"-figure.tex", []byte(figure(out.ReportName(name), c, paper))},
		{"-plot.csv", again.CSV}, {"-plot.py", again.Python}, {"-plot.R", again.R},
	} {
		if err := out.AddFile(name+f.end, f.data); err != nil {
			return err
		}
	}
	return nil
}

// columnWidth is the width, in millimetres, above which a picture goes over both columns of a paper of two.
const columnWidth = 100

// figure is the picture as a float of LaTeX, with its caption.
func figure(name string, c chart.Picture, paper Paper) string {
	environment, width, look := "figure", "[width=\\linewidth]", paper.Look
	if paper.Columns != 1 && (look.Width == 0 || look.Width > columnWidth) {
		environment = "figure*"
	}
	if look.Width != 0 {
		width = ""
	}
	title, subtitle := c.Titles()
	caption := title
	for _, line := range strings.Split(subtitle, "\n") {
		if line = strings.TrimRight(line, ". "); line != "" {
			caption = strings.TrimRight(caption, ". ") + ". " + human.Capital(line)
		}
	}
	return fmt.Sprintf("%% needs \\usepackage{graphicx}, and \\graphicspath{{DIRECTORY/}} where the picture is in another directory than the paper\n"+
		"\\begin{%[1]s}\n\\centering\n\\includegraphics%[2]s{%[3]s.pdf}\n\\caption{%[4]s.}\\label{fig:%[5]s}\n\\end{%[1]s}\n",
		environment, width, name, table.EscapeLaTeX(strings.TrimRight(caption, ". ")), paper.Prefix)
}

// Files takes the files of a report and its manifest's metadata: a datasets.Builder.
type Files interface {
	AddFile(name string, data []byte) error
	AddCounts(manifest.Counts)
	SetMeta(key, value string)
	Key() string // of the dataset
}

// Output receives a report's files, and its page, which is alone or joined with other reports' pages.
type Output interface {
	Files
	AddPage(Section) error
	// ReportName is a report's name in the output: opening, opening-2.
	ReportName(name string) string
	// Paper is how a report of the name is made for a paper.
	Paper(name string) Paper
}

// Paper reports how the tables and pictures of reports are made for a paper; the zero value is the usual
// form. The page has them as ever.
type Paper struct {
	table.Paper
	Look chart.Look `json:"look,omitzero"`
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

// Write puts the files of a report next to each other, in a fixed order.
func Write(out Output, name string, p Section, c chart.Picture, csv string) error {
	p.Name = name
	if err := out.AddPage(p); err != nil {
		return err
	}
	if err := writePicture(out, name, c, out.Paper(name)); err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		data []byte
	}{
		{name + ".csv", []byte(csv)},
		{name + ".json", p.Document.JSON()},
		{name + ".md", []byte(p.Document.Markdown())}, {name + ".sql", []byte(p.SQL)},
	} {
		if err := out.AddFile(f.name, f.data); err != nil {
			return err
		}
	}
	if err := WriteNumbers(out, name, p.Document); err != nil {
		return err
	}
	return writeTables(out, name, p.Document)
}

// WriteNumbers writes the numbers of the tables by name, as macros for LaTeX and as JSON.
func WriteNumbers(out Output, name string, d table.Document) error {
	prefix := out.Paper(name).Prefix
	f := numbers.File{Key: out.Key(), Prefix: prefix, Numbers: numbers.Of(d, name, prefix)}
	if err := out.AddFile(name+numbers.FileEnd+".json", f.JSON()); err != nil {
		return err
	}
	return out.AddFile(name+numbers.FileEnd+".tex", f.Macros())
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
