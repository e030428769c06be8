package chart

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
	"text/template"

	"kifu/internal/human"
)

// Recipe has the numbers of a picture as CSV, and programs in Python (matplotlib) and R (its own
// graphics) that draw it again from them.
type Recipe struct{ CSV, Python, R []byte }

//go:embed recipe/chart.py
var chartPython string

//go:embed recipe/chart.R
var chartR string

//go:embed recipe/forest.py
var forestPython string

//go:embed recipe/forest.R
var forestR string

// kindSeries, kindLine and kindArea are the kinds of rows in the CSV of a Chart: points with or without
// intervals, points of a line that is not of the data, and an area from low to high.
const kindSeries, kindLine, kindArea = "points", "line", "area"

// recipe holds the data of the templates of both kinds of pictures.
type recipe struct {
	Name, Title, Subtitle, XLabel, YLabel string
	Look                                  Look
	Width, Height, Points                 float64 // inches; of letters
	Family                                string
	XMin, XMax, YMin, YMax                float64
	XTicks, YTicks                        []Tick
	Cross                                 *Point
	Series                                []recipeSeries
	Shaded, Bars                          bool
}

// recipeSeries is how a series is drawn.
type recipeSeries struct {
	Label, Colour, Kind string
	Dash, Glyph         int
	Line                bool // its points are joined
	Legend              bool
	Width               float64 // of the line, in points for letters of ten
}

// Recipe returns the numbers of c and programs that draw it with the look l.
func (c *Chart) Recipe(name string, l Look) Recipe {
	k, p := c.limited(l), newPen(l)
	r := newRecipe(name, l, k.Title, k.Subtitle)
	r.XLabel, r.YLabel, r.XMin, r.XMax, r.YMin, r.YMax, r.XTicks, r.YTicks, r.Cross = k.XLabel, k.YLabel, k.XMin, k.XMax, k.YMin, k.YMax, k.XTicks, k.YTicks, k.Cross
	r.Bars = l.Bands != "none"
	r.Shaded = r.Bars && k.shadedBy(l)
	rows := [][]string{{"kind", "series", "x", "y", "low", "high"}}
	for _, a := range k.Areas {
		r.Series = append(r.Series, recipeSeries{Label: human.Printable(a.Label), Colour: p.code(a.Colour), Kind: kindArea})
		for i, low := range a.Low {
			rows = append(rows, []string{kindArea, human.Printable(a.Label), exact(low.X), "", exact(low.Y), exact(a.High[i].Y)})
		}
	}
	for i := range k.Series {
		s := &k.Series[i]
		one := p.recipe(s)
		r.Series = append(r.Series, one)
		for _, q := range s.Points {
			row := []string{one.Kind, one.Label, exact(q.X), exact(q.Y), "", ""}
			if s.intervals() {
				row[4], row[5] = exact(q.Low), exact(q.High)
			}
			rows = append(rows, row)
		}
	}
	return r.make(rows, chartPython, chartR)
}

// Recipe returns the weights of f and programs that draw them with the look l.
func (f *Forest) Recipe(name string, l Look) Recipe {
	k, p := f.limited(l), newPen(l)
	r := newRecipe(name, l, k.Title, k.Subtitle)
	r.XLabel, r.XMin, r.XMax, r.Bars = k.XLabel, k.XMin, k.XMax, l.Bands != "none"
	if l.Width != 0 && l.Width < smallPicture {
		r.XLabel, _, _ = strings.Cut(r.XLabel, ", ")
	}
	r.Height = 1.2 + k.lineHeight()*float64(k.rows())/72*float64(p.scale)
	rows := [][]string{{"group", "line", "series", "before", "at", "low", "high", "fitted"}}
	for i := range k.Series {
		one := p.recipe(&k.Series[i])
		one.Line = false
		r.Series = append(r.Series, one)
	}
	group := ""
	for _, line := range k.Lines {
		line.Label = human.Printable(line.Label)
		if line.Group != "" {
			group = human.Printable(line.Group)
		}
		before := ""
		if k.showsBefore(line) {
			before = exact(line.Before)
		}
		if len(line.Marks) == 0 {
			rows = append(rows, []string{group, line.Label, "", before, "", "", "", ""})
		}
		for _, m := range line.Marks {
			at := exact(m.At)
			if m.Outside {
				at = ""
			}
			rows = append(rows, []string{group, line.Label, r.Series[m.Series].Label, before, at, exact(m.Low), exact(m.High), strconv.FormatBool(!m.Plain)})
		}
	}
	return r.make(rows, forestPython, forestR)
}

func newRecipe(name string, l Look, title, subtitle string) *recipe {
	r := &recipe{Name: name, Look: l, Width: l.width().Points() / 72, Height: l.height().Points() / 72, Points: l.points()}
	r.Title, r.Subtitle = l.title(title, subtitle)
	r.Family = map[string]string{"serif": "serif", "mono": "monospace"}[l.Font]
	r.Family = cmp.Or(r.Family, "sans-serif")
	return r
}

// recipe is how p draws s.
func (p pen) recipe(s *Series) recipeSeries {
	one := recipeSeries{Label: human.Printable(s.Label), Colour: p.code(s.Colour), Kind: kindSeries, Dash: p.dash(s), Glyph: glyphOf(s), Line: !s.MarksOnly, Legend: len(s.Points) > 0, Width: 1.4}
	if s.MarksOnly {
		one.Glyph = len(glyphs) - 1
	}
	if s.Smooth {
		one.Kind, one.Width = kindLine, 1
	}
	return one
}

// code is a colour as #rrggbb.
func (p pen) code(colour int) string {
	c := p.ink(colour, 255)
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
}

// exact writes a number so that it reads back unchanged; a missing one is empty.
func exact(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// make fills in the programs.
func (r *recipe) make(rows [][]string, python, r4r string) Recipe {
	var data bytes.Buffer
	w := csv.NewWriter(&data)
	if err := w.WriteAll(rows); err != nil {
		panic(err) // a Buffer takes everything
	}
	return Recipe{CSV: data.Bytes(), Python: r.program(python), R: r.program(r4r)}
}

// program fills in a template. Texts are quoted with escapes that Python and R have in common.
func (r *recipe) program(text string) []byte {
	t := template.Must(template.New("").Funcs(template.FuncMap{
		"text": func(s string) string {
			return strconv.QuoteToASCII(human.Printable(strings.ReplaceAll(s, "\n", " · ")))
		},
		"number": func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) },
		"scaled": func(v float64) string { return strconv.FormatFloat(v*r.Points/10, 'g', 4, 64) },
		"python": func(b bool) string { return map[bool]string{true: "True", false: "False"}[b] },
		"R":      func(b bool) string { return map[bool]string{true: "TRUE", false: "FALSE"}[b] },
		"last":   func(i, n int) bool { return i == n-1 },
	}).Parse(text))
	var out bytes.Buffer
	if err := t.Execute(&out, r); err != nil {
		panic(err) // the templates are ours
	}
	return out.Bytes()
}
