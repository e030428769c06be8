package chart

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// inCorner reports whether a legend is wanted on the data, in a corner.
func (l Look) inCorner() bool { return len(l.Legend) == 2 }

// corners are the places to try for a legend that is wanted in one of them, nearest first.
func corners(wanted string) []string {
	all := []string{"se", "sw", "ne", "nw"}
	slices.SortStableFunc(all, func(a, b string) int { return apart(a, wanted) - apart(b, wanted) })
	return all
}

// apart counts how far two corners are from each other: sideways is nearer than up or down.
func apart(a, b string) (n int) {
	if a[0] != b[0] {
		n += 2
	}
	if a[1] != b[1] {
		n++
	}
	return n
}

// entries are the names of a legend, in lines no wider than width.
type entries struct {
	names  [][]string
	width  vg.Length // of the widest line with its sample
	height vg.Length // of all lines
	line   vg.Length // of one
}

func (p pen) entries(all []Series, size, spacing float64, width vg.Length) (e entries) {
	s := style(p.plain(size), ink)
	e.line = s.Font.Size * vg.Length(spacing)
	sample := p.pt(legendSample + 6)
	for _, k := range all {
		lines := wrap(s, k.Label, width-sample)
		for _, name := range lines {
			e.width = max(e.width, sample+s.Width(name))
		}
		e.names, e.height = append(e.names, lines), e.height+e.line*vg.Length(len(lines))
	}
	return e
}

// cornerWidth is the largest share of the data's width that a legend in a corner takes.
const cornerWidth = 0.6

// corner returns a box in a corner of the plot where the series' names, one below the other, cover nothing of the
// data; free is false if there is none.
func (c *Chart) corner(p pen, drawing *plot.Plot, dc draw.Canvas) (box vg.Rectangle, e entries, free bool) {
	pad := p.pt(4)
	e = p.entries(c.drawn(), 9.5, 1.35, (dc.Max.X-dc.Min.X)*cornerWidth)
	size := vg.Point{X: e.width + 2*pad, Y: e.height + 2*pad}
	shapes := c.shapes(p, drawing, dc)
	for _, place := range corners(p.look.Legend) {
		at := vg.Point{X: dc.Min.X + pad, Y: dc.Min.Y + pad}
		if place[1] == 'e' {
			at.X = dc.Max.X - pad - size.X
		}
		if place[0] == 'n' {
			at.Y = dc.Max.Y - pad - size.Y
		}
		box = vg.Rectangle{Min: at, Max: at.Add(size)}
		inside := box.Min.X >= dc.Min.X && box.Max.Y <= dc.Max.Y && box.Min.Y >= dc.Min.Y
		if inside && !slices.ContainsFunc(shapes, func(s shape) bool { return s.meets(grown(box, p.pt(3))) }) {
			return box, e, true
		}
	}
	return box, e, false
}

// boxed sets entries below each other in a box.
func (p pen) boxed(dc draw.Canvas, all []Series, e entries, box vg.Rectangle) {
	dc.SetColor(color.NRGBA{0xff, 0xff, 0xff, 0xd8})
	dc.Fill(box.Path())
	from := vg.Point{X: box.Min.X + p.pt(4), Y: box.Max.Y - p.pt(4)}
	s := style(p.plain(9.5), ink)
	for i := range all {
		for j, name := range e.names[i] {
			from.Y -= e.line
			at := vg.Point{X: from.X, Y: from.Y + e.line*0.2}
			if j == 0 {
				p.entry(dc, s, &all[i], name, at.X, at.Y)
			} else {
				dc.FillText(s, vg.Point{X: at.X + p.pt(legendSample+6), Y: at.Y}, name)
			}
		}
	}
}

// shape is a line through points, or what one closes.
type shape struct {
	points []vg.Point
	closed bool
}

// shapes returns the parts of the canvas that the series and the names of areas cover.
func (c *Chart) shapes(p pen, drawing *plot.Plot, dc draw.Canvas) (all []shape) {
	x, y := drawing.Transforms(&dc)
	for i := range c.Series {
		s := &c.Series[i]
		var line, low, high []vg.Point
		for _, q := range s.Points {
			at := x(q.X)
			line = append(line, vg.Point{X: at, Y: y(q.Y)})
			if s.intervals() && p.look.Bands != "none" {
				low, high = append(low, vg.Point{X: at, Y: y(q.Low)}), append(high, vg.Point{X: at, Y: y(q.High)})
				all = append(all, shape{points: []vg.Point{low[len(low)-1], high[len(high)-1]}})
			}
		}
		all = append(all, shape{points: line})
		if c.shadedBy(p.look) && len(low) > 0 {
			slices.Reverse(low)
			all = append(all, shape{points: append(high, low...), closed: true})
		}
	}
	name := style(p.plain(11), ink)
	for _, a := range c.Areas {
		at, half := a.middle(), name.Width(a.Label)/2
		all = append(all, shape{points: []vg.Point{{X: x(at.X) - half, Y: y(at.Y)}, {X: x(at.X) + half, Y: y(at.Y)}}})
	}
	return all
}

// meets reports whether a part of s is in r.
func (s shape) meets(r vg.Rectangle) bool {
	for i, p := range s.points {
		if crosses(r, s.points[max(i-1, 0)], p) {
			return true
		}
	}
	return s.closed && s.around(r.Min)
}

// around reports whether the closed shape is around p.
func (s shape) around(p vg.Point) (in bool) {
	last := s.points[len(s.points)-1]
	for _, q := range s.points {
		if (q.Y > p.Y) != (last.Y > p.Y) && p.X < q.X+(last.X-q.X)*(p.Y-q.Y)/(last.Y-q.Y) {
			in = !in
		}
		last = q
	}
	return in
}

// crosses reports whether a part of the line from a to b is in r.
func crosses(r vg.Rectangle, a, b vg.Point) bool {
	from, to := vg.Length(0), vg.Length(1)
	for _, side := range [][2]vg.Length{{a.X - b.X, a.X - r.Min.X}, {b.X - a.X, r.Max.X - a.X}, {a.Y - b.Y, a.Y - r.Min.Y}, {b.Y - a.Y, r.Max.Y - a.Y}} {
		switch d, room := side[0], side[1]; {
		case d == 0 && room < 0:
			return false
		case d < 0:
			from = max(from, room/d)
		case d > 0:
			to = min(to, room/d)
		}
	}
	return from <= to
}

// grown is r with a margin: lines and marks have a width.
func grown(r vg.Rectangle, by vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: r.Min.X - by, Y: r.Min.Y - by}, Max: vg.Point{X: r.Max.X + by, Y: r.Max.Y + by}}
}
