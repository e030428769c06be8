package chart

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"math"
	"sort"
	"strings"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// pdfCanvas is a drawing surface that becomes a PDF of one page. Text is text, in fonts that the file
// has with the signs that are used; text in a font of the machine is drawn as outlines, with the text
// behind them. It has every sign, holds no date, and is the same bytes at every run. Format: ISO
// 32000-1, 7.5 and 8.
//
// Kept by hand: gonum's canvas stops at code page 1252, without ≥ and −. Its base, go-pdf/fpdf, can
// write the same bytes at every run, but it panics at a sign above U+FFFF (0.11.1), omits the names of
// its fonts and that they are subsets, and embeds no font with PostScript outlines, as Japanese ones
// have: the drawing of outlines would stay.
type pdfCanvas struct {
	width, height vg.Length
	content       bytes.Buffer
	widths        []vg.Length    // of lines, the last now; PDF draws a line of width 0, vg does not
	alphas        map[uint8]bool // opacities that are used
	outlines      sfnt.Buffer
	byFace        map[*sfnt.Font]*pdfFont // nil: cannot be embedded
	fonts         []*pdfFont
}

func newPDF(width, height vg.Length) *pdfCanvas {
	c := &pdfCanvas{width: width, height: height, widths: []vg.Length{0}, alphas: map[uint8]bool{}, byFace: map[*sfnt.Font]*pdfFont{}}
	vg.Initialize(c)
	return c
}

func (c *pdfCanvas) Size() (w, h vg.Length) { return c.width, c.height }

func (c *pdfCanvas) op(format string, args ...any) { fmt.Fprintf(&c.content, format+"\n", args...) }

// pt writes a length in points.
func pt(l vg.Length) string {
	text := strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.3f", l.Points()), "0"), ".")
	if text == "-0" {
		return "0"
	}
	return text
}

func (c *pdfCanvas) SetLineWidth(w vg.Length) {
	c.widths[len(c.widths)-1] = w
	c.op("%s w", pt(w))
}

func (c *pdfCanvas) SetLineDash(pattern []vg.Length, offset vg.Length) {
	var lengths []string
	for _, l := range pattern {
		lengths = append(lengths, pt(l))
	}
	c.op("[%s] %s d", strings.Join(lengths, " "), pt(offset))
}

func (c *pdfCanvas) SetColor(k color.Color) {
	if k == nil {
		k = color.Black
	}
	n := color.NRGBAModel.Convert(k).(color.NRGBA)
	share := func(v uint8) string { return pt(vg.Length(float64(v) / 255)) }
	rgb := share(n.R) + " " + share(n.G) + " " + share(n.B)
	c.alphas[n.A] = true
	c.op("%s rg %s RG /a%d gs", rgb, rgb, n.A)
}

func (c *pdfCanvas) Rotate(angle float64) {
	sin, cos := math.Sincos(angle)
	c.op("%.6f %.6f %.6f %.6f 0 0 cm", cos, sin, -sin, cos)
}

func (c *pdfCanvas) Translate(p vg.Point) { c.op("1 0 0 1 %s %s cm", pt(p.X), pt(p.Y)) }

func (c *pdfCanvas) Scale(x, y float64) { c.op("%.6f 0 0 %.6f 0 0 cm", x, y) }

func (c *pdfCanvas) Push() {
	c.widths = append(c.widths, c.widths[len(c.widths)-1])
	c.op("q")
}

func (c *pdfCanvas) Pop() {
	c.widths = c.widths[:len(c.widths)-1]
	c.op("Q")
}

func (c *pdfCanvas) Stroke(p vg.Path) {
	if c.widths[len(c.widths)-1] <= 0 {
		return
	}
	c.path(p)
	c.op("S")
}

func (c *pdfCanvas) Fill(p vg.Path) {
	c.path(p)
	c.op("f")
}

func (c *pdfCanvas) path(p vg.Path) {
	var here vg.Point
	for i, comp := range p {
		switch comp.Type {
		case vg.MoveComp:
			c.op("%s %s m", pt(comp.Pos.X), pt(comp.Pos.Y))
		case vg.LineComp:
			c.op("%s %s l", pt(comp.Pos.X), pt(comp.Pos.Y))
		case vg.ArcComp:
			here = c.arc(comp, i == 0)
			continue
		case vg.CurveComp:
			a, b := comp.Control[0], comp.Control[len(comp.Control)-1]
			if len(comp.Control) == 1 {
				a, b = between(here, a), between(comp.Pos, b)
			}
			c.curve(a, b, comp.Pos)
		case vg.CloseComp:
			c.op("h")
		}
		here = comp.Pos
	}
}

func (c *pdfCanvas) curve(a, b, end vg.Point) {
	c.op("%s %s %s %s %s %s c", pt(a.X), pt(a.Y), pt(b.X), pt(b.Y), pt(end.X), pt(end.Y))
}

// between is the point two thirds of the way from a to b. It makes the control points of a
// cubic curve from a quadratic curve's.
func between(a, b vg.Point) vg.Point {
	return vg.Point{X: a.X + (b.X-a.X)*(2.0/3), Y: a.Y + (b.Y-a.Y)*(2.0/3)}
}

// arc is drawn as cubic curves of at most a quarter circle each, within 0.03 % of it.
func (c *pdfCanvas) arc(a vg.PathComp, first bool) (end vg.Point) {
	pieces := max(1, int(math.Ceil(math.Abs(a.Angle)/(math.Pi/2)-1e-9)))
	step := a.Angle / float64(pieces)
	k := vg.Length(4.0 / 3 * math.Tan(step/4))
	at := func(angle float64) (p, tangent vg.Point) {
		sin, cos := math.Sincos(angle)
		return vg.Point{X: a.Pos.X + a.Radius*vg.Length(cos), Y: a.Pos.Y + a.Radius*vg.Length(sin)},
			vg.Point{X: -a.Radius * vg.Length(sin), Y: a.Radius * vg.Length(cos)}
	}
	from, t := at(a.Start)
	reach := "l"
	if first {
		reach = "m"
	}
	c.op("%s %s %s", pt(from.X), pt(from.Y), reach)
	for i := range pieces {
		to, u := at(a.Start + step*float64(i+1))
		c.curve(vg.Point{X: from.X + k*t.X, Y: from.Y + k*t.Y}, vg.Point{X: to.X - k*u.X, Y: to.Y - k*u.Y}, to)
		from, t = to, u
	}
	return from
}

// FillString sets text from at on, or draws the outlines of its letters, where its font cannot be in the file.
func (c *pdfCanvas) FillString(f font.Face, at vg.Point, text string) {
	if text == "" || c.showText(f, at, text) {
		return
	}
	c.op("/Span << /ActualText <feff%s> >> BDC", utf16Hex(text))
	defer c.op("EMC")
	em := fixed.I(1000)
	scale := f.Font.Size / 1000
	x := at.X
	for _, r := range text {
		glyph, err := f.Face.GlyphIndex(&c.outlines, r)
		if err != nil {
			continue
		}
		segments, err := f.Face.LoadGlyph(&c.outlines, glyph, em, nil)
		if err == nil {
			c.glyph(segments, vg.Point{X: x, Y: at.Y}, scale)
		}
		if advance, err := f.Face.GlyphAdvance(&c.outlines, glyph, em, 0); err == nil {
			x += vg.Length(advance) / 64 * scale
		}
	}
}

func (c *pdfCanvas) glyph(segments sfnt.Segments, at vg.Point, scale vg.Length) {
	if len(segments) == 0 {
		return
	}
	place := func(p fixed.Point26_6) vg.Point {
		return vg.Point{X: at.X + vg.Length(p.X)/64*scale, Y: at.Y - vg.Length(p.Y)/64*scale}
	}
	var here vg.Point
	for _, s := range segments {
		p := place(s.Args[0])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			c.op("%s %s m", pt(p.X), pt(p.Y))
		case sfnt.SegmentOpLineTo:
			c.op("%s %s l", pt(p.X), pt(p.Y))
		case sfnt.SegmentOpQuadTo:
			end := place(s.Args[1])
			c.curve(between(here, p), between(end, p), end)
			p = end
		case sfnt.SegmentOpCubeTo:
			b, end := place(s.Args[1]), place(s.Args[2])
			c.curve(p, b, end)
			p = end
		}
		here = p
	}
	c.op("f")
}

// DrawImage is part of vg.Canvas; no picture of a report has an image in it.
func (c *pdfCanvas) DrawImage(vg.Rectangle, image.Image) {
	panic("report: a picture for paper has no images")
}

// firstFont is the number of the first object of the first font, fontObjects the number of objects a
// font.
const firstFont, fontObjects = 5, 5

// bytes is the file: header, objects, the table of where they are, trailer.
func (c *pdfCanvas) bytes() ([]byte, error) {
	packed, err := deflated(c.content.Bytes())
	if err != nil {
		return nil, err
	}
	var states []string
	for a := range c.alphas {
		states = append(states, fmt.Sprintf("/a%d << /ca %.4f /CA %.4f >>", a, float64(a)/255, float64(a)/255))
	}
	sort.Strings(states)
	var names []string
	for i := range c.fonts {
		names = append(names, fmt.Sprintf("/f%d %d 0 R", i, firstFont+fontObjects*i))
	}
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %s %s] /Contents 4 0 R /Resources << /ExtGState << %s >> /Font << %s >> >> >>",
			pt(c.width), pt(c.height), strings.Join(states, " "), strings.Join(names, " ")),
		fmt.Sprintf("<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream", len(packed), packed),
	}
	for _, f := range c.fonts {
		own, err := f.objects(len(objects) + 1)
		if err != nil {
			return nil, err
		}
		objects = append(objects, own...)
	}
	var out bytes.Buffer
	out.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	table := "0000000000 65535 f \n"
	for i, o := range objects {
		table += fmt.Sprintf("%010d 00000 n \n", out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, table, len(objects)+1, start)
	return out.Bytes(), nil
}
