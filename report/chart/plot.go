package chart

import (
	"image/color"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Print draws c for paper.
func (c *Chart) Print(l Look) (Printed, error) {
	k := c.limited(l)
	return printAll(l.width(), l.height(), l.Dots(), func(dc draw.Canvas) error { return k.draw(dc, newPen(l)) })
}

// Titles returns the title and the subtitle of c.
func (c *Chart) Titles() (title, subtitle string) { return c.Title, c.Subtitle }

// drawn are the series with points on the axis.
func (c *Chart) drawn() []Series {
	var drawn []Series
	for _, s := range c.Series {
		if len(s.Points) > 0 {
			drawn = append(drawn, s)
		}
	}
	return drawn
}

// draw paints the title and the plot below it. The legend is between them or below the plot; where the look wants it
// in a corner it is on the plot if one has room for it, else between.
func (c *Chart) draw(dc draw.Canvas, p pen) error {
	dc.SetColor(color.White)
	dc.Fill(dc.Rectangle.Path())
	margin := printMargin * p.scale
	dc = draw.Crop(dc, margin, -margin, margin, -margin)
	top, bottom := p.head(dc, c.Title, c.Subtitle), dc.Min.Y
	if p.look.inCorner() {
		drawing, area, err := c.below(dc, p, top, bottom)
		if err != nil {
			return err
		}
		data := drawing.DataCanvas(area)
		if box, e, free := c.corner(p, drawing, data); free {
			drawing.Draw(area)
			p.boxed(data, c.drawn(), e, box)
			return nil
		}
	}
	switch p.look.Legend {
	case "none":
	case "bottom":
		probe := draw.New(newPDF(dc.Max.X-dc.Min.X, vg.Inch))
		height := -p.legend(probe, c.drawn(), 0)
		p.legend(dc, c.drawn(), dc.Min.Y+height)
		bottom += height + p.pt(2)
	default:
		top = p.legend(dc, c.drawn(), top)
	}
	drawing, area, err := c.below(dc, p, top, bottom)
	if err != nil {
		return err
	}
	drawing.Draw(area)
	return nil
}

// below is the plot between two heights, and where it is drawn.
func (c *Chart) below(dc draw.Canvas, p pen, top, bottom vg.Length) (*plot.Plot, draw.Canvas, error) {
	// The label of the last tick may stand out by half of its width.
	beyond := vg.Length(0)
	if n := len(c.XTicks); n > 0 {
		beyond = style(p.plain(10), ink).Width(c.XTicks[n-1].Label) / 2
	}
	area := draw.Crop(dc, 0, -beyond, bottom-dc.Min.Y, top-dc.Max.Y-p.pt(6))
	drawing, err := c.plot(p, area)
	return drawing, area, err
}

// plot is c without its head and legend, to be drawn on dc.
func (c *Chart) plot(pen pen, dc draw.Canvas) (*plot.Plot, error) {
	p := plot.New()
	p.BackgroundColor = nil
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = c.XMin, c.XMax, c.YMin, c.YMax
	axis := func(a *plot.Axis, label string, ticks []Tick) {
		a.Label.TextStyle.Handler, a.Tick.Label.Handler = ofMachine(plot.DefaultTextHandler), ofMachine(plot.DefaultTextHandler)
		a.Label.Text = label
		a.Label.TextStyle.Font, a.Label.TextStyle.Color = pen.plain(11), ink
		a.Label.Padding = pen.pt(5)
		a.Tick.Label.Font, a.Tick.Label.Color = pen.plain(10), ink
		a.Tick.Length *= pen.scale
		a.LineStyle.Color, a.Tick.LineStyle.Color = faint, faint
		a.LineStyle.Width, a.Tick.LineStyle.Width = a.LineStyle.Width*pen.scale, a.Tick.LineStyle.Width*pen.scale
		a.Padding = 0
		var marks plot.ConstantTicks
		for _, t := range ticks {
			marks = append(marks, plot.Tick{Value: t.At, Label: t.Label})
		}
		a.Tick.Marker = marks
	}
	ticks, labels := style(pen.plain(10), ink), style(pen.plain(11), ink)
	axis(&p.Y, strings.Join(short(labels, c.YLabel, dc.Max.Y-dc.Min.Y), "\n"), c.YTicks)
	axis(&p.X, strings.Join(short(labels, c.XLabel, dc.Max.X-dc.Min.X), "\n"), c.XTicks)
	data := p.DataCanvas(dc)
	gap := pen.pt(10) * room
	axis(&p.X, strings.Join(short(labels, c.XLabel, dc.Max.X-dc.Min.X), "\n"), thin(c.XTicks, c.XMin, c.XMax, data.Max.X-data.Min.X, gap, ticks.Width))
	axis(&p.Y, strings.Join(short(labels, c.YLabel, dc.Max.Y-dc.Min.Y), "\n"), thin(c.YTicks, c.YMin, c.YMax, data.Max.Y-data.Min.Y, 0, func(string) vg.Length { return pen.pt(11) }))
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = rules, rules
	grid.Vertical.Width, grid.Horizontal.Width = grid.Vertical.Width*pen.scale, grid.Horizontal.Width*pen.scale
	p.Add(grid)
	if err := c.cross(p, pen); err != nil {
		return nil, err
	}
	for _, a := range c.Areas {
		if err := a.paint(p, pen); err != nil {
			return nil, err
		}
	}
	for i := range c.Series {
		if err := c.band(p, pen, &c.Series[i]); err != nil {
			return nil, err
		}
	}
	for i := range c.Series {
		if err := c.Series[i].points(p, pen); err != nil {
			return nil, err
		}
	}
	// What was added has widened the axes.
	if pen.look.X != nil {
		p.X.Min, p.X.Max = c.XMin, c.XMax
	}
	if pen.look.Y != nil {
		p.Y.Min, p.Y.Max = c.YMin, c.YMax
	}
	return p, nil
}

// cross adds the guide lines.
func (c *Chart) cross(p *plot.Plot, pen pen) error {
	if c.Cross == nil {
		return nil
	}
	for _, line := range []plotter.XYs{{{X: c.XMin, Y: c.Cross.Y}, {X: c.XMax, Y: c.Cross.Y}}, {{X: c.Cross.X, Y: c.YMin}, {X: c.Cross.X, Y: c.YMax}}} {
		l, err := plotter.NewLine(line)
		if err != nil {
			return err
		}
		l.LineStyle = draw.LineStyle{Color: color.NRGBA{0xaa, 0xaa, 0xaa, 0xff}, Width: pen.pt(0.8)}
		p.Add(l)
	}
	return nil
}

// paint adds the area and its name.
func (a Area) paint(p *plot.Plot, pen pen) error {
	shape, err := pen.polygon(a.outline(), a.Colour)
	if err != nil {
		return err
	}
	at := a.middle()
	name, err := plotter.NewLabels(plotter.XYLabels{XYs: plotter.XYs{{X: at.X, Y: at.Y}}, Labels: []string{a.Label}})
	if err != nil {
		return err
	}
	name.TextStyle[0] = style(pen.plain(11), ink)
	name.TextStyle[0].XAlign, name.TextStyle[0].YAlign = draw.XCenter, draw.YCenter
	p.Add(shape, name)
	return nil
}

// band adds the intervals of s as a band or as whiskers.
func (c *Chart) band(p *plot.Plot, pen pen, s *Series) error {
	if !s.intervals() || pen.look.Bands == "none" {
		return nil
	}
	if !c.shadedBy(pen.look) {
		bars, err := plotter.NewYErrorBars(whiskers(c.within(s.whiskers())))
		if err != nil {
			return err
		}
		bars.LineStyle = draw.LineStyle{Color: pen.ink(s.Colour, 0xa0), Width: pen.pt(0.7)}
		bars.CapWidth = pen.pt(2.4)
		p.Add(bars)
		return nil
	}
	area, err := pen.polygon(s.outline(), s.Colour)
	if err != nil {
		return err
	}
	p.Add(area)
	return nil
}

// polygon is the area within an outline, as pale as areas are.
func (p pen) polygon(outline []Point, colour int) (*plotter.Polygon, error) {
	area, err := plotter.NewPolygon(xys(outline))
	if err != nil {
		return nil, err
	}
	area.Color = p.ink(colour, 0x30)
	area.LineStyle.Width = 0
	return area, nil
}

// xys are points as a plotter takes them.
func xys(points []Point) (all plotter.XYs) {
	for _, p := range points {
		all = append(all, plotter.XY{X: p.X, Y: p.Y})
	}
	return all
}

// whiskers are points with their intervals as a plotter takes them.
type whiskers []Point

func (w whiskers) Len() int { return len(w) }

func (w whiskers) XY(i int) (x, y float64) { return w[i].X, w[i].Y }

func (w whiskers) YError(i int) (low, high float64) { return w[i].Y - w[i].Low, w[i].High - w[i].Y }

func (s *Series) points(p *plot.Plot, pen pen) error {
	if len(s.Points) == 0 {
		return nil
	}
	line, err := plotter.NewLine(xys(s.Points))
	if err != nil {
		return err
	}
	line.LineStyle = pen.line(s)
	p.Add(line)
	if s.Smooth {
		return nil
	}
	marks, err := plotter.NewScatter(xys(s.Points))
	if err != nil {
		return err
	}
	marks.GlyphStyle = pen.glyph(s)
	p.Add(marks)
	return nil
}
