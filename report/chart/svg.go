package chart

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"strings"
	"unicode/utf8"

	"kifu/internal/human"
)

// screen is a size of the page's picture. The narrow one is for phones: the same data
// at a shape and with letters that need no zoom.
type screen struct {
	class         string
	width, height float64
	ticks         int // on the horizontal axis
}

var screens = []screen{{"wide", 960, 560, 12}, {"narrow", 420, 440, 5}}

// SVG draws c for the page, one picture a screen. Colours come from the page's style sheet, so that
// they follow its light or dark mode; every series is a group that the page can hide, every point shows
// its numbers when pointed at.
func (c *Chart) SVG() template.HTML {
	var out strings.Builder
	for _, s := range screens {
		c.svgOn(&out, s)
	}
	return template.HTML(out.String())
}

func (c *Chart) svgOn(out *strings.Builder, s screen) {
	const right, above, below = 14, 12, 52
	left := 62.0 // grows with labels of more than four characters
	for _, t := range c.YTicks {
		left = max(left, 62+8*float64(utf8.RuneCountInString(t.Label)-4))
	}
	x := func(v float64) float64 { return left + (v-c.XMin)/(c.XMax-c.XMin)*(s.width-left-right) }
	y := func(v float64) float64 {
		return s.height - below - (v-c.YMin)/(c.YMax-c.YMin)*(s.height-below-above)
	}
	fmt.Fprintf(out, `<svg class="chart %s" viewBox="0 0 %g %g" tabindex="0" role="img" aria-label="%s; arrow keys read the values" data-frame="%g %g %g %g %g %g %g %g">`+"\n",
		s.class, s.width, s.height, html.EscapeString(c.Title), left, s.width-right, float64(above), s.height-below, c.XMin, c.XMax, c.YMin, c.YMax)
	line := func(class string, x1, y1, x2, y2 float64) {
		fmt.Fprintf(out, `<path class="%s" d="M%s %sL%s %s"/>`+"\n", class, px(x1), px(y1), px(x2), px(y2))
	}
	for _, t := range c.RoundXTicks(s.ticks, human.Number) {
		line("grid", x(t.At), y(c.YMin), x(t.At), y(c.YMax))
		s.tick(out, x(t.At), s.height-below+18, t.Label)
	}
	for _, t := range c.YTicks {
		line("grid", x(c.XMin), y(t.At), x(c.XMax), y(t.At))
		fmt.Fprintf(out, `<text class="tick" x="%g" y="%s" text-anchor="end">%s</text>`+"\n", left-8, px(y(t.At)+4.5), html.EscapeString(t.Label))
	}
	if c.Cross != nil {
		line("cross", x(c.XMin), y(c.Cross.Y), x(c.XMax), y(c.Cross.Y))
		line("cross", x(c.Cross.X), y(c.YMin), x(c.Cross.X), y(c.YMax))
	}
	fmt.Fprintf(out, `<text class="axis" x="%s" y="%s" text-anchor="middle">%s</text>`+"\n", px((x(c.XMin)+x(c.XMax))/2), px(s.height-10), html.EscapeString(c.XLabel))
	fmt.Fprintf(out, `<text class="axis" transform="translate(15 %s) rotate(-90)" text-anchor="middle">%s</text>`+"\n", px((y(c.YMin)+y(c.YMax))/2), html.EscapeString(c.YLabel))
	for _, a := range c.Areas {
		a.svg(out, x, y)
	}
	shaded := c.shaded()
	for i := range c.Series {
		c.Series[i].svg(out, i, shaded, x, y)
	}
	out.WriteString("</svg>\n")
}

// tickLetter is the width of a letter of a tick's label.
const tickLetter = 7.5

// tick writes a label under x, within the picture.
func (s screen) tick(out *strings.Builder, x, y float64, label string) {
	anchor, half := "middle", tickLetter*float64(utf8.RuneCountInString(label))/2
	switch {
	case x+half > s.width:
		x, anchor = s.width-1, "end"
	case x-half < 0:
		x, anchor = 1, "start"
	}
	fmt.Fprintf(out, `<text class="tick" x="%s" y="%s" text-anchor="%s">%s</text>`+"\n", px(x), px(y), anchor, html.EscapeString(label))
}

// svg draws the area with its name.
func (a Area) svg(out *strings.Builder, x, y func(float64) float64) {
	at := a.middle()
	fmt.Fprintf(out, `<path class="band %s" d="%sZ"/><text x="%s" y="%s" text-anchor="middle">%s</text>`+"\n",
		className(a.Colour), through(a.outline(), x, y), px(x(at.X)), px(y(at.Y)+4), html.EscapeString(a.Label))
}

// through is the path of a line through points.
func through(points []Point, x, y func(float64) float64) string {
	var path strings.Builder
	for i, p := range points {
		fmt.Fprintf(&path, "%c%s %s", "ML"[min(i, 1)], px(x(p.X)), px(y(p.Y)))
	}
	return path.String()
}

// className is the class of the page's style sheet that has the colour.
func className(colour int) string {
	if colour == Guide {
		return "guide"
	}
	return fmt.Sprintf("k%d", colour%len(Palette))
}

func (s *Series) svg(out *strings.Builder, number int, shaded bool, x, y func(float64) float64) {
	fmt.Fprintf(out, `<g class="series %s" data-series="%d">`+"\n", className(s.Colour), number)
	if s.intervals() && !shaded {
		var bars strings.Builder
		for _, p := range s.whiskers() {
			fmt.Fprintf(&bars, "M%s %sV%s", px(x(p.X)), px(y(p.High)), px(y(p.Low)))
		}
		fmt.Fprintf(out, `<path class="bars" d="%s"/>`+"\n", bars.String())
	} else if !s.Smooth && len(s.Points) > 0 {
		fmt.Fprintf(out, `<path class="band" d="%sZ"/>`+"\n", through(s.outline(), x, y))
	}
	dash := ""
	if d := dashes[s.Dash%len(dashes)]; d != nil {
		dash = ` stroke-dasharray="` + strings.Trim(fmt.Sprint(d), "[]") + `"`
	}
	fmt.Fprintf(out, `<path class="line" d="%s"%s/>`+"\n", through(s.Points, x, y), dash)
	if !s.Smooth {
		for _, p := range s.Points {
			fmt.Fprintf(out, `<circle class="dot" cx="%s" cy="%s" r="3"><title>%s</title></circle>`+"\n", px(x(p.X)), px(y(p.Y)), html.EscapeString(p.Note))
		}
	}
	out.WriteString("</g>\n")
}

// px writes a coordinate to a tenth.
func px(v float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", math.Round(v*10)/10), ".0")
}
