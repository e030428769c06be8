package chart

import (
	"errors"
	"fmt"
	"html"
	"html/template"
	"image/color"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"kifu/internal/human"
)

// Forest is a picture of weights with their intervals: one line per weight, one mark per fit. It is
// drawn by hand: gonum/plot has no such chart, and its error bars neither cut an interval that
// leaves the picture nor set the marks of several fits next to each other.
type Forest struct {
	Title, Subtitle string
	XLabel          string
	XMin, XMax      float64
	Series          []Series // names and colours of the fits; no points
	Lines           []Line
	Single          bool // a line has one mark, which is in its middle
}

// Line is a row of the plot: a weight by each fit.
type Line struct {
	Group string // set on the first line of a group
	Label string
	// Before is the weight in the values that were fitted to; it is drawn when it is on
	// the axis and not 0.
	Before float64
	Marks  []Mark
}

// Mark is one estimate with its interval.
type Mark struct {
	Series          int
	At, Low, High   float64 // low and high NaN: no interval
	CutLow, CutHigh bool    // the interval goes beyond the axis
	Outside, Plain  bool    // the weight itself does; it was not fitted, and is drawn as a cross or hollow
	Note            string
}

// Clamp returns the value nearest to v that is within the axis.
func (f *Forest) Clamp(v float64) float64 { return math.Max(f.XMin, math.Min(f.XMax, v)) }

// showsBefore reports whether the weight before has a place in line l.
func (f *Forest) showsBefore(l Line) bool {
	return l.Before != 0 && f.Clamp(l.Before) == l.Before
}

// offset is where the mark of a series is in its line, in lines from the middle.
func (f *Forest) offset(series int) float64 {
	if f.Single {
		return 0
	}
	return (float64(series) - float64(len(f.Series)-1)/2) * 0.62 / float64(max(2, len(f.Series)))
}

// rows is the height in lines, group headings included.
func (f *Forest) rows() int {
	n := len(f.Lines)
	for _, l := range f.Lines {
		if l.Group != "" {
			n++
		}
	}
	return n
}

// lineHeight leaves room for the marks of every fit.
func (f *Forest) lineHeight() float64 { return math.Max(15, 6*float64(len(f.Series))+5) }

// named are the names of the lines, broken where they are wider than two fifths of the picture.
func (f *Forest) named(p pen, width vg.Length) (all [][]string) {
	for _, l := range f.Lines {
		all = append(all, wrap(style(p.plain(9.5), ink), l.Label, width*0.4))
	}
	return all
}

// tall is the height of a line with a name of so many lines, in points for letters of ten.
func (f *Forest) tall(names int) float64 { return math.Max(f.lineHeight(), 11.5*float64(names)+3.5) }

// height returns the height of all lines and headings.
func (f *Forest) height(p pen, width vg.Length) vg.Length {
	sum := float64(f.rows()-len(f.Lines)) * f.lineHeight()
	for _, name := range f.named(p, width) {
		sum += f.tall(len(name))
	}
	return p.pt(sum)
}

// axis is the name of the axis in lines.
func (f *Forest) axis(p pen, width vg.Length) []string {
	return short(style(p.plain(10.5), ink), f.XLabel, width)
}

// Print draws the plot for paper. It is as high as its lines need, and has no vertical axis to limit.
func (f *Forest) Print(l Look) (Printed, error) {
	if l.Y != nil {
		return Printed{}, errors.New("--ylim: this picture has no vertical axis of numbers")
	}
	p, k := newPen(l), f.limited(l)
	margin := printMargin * p.scale
	// The head is as high as its title and legend need: draw it once on nothing.
	probe := draw.New(newPDF(l.width(), printHeight))
	top := k.head(draw.Crop(probe, margin, -margin, margin, -margin), p)
	width := l.width() - 2*margin
	height := probe.Max.Y - top + k.height(p, width) + margin + p.pt(23+13*float64(len(k.axis(p, width))))
	return printAll(l.width(), height, l.Dots(), func(dc draw.Canvas) error { return k.draw(dc, p) })
}

// Titles returns the title and the subtitle of f.
func (f *Forest) Titles() (title, subtitle string) { return f.Title, f.Subtitle }

// limited returns f cut at its limits, or at the limits of l. An interval beyond them leaves an arrow at the edge.
func (f *Forest) limited(l Look) *Forest {
	k := *f
	k.Lines = slices.Clone(f.Lines)
	if l.X != nil {
		k.XMin, k.XMax = l.X[0], l.X[1]
	}
	for i := range k.Lines {
		k.Lines[i].Marks = nil
		for _, m := range f.Lines[i].Marks {
			m.Outside = m.Outside || k.Clamp(m.At) != m.At
			if !math.IsNaN(m.Low) {
				m.CutLow, m.CutHigh = m.CutLow || m.Low < k.XMin, m.CutHigh || m.High > k.XMax
				m.Low, m.High = k.Clamp(m.Low), k.Clamp(m.High)
			}
			k.Lines[i].Marks = append(k.Lines[i].Marks, m)
		}
	}
	return &k
}

// head paints title and legend and returns where the lines begin.
func (f *Forest) head(dc draw.Canvas, p pen) vg.Length {
	top := p.head(dc, f.Title, f.Subtitle)
	if p.look.Legend != "none" {
		top = p.legend(dc, f.Series, top)
	}
	return top - p.pt(8)
}

func (f *Forest) draw(dc draw.Canvas, p pen) error {
	dc.SetColor(color.White)
	dc.Fill(dc.Rectangle.Path())
	margin := printMargin * p.scale
	dc = draw.Crop(dc, margin, -margin, margin, -margin)
	top := f.head(dc, p)
	name := style(p.plain(9.5), ink)
	left, width, names := dc.Min.X, dc.Max.X-dc.Min.X, f.named(p, dc.Max.X-dc.Min.X)
	for _, lines := range names {
		for _, text := range lines {
			left = max(left, dc.Min.X+name.Width(text)+p.pt(20))
		}
	}
	right, bottom := dc.Max.X-p.pt(4), top-f.height(p, width)
	x := func(v float64) vg.Length { return left + vg.Length((v-f.XMin)/(f.XMax-f.XMin))*(right-left) }
	ticks := thin(AxisTicks(f.XMin, f.XMax, 9, human.Number), f.XMin, f.XMax, right-left, p.pt(9.5)*room, name.Width)
	for _, t := range ticks {
		line := draw.LineStyle{Color: rules, Width: p.pt(0.6)}
		if t.At == 0 {
			line.Color = faint
		}
		dc.StrokeLine2(line, x(t.At), bottom, x(t.At), top)
		dc.FillText(name, vg.Point{X: x(t.At) - name.Width(t.Label)/2, Y: bottom - p.pt(13)}, t.Label)
	}
	label := style(p.plain(10.5), ink)
	for i, axis := range f.axis(p, width) {
		dc.FillText(label, vg.Point{X: min(max((left+right)/2-label.Width(axis)/2, dc.Min.X), dc.Max.X-label.Width(axis)), Y: bottom - p.pt(30+13*float64(i))}, axis)
	}
	y := top
	for i, l := range f.Lines {
		if l.Group != "" {
			y -= p.pt(f.lineHeight())
			dc.FillText(style(p.bold(9.5), ink), vg.Point{X: dc.Min.X, Y: y + p.pt(f.lineHeight()/2-4)}, l.Group)
		}
		tall := f.tall(len(names[i]))
		y -= p.pt(tall)
		middle := y + p.pt(tall/2)
		for j, text := range names[i] {
			dc.FillText(name, vg.Point{X: dc.Min.X + p.pt(10), Y: middle + p.pt(11.5*(float64(len(names[i])-1)/2-float64(j))-4)}, text)
		}
		if f.showsBefore(l) {
			half := p.pt(f.lineHeight() * 0.36)
			dc.StrokeLine2(draw.LineStyle{Color: color.NRGBA{0x99, 0x99, 0x99, 0xff}, Width: p.pt(2.5)}, x(l.Before), middle-half, x(l.Before), middle+half)
		}
		for _, m := range l.Marks {
			f.drawMark(dc, p, m, x, middle-p.pt(f.offset(m.Series)*f.lineHeight()))
		}
	}
	return nil
}

func (f *Forest) drawMark(dc draw.Canvas, p pen, m Mark, x func(float64) vg.Length, y vg.Length) {
	s := &f.Series[m.Series]
	line := draw.LineStyle{Color: p.ink(s.Colour, 255), Width: p.pt(1.2)}
	if !math.IsNaN(m.Low) && p.look.Bands != "none" {
		dc.StrokeLine2(line, x(m.Low), y, x(m.High), y)
		for _, end := range []struct {
			cut bool
			at  float64
			dir float64
		}{{m.CutLow, m.Low, 1}, {m.CutHigh, m.High, -1}} {
			if end.cut {
				tip := x(end.at)
				dc.StrokeLines(line, []vg.Point{{X: tip + p.pt(4*end.dir), Y: y + p.pt(2.5)}, {X: tip, Y: y}, {X: tip + p.pt(4*end.dir), Y: y - p.pt(2.5)}})
			}
		}
	}
	if m.Outside {
		return
	}
	g := p.glyph(s)
	if m.Plain {
		g.Shape = draw.CrossGlyph{}
	}
	dc.DrawGlyph(g, vg.Point{X: x(m.At), Y: y})
}

// The width of a letter of a name on the page, and how many letters of a name are shown.
const (
	nameLetter  = 6.9
	mostLetters = 56
)

// SVG draws f for the page.
func (f *Forest) SVG() template.HTML {
	var out strings.Builder
	letters := 0
	for _, l := range f.Lines {
		letters = max(letters, utf8.RuneCountInString(l.Label))
	}
	letters = min(max(letters, 20), mostLetters)
	k := f.limited(Look{})
	k.svgOn(&out, screens[0], letters, 20+nameLetter*float64(letters))
	k.svgOn(&out, screens[1], mostLetters, 22) // half the label of the first tick
	return template.HTML(out.String())
}

func (f *Forest) svgOn(out *strings.Builder, s screen, letters int, left float64) {
	const row, above, below, right = 24.0, 6.0, 46.0, 12.0
	step := math.Max(row, 9*float64(len(f.Series))) // so that the marks of many fits do not touch
	narrow := s.class == "narrow"
	height := above + step*float64(len(f.Lines)) + row*float64(f.rows()-len(f.Lines)) + below
	if narrow {
		height += row * float64(len(f.Lines)) // names go above their marks
	}
	x := func(v float64) float64 { return left + (v-f.XMin)/(f.XMax-f.XMin)*(s.width-left-right) }
	fmt.Fprintf(out, `<svg class="chart %s" viewBox="0 0 %g %g" role="img" aria-label="%s">`+"\n", s.class, s.width, height, html.EscapeString(f.Title))
	for _, t := range AxisTicks(f.XMin, f.XMax, s.ticks, human.Number) {
		class := "grid"
		if t.At == 0 {
			class = "zero"
		}
		fmt.Fprintf(out, `<path class="%s" d="M%s %sV%s"/>`+"\n", class, px(x(t.At)), px(above), px(height-below))
		s.tick(out, x(t.At), height-below+18, t.Label)
	}
	xlabel := f.XLabel
	if narrow {
		xlabel, _, _ = strings.Cut(xlabel, ",")
	}
	fmt.Fprintf(out, `<text class="axis" x="%s" y="%s" text-anchor="middle">%s</text>`+"\n", px((left+s.width-right)/2), px(height-8), html.EscapeString(xlabel))
	y := above
	marks := make([]strings.Builder, len(f.Series))
	for _, l := range f.Lines {
		if l.Group != "" {
			fmt.Fprintf(out, `<text class="group" x="2" y="%s">%s</text>`+"\n", px(y+row*0.7), html.EscapeString(l.Group))
			y += row
		}
		label := y + step/2 + 5
		if narrow {
			label = y + row*0.7
			y += row
		}
		fmt.Fprintf(out, `<text x="12" y="%s">%s</text>`+"\n", px(label), html.EscapeString(shorten(l.Label, letters)))
		if f.showsBefore(l) {
			fmt.Fprintf(out, `<path class="before" d="M%s %sv%s"><title>before: %s</title></path>`+"\n", px(x(l.Before)), px(y+step*0.14), px(step*0.72), human.Weight(l.Before))
		}
		for _, m := range l.Marks {
			f.svgMark(&marks[m.Series], m, x, y+step/2+f.offset(m.Series)*step)
		}
		y += step
	}
	for i := range f.Series {
		fmt.Fprintf(out, `<g class="series k%d" data-series="%d">`+"\n%s</g>\n", f.Series[i].Colour%len(Palette), i, marks[i].String())
	}
	out.WriteString("</svg>\n")
}

// shorten cuts the middle out of a label of more than n letters.
func shorten(label string, n int) string {
	r := []rune(label)
	if len(r) <= n {
		return label
	}
	return string(r[:n/2]) + "…" + string(r[len(r)-n/2+1:])
}

func (f *Forest) svgMark(out *strings.Builder, m Mark, x func(float64) float64, y float64) {
	if !math.IsNaN(m.Low) {
		fmt.Fprintf(out, `<path class="line" d="M%s %sH%s"/>`, px(x(m.Low)), px(y), px(x(m.High)))
		if m.CutLow {
			fmt.Fprintf(out, `<path class="line" d="M%s %sl-5 3.5l5 3.5"/>`, px(x(m.Low)+5), px(y-3.5))
		}
		if m.CutHigh {
			fmt.Fprintf(out, `<path class="line" d="M%s %sl5 3.5l-5 3.5"/>`, px(x(m.High)-5), px(y-3.5))
		}
	}
	class := "dot"
	if m.Plain {
		class = "dot hollow"
	}
	if !m.Outside {
		fmt.Fprintf(out, `<circle class="%s" cx="%s" cy="%s" r="3.5"><title>%s</title></circle>`, class, px(x(m.At)), px(y), html.EscapeString(m.Note))
	}
	out.WriteString("\n")
}
