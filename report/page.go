package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"

	"kifu/datasets"
)

// page is one self-contained HTML file: style, picture and script are in it.
type page struct {
	Document document
	Legend   []legendEntry
	Picture  template.HTML
	SQL      string
	Inputs   []string
	Tool     string
	Palette  [][2]template.CSS
}

type legendEntry struct {
	Number int
	Class  string
	Label  string
}

//go:embed page.html
var pageTemplate string

func (p page) html() ([]byte, error) {
	t, err := template.New("page.html").Parse(pageTemplate)
	if err != nil {
		return nil, err
	}
	p.Tool = "kifu " + datasets.Version
	for _, c := range palette {
		p.Palette = append(p.Palette, [2]template.CSS{template.CSS(c[0]), template.CSS(c[1])})
	}
	var out bytes.Buffer
	if err := t.Execute(&out, p); err != nil {
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

// write puts the files of a report beside each other, in a fixed order.
func write(out *datasets.Builder, name string, p page, c interface {
	print() (printed, error)
}, csv string) error {
	index, err := p.html()
	if err != nil {
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
		{"index.html", index}, {name + ".svg", paper.SVG}, {name + ".pdf", paper.PDF}, {name + ".png", paper.PNG}, {name + ".csv", []byte(csv)},
		{name + ".md", markdown}, {name + ".tex", latex}, {name + ".sql", []byte(p.SQL)},
	} {
		if err := out.AddFile(f.name, f.data); err != nil {
			return err
		}
	}
	return nil
}
