// Package page writes what a reader sees of a report. index.html has its style, pictures and script
// inside and opens offline. Next to it are pictures, CSV, Markdown, LaTeX and SQL, and the tables
// as JSON. Output is where they go: Alone writes a report of its own, and package report collects
// the pages of several.
package page

import (
	"bytes"
	_ "embed"
	"html/template"

	"kifu/datasets/manifest"
	"kifu/internal/lists"
	"kifu/internal/pattern"
	"kifu/internal/table"
	"kifu/report/chart"
)

// Section is a report as a reader sees it: a page of its own, or a section of one.
type Section struct {
	Name     string // of its files, and the anchor in a page of several
	Document table.Document
	Caption  string // of the picture, when more follow
	Legend   []chart.LegendEntry
	Picture  template.HTML
	SQL      string
	Examples template.HTML // boards of positions (report/examples); empty: none
	Inputs   []string
	More     []Section    // further pictures, each with its title, lead and legend
	Views    []chart.View // what the reader can choose to see in the picture, the one drawn first; none: no choice
}

// Draws and Bins are the choices in the order of the views.
func (p Section) Draws() []string {
	return lists.Distinct(p.Views, func(v chart.View) string { return v.Draws })
}

// Bins returns the kinds of bins that the section has views of, in order.
func (p Section) Bins() []string {
	return lists.Distinct(p.Views, func(v chart.View) string { return v.Bin })
}

//go:embed page.html
var pageTemplate string

// pageScript is kept by hand: a page is one file that opens offline, and 120 lines need no library.
//
//go:embed page.js
var pageScript string

// File is index.html: one self-contained file with style, pictures and script in it.
type File struct {
	Title    string
	Sections []Section
	Contents bool     // a table of contents, and a section a report
	LeftOut  []string // what could not be made, with the reason
	Script   template.JS
	Tool     string
	Palette  [][2]template.CSS
}

func (p Section) html() ([]byte, error) {
	return File{Title: p.Document.Title, Sections: []Section{p}}.HTML()
}

// HTML returns the page as one file that needs no other.
func (f File) HTML() ([]byte, error) {
	t, err := template.New("page.html").Funcs(template.FuncMap{"pieces": table.Pieces, "first": first}).Parse(pageTemplate)
	if err != nil {
		return nil, err
	}
	f.Tool = "kifu " + manifest.Version
	f.Script = template.JS(pageScript)
	for _, c := range chart.Palette {
		f.Palette = append(f.Palette, [2]template.CSS{template.CSS(c[0]), template.CSS(c[1])})
	}
	var out bytes.Buffer
	if err := t.Execute(&out, f); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// sentence is the end of a sentence. A few abbreviations count as ends, so notes are folded a little earlier.
var sentence = pattern.Of(`[.!?]( |$)`)

// first returns how many notes stay open below "How to read it": five sentences, but at least one note. The others are folded.
func first(notes []string) int {
	count := 0
	for i, n := range notes {
		if count += len(sentence().FindAllString(n, -1)); count > 5 && i > 0 {
			return i
		}
	}
	return len(notes)
}
