package report

import (
	"fmt"
	"html"
	"html/template"
	"image/color"
	"math"
	"sort"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// forest is a picture of weights with their intervals: a line a weight, a mark a fit.
type forest struct {
	Title, Subtitle string
	XLabel          string
	XMin, XMax      float64
	Series          []series // names and colours of the fits; no points
	Lines           []forestLine
	Single          bool // a line has one mark, which stands in its middle
}

type forestLine struct {
	Group string // set on the first line of a group
	Label string
	// Before is the weight in the values that were fitted to; it is drawn when it is on
	// the axis and not 0.
	Before float64
	Marks  []mark
}

type mark struct {
	series         int
	at, low, high  float64 // low and high NaN: no interval
	cutLow, cutUp  bool    // the interval goes beyond the axis
	outside, plain bool    // the weight itself does; it was not fitted, and is drawn as a cross or hollow
	note           string
}

// forestLines is how many weights the picture shows.
const forestLines = 60

// forest chooses the lines of the picture: all, or those with the largest |z| of any
// fit, in the evaluator's order. Few wild intervals do not set the scale of the others:
// what goes beyond 1.5 times the ninth decile of the ends is cut and marked.
func (w *weights) forest() *forest {
	f := &forest{Title: w.title(), XLabel: "weight [" + w.Unit + "], 95 % interval robust to clustering by game"}
	for i, fit := range w.Fits {
		label := fit.Name
		if fit.Method != fit.Name {
			label += " (" + fit.Method + ")"
		}
		f.Series = append(f.Series, series{Label: label, Colour: i + 1, Dash: (i + 1) / len(palette)})
	}
	for i, r := range w.Beside {
		n := len(w.Fits) + i + 1
		f.Series = append(f.Series, series{Label: r.Name, Colour: n, Dash: n / len(palette), Beside: true})
	}
	lines := w.loudest()
	var ends []float64
	for _, l := range lines {
		for _, r := range w.Beside {
			if v, ok := r.of(l); ok {
				ends = append(ends, v)
			}
		}
		for _, e := range l.Of {
			if e != nil {
				ends = append(ends, e.ends()...)
			}
		}
	}
	limit := limitOf(ends)
	f.XMin, f.XMax = 0, 0
	for _, v := range ends {
		v = math.Max(-limit, math.Min(limit, v))
		f.XMin, f.XMax = math.Min(f.XMin, v), math.Max(f.XMax, v)
	}
	margin := (f.XMax - f.XMin) * 0.03
	if margin == 0 {
		margin = 1
	}
	f.XMin, f.XMax = f.XMin-margin, f.XMax+margin
	group := ""
	for _, l := range lines {
		line := forestLine{Label: l.label()}
		if l.Group != group {
			line.Group, group = l.Group, l.Group
		}
		for i, e := range l.Of {
			if e != nil {
				line.Marks = append(line.Marks, f.mark(i, l, e, w))
				line.Before = e.Initial
			}
		}
		for i, r := range w.Beside {
			if v, ok := r.of(l); ok {
				line.Marks = append(line.Marks, mark{series: len(w.Fits) + i, at: v, low: math.NaN(), high: math.NaN(), plain: true,
					outside: v < f.XMin || v > f.XMax, note: fmt.Sprintf("%s, %s: %s", l.label(), r.Name, weightText(v))})
			}
		}
		f.Lines = append(f.Lines, line)
	}
	f.Subtitle = "fitted weights with 95 % intervals, clustered by game; grey bar: weight before"
	if len(lines) < len(w.Lines) {
		f.Subtitle += fmt.Sprintf("; the %d of %s weights with the largest |z|", len(lines), grouped(int64(len(w.Lines))))
	}
	return f
}

// ends are the numbers that e needs room for.
func (e *estimate) ends() []float64 {
	if math.IsNaN(e.Low) {
		return []float64{e.Weight}
	}
	return []float64{e.Low, e.High}
}

func limitOf(ends []float64) float64 {
	sizes := make([]float64, len(ends))
	for i, v := range ends {
		sizes[i] = math.Abs(v)
	}
	sort.Float64s(sizes)
	largest := sizes[len(sizes)-1]
	if limit := 1.5 * sizes[(len(sizes)-1)*9/10]; limit > 0 && limit < largest/2 {
		return limit
	}
	return largest
}

func (w *weights) loudest() []weightLine {
	if len(w.Lines) <= forestLines {
		return w.Lines
	}
	loudness := func(l weightLine) float64 {
		z := -1.0
		for _, e := range l.Of {
			if e != nil && !math.IsNaN(e.Z) {
				z = math.Max(z, math.Abs(e.Z))
			}
		}
		return z
	}
	order := make([]int, len(w.Lines))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return loudness(w.Lines[order[a]]) > loudness(w.Lines[order[b]]) })
	order = order[:forestLines]
	sort.Ints(order)
	var lines []weightLine
	for _, i := range order {
		lines = append(lines, w.Lines[i])
	}
	return lines
}

func (f *forest) mark(i int, l weightLine, e *estimate, w *weights) mark {
	m := mark{series: i, at: e.Weight, low: e.Low, high: e.High, plain: e.Status != "fitted"}
	m.note = fmt.Sprintf("%s, %s: %s", l.label(), w.Fits[i].Name, weightText(e.Weight))
	if !math.IsNaN(e.Low) {
		m.note += fmt.Sprintf(" (%s to %s)", weightText(e.Low), weightText(e.High))
		m.cutLow, m.cutUp = e.Low < f.XMin, e.High > f.XMax
		m.low, m.high = f.clamp(e.Low), f.clamp(e.High)
	}
	if e.Status != "fitted" {
		m.note += ", " + e.Status
	}
	if m.at < f.XMin || m.at > f.XMax {
		m.outside = true
	}
	return m
}

func (f *forest) clamp(v float64) float64 { return math.Max(f.XMin, math.Min(f.XMax, v)) }

// showsBefore reports whether the weight before has a place in line l.
func (f *forest) showsBefore(l forestLine) bool {
	return l.Before != 0 && f.clamp(l.Before) == l.Before
}

// offset is where the mark of a series lies in its line, in lines from the middle.
func (f *forest) offset(series int) float64 {
	if f.Single {
		return 0
	}
	return (float64(series) - float64(len(f.Series)-1)/2) * 0.62 / float64(max(2, len(f.Series)))
}

// rows is the height in lines, group headings included.
func (f *forest) rows() int {
	n := len(f.Lines)
	for _, l := range f.Lines {
		if l.Group != "" {
			n++
		}
	}
	return n
}

// lineHeight leaves room for the marks of every fit.
func (f *forest) lineHeight() float64 { return math.Max(15, 6*float64(len(f.Series))+5) }

func (f *forest) print() (printed, error) {
	// The head is as high as its title and legend need: draw it once on nothing.
	probe := draw.New(newPDF(printWidth, printHeight))
	top := f.head(draw.Crop(probe, printMargin, -printMargin, printMargin, -printMargin))
	height := probe.Max.Y - top + vg.Points(f.lineHeight()*float64(f.rows())) + printMargin + vg.Points(36)
	return printAll(printWidth, height, f.draw)
}

// head paints title and legend and returns where the lines begin.
func (f *forest) head(dc draw.Canvas) vg.Length {
	head := chart{Title: f.Title, Subtitle: f.Subtitle, Series: f.Series}
	return head.drawLegend(dc, head.drawHead(dc)) - vg.Points(8)
}

func (f *forest) draw(dc draw.Canvas) error {
	dc.SetColor(color.White)
	dc.Fill(dc.Rectangle.Path())
	dc = draw.Crop(dc, printMargin, -printMargin, printMargin, -printMargin)
	top := f.head(dc)
	name := style(sans(9.5), ink)
	left, widest := dc.Min.X, (dc.Max.X-dc.Min.X)*0.4
	for _, l := range f.Lines {
		left = max(left, dc.Min.X+name.Width(fit(name, l.Label, widest))+vg.Points(20))
	}
	right, bottom := dc.Max.X-vg.Points(4), top-vg.Points(f.lineHeight()*float64(f.rows()))
	x := func(v float64) vg.Length { return left + vg.Length((v-f.XMin)/(f.XMax-f.XMin))*(right-left) }
	for _, t := range axisTicks(f.XMin, f.XMax, 9, plainNumber) {
		line := draw.LineStyle{Color: rules, Width: vg.Points(0.6)}
		if t.At == 0 {
			line.Color = faint
		}
		dc.StrokeLine2(line, x(t.At), bottom, x(t.At), top)
		s := style(sans(9.5), ink)
		dc.FillText(s, vg.Point{X: x(t.At) - s.Width(t.Label)/2, Y: bottom - vg.Points(13)}, t.Label)
	}
	label := style(sans(10.5), ink)
	dc.FillText(label, vg.Point{X: (left+right)/2 - label.Width(f.XLabel)/2, Y: bottom - vg.Points(30)}, f.XLabel)
	y := top
	for _, l := range f.Lines {
		if l.Group != "" {
			y -= vg.Points(f.lineHeight())
			dc.FillText(style(bold(9.5), ink), vg.Point{X: dc.Min.X, Y: y + vg.Points(f.lineHeight()/2-4)}, l.Group)
		}
		y -= vg.Points(f.lineHeight())
		middle := y + vg.Points(f.lineHeight()/2)
		dc.FillText(name, vg.Point{X: dc.Min.X + vg.Points(10), Y: middle - vg.Points(4)}, fit(name, l.Label, widest))
		if f.showsBefore(l) {
			half := vg.Points(f.lineHeight() * 0.36)
			dc.StrokeLine2(draw.LineStyle{Color: color.NRGBA{0x99, 0x99, 0x99, 0xff}, Width: vg.Points(2.5)}, x(l.Before), middle-half, x(l.Before), middle+half)
		}
		for _, m := range l.Marks {
			f.drawMark(dc, m, x, middle-vg.Points(f.offset(m.series)*f.lineHeight()))
		}
	}
	return nil
}

func (f *forest) drawMark(dc draw.Canvas, m mark, x func(float64) vg.Length, y vg.Length) {
	s := &f.Series[m.series]
	line := draw.LineStyle{Color: s.ink(255), Width: vg.Points(1.2)}
	if !math.IsNaN(m.low) {
		dc.StrokeLine2(line, x(m.low), y, x(m.high), y)
		for _, end := range []struct {
			cut bool
			at  float64
			dir vg.Length
		}{{m.cutLow, m.low, 1}, {m.cutUp, m.high, -1}} {
			if end.cut {
				tip := x(end.at)
				dc.StrokeLines(line, []vg.Point{{X: tip + 4*end.dir, Y: y + 2.5}, {X: tip, Y: y}, {X: tip + 4*end.dir, Y: y - 2.5}})
			}
		}
	}
	if m.outside {
		return
	}
	g := s.glyph()
	if m.plain {
		g.Shape = draw.CrossGlyph{}
	}
	dc.DrawGlyph(g, vg.Point{X: x(m.at), Y: y})
}

// svg draws f for the page.
func (f *forest) svg() template.HTML {
	var out strings.Builder
	f.svgOn(&out, screens[0], 270)
	f.svgOn(&out, screens[1], 12)
	return template.HTML(out.String())
}

func (f *forest) svgOn(out *strings.Builder, s screen, left float64) {
	const row, above, below, right = 24.0, 6.0, 46.0, 12.0
	step := math.Max(row, 9*float64(len(f.Series))) // so that the marks of many fits do not touch
	narrow := s.class == "narrow"
	height := above + step*float64(len(f.Lines)) + row*float64(f.rows()-len(f.Lines)) + below
	if narrow {
		height += row * float64(len(f.Lines)) // names go above their marks
	}
	x := func(v float64) float64 { return left + (v-f.XMin)/(f.XMax-f.XMin)*(s.width-left-right) }
	fmt.Fprintf(out, `<svg class="chart %s" viewBox="0 0 %g %g" role="img" aria-label="%s">`+"\n", s.class, s.width, height, html.EscapeString(f.Title))
	for _, t := range axisTicks(f.XMin, f.XMax, s.ticks, plainNumber) {
		class := "grid"
		if t.At == 0 {
			class = "zero"
		}
		fmt.Fprintf(out, `<path class="%s" d="M%s %sV%s"/><text class="tick" x="%s" y="%s" text-anchor="middle">%s</text>`+"\n",
			class, px(x(t.At)), px(above), px(height-below), px(x(t.At)), px(height-below+18), html.EscapeString(t.Label))
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
		fmt.Fprintf(out, `<text x="12" y="%s">%s</text>`+"\n", px(label), html.EscapeString(shorten(l.Label, 36)))
		if f.showsBefore(l) {
			fmt.Fprintf(out, `<path class="before" d="M%s %sv%s"><title>before: %s</title></path>`+"\n", px(x(l.Before)), px(y+step*0.14), px(step*0.72), weightText(l.Before))
		}
		for _, m := range l.Marks {
			f.svgMark(&marks[m.series], m, x, y+step/2+f.offset(m.series)*step)
		}
		y += step
	}
	for i := range f.Series {
		fmt.Fprintf(out, `<g class="series k%d" data-series="%d">`+"\n%s</g>\n", f.Series[i].Colour%len(palette), i, marks[i].String())
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

func (f *forest) svgMark(out *strings.Builder, m mark, x func(float64) float64, y float64) {
	if !math.IsNaN(m.low) {
		fmt.Fprintf(out, `<path class="line" d="M%s %sH%s"/>`, px(x(m.low)), px(y), px(x(m.high)))
		if m.cutLow {
			fmt.Fprintf(out, `<path class="line" d="M%s %sl-5 3.5l5 3.5"/>`, px(x(m.low)+5), px(y-3.5))
		}
		if m.cutUp {
			fmt.Fprintf(out, `<path class="line" d="M%s %sl5 3.5l-5 3.5"/>`, px(x(m.high)-5), px(y-3.5))
		}
	}
	class := "dot"
	if m.plain {
		class = "dot hollow"
	}
	if !m.outside {
		fmt.Fprintf(out, `<circle class="%s" cx="%s" cy="%s" r="3.5"><title>%s</title></circle>`, class, px(x(m.at)), px(y), html.EscapeString(m.note))
	}
	out.WriteString("\n")
}
