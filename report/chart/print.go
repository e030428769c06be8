package chart

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The picture for paper: a full text width at 200 dots an inch, 1,800 × 1,200.
const (
	printWidth  = 9 * vg.Inch
	printHeight = 6 * vg.Inch
	printDPI    = 200
	printMargin = 0.18 * vg.Inch
)

// Printed is one drawing in the formats for paper, the same bytes at every run; where it has letters
// that the built-in font lacks, on machines of the same fonts.
type Printed struct{ SVG, PNG, PDF []byte }

// Picture can be drawn for paper.
type Picture interface{ Print() (Printed, error) }

// Print draws c for paper.
func (c *Chart) Print() (Printed, error) {
	return printAll(printWidth, printHeight, c.draw)
}

func printAll(width, height vg.Length, paint func(draw.Canvas) error) (p Printed, err error) {
	var out bytes.Buffer
	vector := vgsvg.New(width, height)
	if err := paint(draw.New(vector)); err != nil {
		return p, err
	}
	if _, err := vector.WriteTo(&out); err != nil {
		return p, err
	}
	p.SVG = []byte(webFonts.Replace(out.String()))
	raster := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(printDPI))
	if err := paint(draw.New(raster)); err != nil {
		return p, err
	}
	var image bytes.Buffer
	// A quarter less time for a twentieth more bytes.
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&image, raster.Image()); err != nil {
		return p, err
	}
	p.PNG = image.Bytes()
	page := newPDF(width, height)
	if err := paint(draw.New(page)); err != nil {
		return p, err
	}
	p.PDF, err = page.bytes()
	return p, err
}

func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

func bold(size vg.Length) font.Font {
	f := sans(size)
	f.Weight = 3 // WeightBold of golang.org/x/image/font
	return f
}

func style(f font.Font, c color.Color) text.Style {
	return text.Style{Font: f, Color: c, Handler: ofMachine(plot.DefaultTextHandler), YAlign: draw.YBottom}
}

var (
	ink   = color.NRGBA{0x22, 0x22, 0x22, 0xff}
	faint = color.NRGBA{0x66, 0x66, 0x66, 0xff}
	rules = color.NRGBA{0xdd, 0xdd, 0xdd, 0xff}
)

// ink is the colour of series s on paper.
func (s *Series) ink(alpha uint8) color.NRGBA {
	if s.Colour == Guide {
		return color.NRGBA{0x77, 0x77, 0x77, alpha}
	}
	var r, g, b uint8
	fmt.Sscanf(Palette[s.Colour%len(Palette)][0], "#%02x%02x%02x", &r, &g, &b)
	return color.NRGBA{r, g, b, alpha}
}

func (s *Series) line() draw.LineStyle {
	l := draw.LineStyle{Color: s.ink(255), Width: vg.Points(1.4)}
	for _, d := range dashes[s.Dash%len(dashes)] {
		l.Dashes = append(l.Dashes, vg.Points(d))
	}
	if s.Smooth {
		l.Width = vg.Points(1)
	}
	return l
}

var glyphs = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.PlusGlyph{}, draw.CrossGlyph{}}

func (s *Series) glyph() draw.GlyphStyle {
	if s.Beside {
		return draw.GlyphStyle{Color: s.ink(255), Radius: vg.Points(2.8), Shape: draw.CrossGlyph{}}
	}
	return draw.GlyphStyle{Color: s.ink(255), Radius: vg.Points(2.1), Shape: glyphs[(max(s.Colour, 0)+3*s.Dash)%len(glyphs)]}
}

// draw paints the title, the legend below it and the plot below that, so that the
// legend never lies on the data.
func (c *Chart) draw(dc draw.Canvas) error {
	dc.SetColor(color.White)
	dc.Fill(dc.Rectangle.Path())
	dc = draw.Crop(dc, printMargin, -printMargin, printMargin, -printMargin)
	top := c.drawHead(dc)
	var drawn []Series
	for _, s := range c.Series {
		if len(s.Points) > 0 {
			drawn = append(drawn, s)
		}
	}
	top = drawLegend(dc, drawn, top)
	p, err := c.plot()
	if err != nil {
		return err
	}
	// The label of the last tick may stand out by half of its width.
	beyond := vg.Length(0)
	if n := len(c.XTicks); n > 0 {
		beyond = style(sans(10), ink).Width(c.XTicks[n-1].Label) / 2
	}
	p.Draw(draw.Crop(dc, 0, -beyond, 0, top-dc.Max.Y-vg.Points(6)))
	return nil
}

func (c *Chart) drawHead(dc draw.Canvas) (top vg.Length) {
	top = dc.Max.Y
	write := func(s text.Style, paragraph string) {
		for _, line := range wrap(s, paragraph, dc.Max.X-dc.Min.X) {
			top -= s.Font.Size * 1.15
			dc.FillText(s, vg.Point{X: dc.Min.X, Y: top}, line)
		}
	}
	write(style(bold(14), ink), c.Title)
	for _, line := range strings.Split(c.Subtitle, "\n") {
		top -= vg.Points(2)
		write(style(sans(9.5), faint), line)
	}
	return top - vg.Points(6)
}

// wrap breaks text between words into lines of at most the width; a single word that is
// wider is cut.
func wrap(s text.Style, paragraph string, width vg.Length) []string {
	var lines []string
	line := ""
	for _, word := range strings.Split(paragraph, " ") {
		word = fit(s, word, width)
		switch {
		case line == "":
			line = word
		case s.Width(line+" "+word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	return append(lines, line)
}

// fit cuts the middle out of text that is wider than width.
func fit(s text.Style, label string, width vg.Length) string {
	if s.Width(label) <= width {
		return label
	}
	r := []rune(label)
	for keep := len(r) - 1; keep > 2; keep-- {
		short := string(r[:keep-keep/2]) + "…" + string(r[len(r)-keep/2:])
		if s.Width(short) <= width {
			return short
		}
	}
	return "…"
}

// drawLegend sets the series' names in lines.
func drawLegend(dc draw.Canvas, all []Series, top vg.Length) vg.Length {
	s := style(sans(10.5), ink)
	const sample, gap = 24, 16
	height := s.Font.Size * 1.45
	x := dc.Min.X
	top -= height
	for i := range all {
		k := &all[i]
		name := fit(s, k.Label, dc.Max.X-dc.Min.X-vg.Points(sample+6))
		width := vg.Points(sample+6) + s.Width(name)
		if x > dc.Min.X && x+width > dc.Max.X {
			x, top = dc.Min.X, top-height
		}
		y := top + s.Font.Size*0.42
		if !k.Beside {
			dc.StrokeLine2(k.line(), x, y, x+vg.Points(sample), y)
		}
		if !k.Smooth {
			dc.DrawGlyph(k.glyph(), vg.Point{X: x + vg.Points(sample)/2, Y: y})
		}
		dc.FillText(s, vg.Point{X: x + vg.Points(sample+6), Y: top}, name)
		// A browser without Liberation or Arial sets names wider, by an eighth in DejaVu.
		x += width + max(vg.Points(gap), s.Width(name)/6)
	}
	return top
}

func (c *Chart) plot() (*plot.Plot, error) {
	p := plot.New()
	p.BackgroundColor = nil
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = c.XMin, c.XMax, c.YMin, c.YMax
	axis := func(a *plot.Axis, label string, ticks []Tick) {
		a.Label.TextStyle.Handler, a.Tick.Label.Handler = ofMachine(plot.DefaultTextHandler), ofMachine(plot.DefaultTextHandler)
		a.Label.Text = label
		a.Label.TextStyle.Font, a.Label.TextStyle.Color = sans(11), ink
		a.Label.Padding = vg.Points(5)
		a.Tick.Label.Font, a.Tick.Label.Color = sans(10), ink
		a.LineStyle.Color, a.Tick.LineStyle.Color = faint, faint
		a.Padding = 0
		var marks plot.ConstantTicks
		for _, t := range ticks {
			marks = append(marks, plot.Tick{Value: t.At, Label: t.Label})
		}
		a.Tick.Marker = marks
	}
	axis(&p.X, c.XLabel, c.XTicks)
	axis(&p.Y, c.YLabel, c.YTicks)
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = rules, rules
	p.Add(grid)
	if c.Cross != nil {
		for _, line := range []plotter.XYs{{{X: c.XMin, Y: c.Cross.Y}, {X: c.XMax, Y: c.Cross.Y}}, {{X: c.Cross.X, Y: c.YMin}, {X: c.Cross.X, Y: c.YMax}}} {
			l, err := plotter.NewLine(line)
			if err != nil {
				return nil, err
			}
			l.LineStyle = draw.LineStyle{Color: color.NRGBA{0xaa, 0xaa, 0xaa, 0xff}, Width: vg.Points(0.8)}
			p.Add(l)
		}
	}
	for _, a := range c.Areas {
		if err := a.paint(p); err != nil {
			return nil, err
		}
	}
	shaded := c.shaded()
	for i := range c.Series {
		if err := c.Series[i].band(p, shaded); err != nil {
			return nil, err
		}
	}
	for i := range c.Series {
		if err := c.Series[i].points(p); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// paint adds the area and its name.
func (a Area) paint(p *plot.Plot) error {
	var around plotter.XYs
	for _, q := range a.outline() {
		around = append(around, plotter.XY{X: q.X, Y: q.Y})
	}
	shape, err := plotter.NewPolygon(around)
	if err != nil {
		return err
	}
	shape.Color = (&Series{Colour: a.Colour}).ink(0x30)
	shape.LineStyle.Width = 0
	at := a.middle()
	name, err := plotter.NewLabels(plotter.XYLabels{XYs: plotter.XYs{{X: at.X, Y: at.Y}}, Labels: []string{a.Label}})
	if err != nil {
		return err
	}
	name.TextStyle[0] = style(sans(11), ink)
	name.TextStyle[0].XAlign, name.TextStyle[0].YAlign = draw.XCenter, draw.YCenter
	p.Add(shape, name)
	return nil
}

// band adds the intervals of s as a band or as whiskers.
func (s *Series) band(p *plot.Plot, shaded bool) error {
	if !s.intervals() {
		return nil
	}
	if !shaded {
		bars, err := plotter.NewYErrorBars(whiskers(s.whiskers()))
		if err != nil {
			return err
		}
		bars.LineStyle = draw.LineStyle{Color: s.ink(0xa0), Width: vg.Points(0.7)}
		bars.CapWidth = vg.Points(2.4)
		p.Add(bars)
		return nil
	}
	var around plotter.XYs
	for _, q := range s.Points {
		around = append(around, plotter.XY{X: q.X, Y: q.High})
	}
	for i := len(s.Points) - 1; i >= 0; i-- {
		around = append(around, plotter.XY{X: s.Points[i].X, Y: s.Points[i].Low})
	}
	area, err := plotter.NewPolygon(around)
	if err != nil {
		return err
	}
	area.Color = s.ink(0x30)
	area.LineStyle.Width = 0
	p.Add(area)
	return nil
}

// whiskers are points with their intervals as a plotter takes them.
type whiskers []Point

func (w whiskers) Len() int { return len(w) }

func (w whiskers) XY(i int) (x, y float64) { return w[i].X, w[i].Y }

func (w whiskers) YError(i int) (low, high float64) { return w[i].Y - w[i].Low, w[i].High - w[i].Y }

func (s *Series) points(p *plot.Plot) error {
	var xys plotter.XYs
	for _, q := range s.Points {
		xys = append(xys, plotter.XY{X: q.X, Y: q.Y})
	}
	if len(xys) == 0 {
		return nil
	}
	line, err := plotter.NewLine(xys)
	if err != nil {
		return err
	}
	line.LineStyle = s.line()
	p.Add(line)
	if s.Smooth {
		return nil
	}
	marks, err := plotter.NewScatter(xys)
	if err != nil {
		return err
	}
	marks.GlyphStyle = s.glyph()
	p.Add(marks)
	return nil
}

// webFonts gives the SVG's texts fonts that other machines have, too.
var webFonts = strings.NewReplacer("font-family:Liberation Sans", "font-family:Liberation Sans,Arial,Helvetica,sans-serif")
