package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"slices"

	"kifu/datasets"
)

// page is a report as a reader sees it: a page of its own, or a section of one.
type page struct {
	Name     string // of its files, and the anchor in a page of several
	Document document
	Caption  string // of the picture, when more follow
	Legend   []legendEntry
	Picture  template.HTML
	SQL      string
	Inputs   []string
	More     []page // further pictures, each with its title, lead and legend
	Views    []view // what the reader can choose to see in the picture, the one drawn first; none: no choice
}

// view is the same picture with draws counted in another way, or with other bins.
type view struct {
	Draws  string    `json:"draws"`
	Bin    string    `json:"bin"`
	Labels []string  `json:"labels"` // of the series
	Series [][][]any `json:"series"` // points [x, y, low, high, note]; [x, y] of lines without intervals
}

// Draws and Bins are the choices in the order of the views.
func (p page) Draws() []string { return choices(p.Views, func(v view) string { return v.Draws }) }

func (p page) Bins() []string { return choices(p.Views, func(v view) string { return v.Bin }) }

func choices(views []view, of func(view) string) []string {
	var all []string
	for _, v := range views {
		if !slices.Contains(all, of(v)) {
			all = append(all, of(v))
		}
	}
	return all
}

// view is c as the page's script draws it.
func (c *chart) view(draws, bin string) view {
	v := view{Draws: draws, Bin: bin}
	for _, s := range c.Series {
		v.Labels = append(v.Labels, s.Label)
		points := [][]any{}
		for _, p := range s.Points {
			switch {
			case p.X < c.XMin || p.X > c.XMax:
			case s.Smooth:
				points = append(points, []any{p.X, p.Y})
			default:
				points = append(points, []any{p.X, p.Y, p.Low, p.High, p.Note})
			}
		}
		v.Series = append(v.Series, points)
	}
	return v
}

type legendEntry struct {
	Number int
	Class  string
	Label  string
}

//go:embed page.html
var pageTemplate string

//go:embed page.js
var pageScript string

// pageFile is index.html: one self-contained file with style, pictures and script in it.
type pageFile struct {
	Title    string
	Sections []page
	Contents bool     // a table of contents, and a section a report
	LeftOut  []string // what could not be made, with the reason
	Script   template.JS
	Tool     string
	Palette  [][2]template.CSS
}

func (p page) html() ([]byte, error) {
	return pageFile{Title: p.Document.Title, Sections: []page{p}}.html()
}

func (f pageFile) html() ([]byte, error) {
	t, err := template.New("page.html").Parse(pageTemplate)
	if err != nil {
		return nil, err
	}
	f.Tool = "kifu " + datasets.Version
	f.Script = template.JS(pageScript)
	for _, c := range palette {
		f.Palette = append(f.Palette, [2]template.CSS{template.CSS(c[0]), template.CSS(c[1])})
	}
	var out bytes.Buffer
	if err := t.Execute(&out, f); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// legend has a button a series.
func (c *chart) legend() []legendEntry {
	var all []legendEntry
	for i, s := range c.Series {
		class := className(s.Colour)
		if s.Dash > 0 {
			class += " dashed"
		}
		all = append(all, legendEntry{i, class, s.Label})
	}
	return all
}

// Output is what a report writes to: a datasets.Builder, or the page that All makes of
// several reports.
type Output interface {
	AddFile(name string, data []byte) error
	AddCounts(datasets.Counts)
	SetMeta(key, value string)
}

// write puts the files of a report beside each other, in a fixed order.
func write(out Output, name string, p page, c interface{ print() (printed, error) }, csv string) error {
	p.Name = name
	if err := writePage(out, p); err != nil {
		return err
	}
	paper, err := c.print()
	if err != nil {
		return fmt.Errorf("drawing %s: %w", name, err)
	}
	markdown, err := p.Document.markdown()
	if err != nil {
		return err
	}
	latex, err := p.Document.latex()
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		data []byte
	}{
		{name + ".svg", paper.SVG}, {name + ".pdf", paper.PDF}, {name + ".png", paper.PNG}, {name + ".csv", []byte(csv)},
		{name + ".md", markdown}, {name + ".tex", latex}, {name + ".sql", []byte(p.SQL)},
	} {
		if err := out.AddFile(f.name, f.data); err != nil {
			return err
		}
	}
	return nil
}

func writePage(out Output, p page) error {
	if c, ok := out.(*collection); ok {
		c.add(p)
		return nil
	}
	index, err := p.html()
	if err != nil {
		return err
	}
	return out.AddFile("index.html", index)
}
