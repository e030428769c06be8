package chart

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"image"
	"image/color"
	"image/png"
	"slices"
	"strings"

	"git.sr.ht/~sbinet/gg"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
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
type Picture interface {
	// Print draws the picture with the look.
	Print(Look) (Printed, error)
	// Recipe returns the data of the picture and programs that draw it again.
	Recipe(name string, l Look) Recipe
	// Titles returns the title and the subtitle.
	Titles() (title, subtitle string)
	// SVG draws the picture for the page, and Legend lists its series.
	SVG() template.HTML
	Legend() []LegendEntry
}

// printAll paints a drawing in all formats, the pixels concurrently: they take half of the time.
func printAll(width, height vg.Length, dpi int, paint func(draw.Canvas) error) (p Printed, err error) {
	painted := make(chan error, 1)
	go func() {
		var err error
		p.PNG, err = printPNG(width, height, dpi, paint)
		painted <- err
	}()
	p.SVG, p.PDF, err = printVector(width, height, paint)
	if err := cmp.Or(<-painted, err); err != nil {
		return Printed{}, err
	}
	return p, nil
}

func printPNG(width, height vg.Length, dpi int, paint func(draw.Canvas) error) ([]byte, error) {
	// A canvas of its own would be copied, and its pages touched three times.
	pixels := image.NewRGBA(image.Rect(0, 0, int(width.Dots(float64(dpi))+0.5), int(height.Dots(float64(dpi))+0.5)))
	onto := gg.NewContextForRGBA(pixels)
	onto.SetLineCapButt()
	onto.InvertY()
	raster := vgimg.NewWith(vgimg.UseImageWithContext(pixels, onto), vgimg.UseDPI(dpi))
	if err := paint(draw.NewCanvas(raster, width, height)); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	// A quarter less time for a twentieth more bytes.
	err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, pixels)
	return out.Bytes(), err
}

func printVector(width, height vg.Length, paint func(draw.Canvas) error) (svg, pdf []byte, err error) {
	var out bytes.Buffer
	vector := &sized{Canvas: vgsvg.New(width, height)}
	if err := paint(draw.New(vector)); err != nil {
		return nil, nil, err
	}
	if _, err := vector.WriteTo(&out); err != nil {
		return nil, nil, err
	}
	page := newPDF(width, height)
	if err := paint(draw.New(page)); err != nil {
		return nil, nil, err
	}
	pdf, err = page.bytes()
	return vector.sizes(webFonts.Replace(out.String())), pdf, err
}

// sized is a canvas of SVG whose texts have their width, so that they end where they should if a viewer has none of their fonts.
type sized struct {
	*vgsvg.Canvas
	widths []vg.Length // of the texts, in their order
}

// FillString sets text from at on.
func (c *sized) FillString(f font.Face, at vg.Point, text string) {
	c.widths = append(c.widths, f.Width(text))
	c.Canvas.FillString(f, at, text)
}

// sizes writes the widths into the texts of a picture.
func (c *sized) sizes(svg string) []byte {
	const text = "<text "
	var out bytes.Buffer
	for i, part := range strings.Split(svg, text) {
		if i > 0 {
			fmt.Fprintf(&out, "%stextLength=\"%.2f\" lengthAdjust=\"spacingAndGlyphs\" ", text, c.widths[i-1].Points())
		}
		out.WriteString(part)
	}
	return out.Bytes()
}

// webFonts gives the SVG's texts fonts that other machines have, too.
var webFonts = strings.NewReplacer("font-family:Liberation Sans", "font-family:Liberation Sans,Arial,Helvetica,sans-serif",
	"font-family:Liberation Serif", "font-family:Liberation Serif,Times New Roman,Times,serif", "font-family:Liberation Mono", "font-family:Liberation Mono,Courier New,Courier,monospace")

// pen draws by a Look. Lengths are for letters of ten points and grow with them.
type pen struct {
	look    Look
	scale   vg.Length
	variant font.Variant
	colours []color.NRGBA
}

func newPen(l Look) pen {
	p := pen{look: l, scale: vg.Length(l.points() / 10), variant: "Sans", colours: l.colours()}
	switch l.Font {
	case "serif":
		p.variant = "Serif"
	case "mono":
		p.variant = "Mono"
	}
	return p
}

// pt is a length of points for letters of ten.
func (p pen) pt(points float64) vg.Length { return vg.Points(points) * p.scale }

func (p pen) plain(size float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: p.variant, Size: p.pt(size)}
}

func (p pen) bold(size float64) font.Font {
	f := p.plain(size)
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
	grey  = color.NRGBA{0x77, 0x77, 0x77, 0xff} // of Guide
)

// ink is a colour of the palette on paper.
func (p pen) ink(colour int, alpha uint8) color.NRGBA {
	c := grey
	if colour != Guide {
		c = p.colours[colour%len(p.colours)]
	}
	c.A = alpha
	return c
}

// dash is the number of the dashes of s: where the palette begins again, or is of greys, lines
// differ by them.
func (p pen) dash(s *Series) int {
	switch {
	case s.Colour == Guide:
		return s.Dash % len(dashes)
	case p.look.Colour == "grey":
		return (s.Dash + s.Colour) % len(dashes)
	case len(p.colours) < len(Palette):
		return (s.Dash + s.Colour/len(p.colours)) % len(dashes)
	}
	return s.Dash % len(dashes)
}

func (p pen) line(s *Series) draw.LineStyle {
	l := draw.LineStyle{Color: p.ink(s.Colour, 255), Width: p.pt(1.4)}
	for _, d := range dashes[p.dash(s)] {
		l.Dashes = append(l.Dashes, p.pt(d))
	}
	if s.Smooth {
		l.Width = p.pt(1)
	}
	return l
}

var glyphs = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.PlusGlyph{}, draw.CrossGlyph{}}

func (p pen) glyph(s *Series) draw.GlyphStyle {
	if s.MarksOnly {
		return draw.GlyphStyle{Color: p.ink(s.Colour, 255), Radius: p.pt(2.8), Shape: draw.CrossGlyph{}}
	}
	return draw.GlyphStyle{Color: p.ink(s.Colour, 255), Radius: p.pt(2.1), Shape: glyphs[glyphOf(s)]}
}

// glyphOf is the number of the mark of s.
func glyphOf(s *Series) int { return (max(s.Colour, 0) + 3*s.Dash) % len(glyphs) }

// head writes title and subtitle and returns where they end.
func (p pen) head(dc draw.Canvas, title, subtitle string) (top vg.Length) {
	top = dc.Max.Y
	write := func(s text.Style, paragraph string) {
		for _, line := range wrap(s, paragraph, dc.Max.X-dc.Min.X) {
			top -= s.Font.Size * 1.15
			dc.FillText(s, vg.Point{X: dc.Min.X, Y: top}, line)
		}
	}
	title, subtitle = p.look.title(title, subtitle)
	if title == "" {
		return top
	}
	write(style(p.bold(14), ink), title)
	for _, line := range strings.Split(subtitle, "\n") {
		top -= p.pt(2)
		write(style(p.plain(9.5), faint), line)
	}
	return top - p.pt(6)
}

// wrap breaks text between words into lines of at most the width; a single word that is
// wider is broken between letters.
func wrap(s text.Style, paragraph string, width vg.Length) []string {
	var lines []string
	line := ""
	for _, word := range strings.Split(paragraph, " ") {
		if line != "" && s.Width(line+" "+word) <= width {
			line += " " + word
			continue
		}
		if line != "" {
			lines, line = append(lines, line), ""
		}
		for _, r := range word {
			if line != "" && s.Width(line+string(r)) > width {
				lines, line = append(lines, line), ""
			}
			line += string(r)
		}
	}
	return append(lines, line)
}

// short leaves out what follows a comma in the name of an axis that is wider than width, and breaks what is wider still.
func short(s text.Style, label string, width vg.Length) []string {
	if s.Width(label) > width {
		label, _, _ = strings.Cut(label, ", ")
	}
	return wrap(s, label, width)
}

// The sample of a line in a legend, and the space between entries.
const legendSample, legendGap = 24, 16

// legend sets the series' names in lines from top on and returns where they end.
func (p pen) legend(dc draw.Canvas, all []Series, top vg.Length) vg.Length {
	s := style(p.plain(10.5), ink)
	height := s.Font.Size * 1.45
	x := dc.Min.X
	top -= height
	for i := range all {
		lines := wrap(s, all[i].Label, dc.Max.X-dc.Min.X-p.pt(legendSample+6))
		width := p.pt(legendSample + 6)
		for _, name := range lines {
			width = max(width, p.pt(legendSample+6)+s.Width(name))
		}
		if x > dc.Min.X && (x+width > dc.Max.X || len(lines) > 1) {
			x, top = dc.Min.X, top-height
		}
		p.entry(dc, s, &all[i], lines[0], x, top)
		for _, name := range lines[1:] {
			top -= height
			dc.FillText(s, vg.Point{X: x + p.pt(legendSample+6), Y: top}, name)
		}
		// A browser without Liberation or Arial sets names wider, by an eighth in DejaVu.
		x += width + max(p.pt(legendGap), width/6)
		if len(lines) > 1 {
			x = dc.Max.X // nothing beside a name of several lines
		}
	}
	return top
}

// entry draws the sample of a line and its name.
func (p pen) entry(dc draw.Canvas, s text.Style, k *Series, name string, x, y vg.Length) {
	middle := y + s.Font.Size*0.42
	if !k.MarksOnly {
		dc.StrokeLine2(p.line(k), x, middle, x+p.pt(legendSample), middle)
	}
	if !k.Smooth {
		dc.DrawGlyph(p.glyph(k), vg.Point{X: x + p.pt(legendSample)/2, Y: middle})
	}
	dc.FillText(s, vg.Point{X: x + p.pt(legendSample+6), Y: y}, name)
}

// room is how far apart the labels of two ticks are at least, as a share of the size of letters.
const room = 0.6

// thin leaves out ticks, in a regular way, until the labels of those that are left do not touch; extent is the size
// of a label along the axis, of length points from low to high. A tick at 0 stays.
func thin(ticks []Tick, low, high float64, length, gap vg.Length, extent func(string) vg.Length) []Tick {
	touch := func(some []Tick) bool {
		for i := 1; i < len(some); i++ {
			apart := vg.Length((some[i].At-some[i-1].At)/(high-low)) * length
			if (extent(some[i-1].Label)+extent(some[i].Label))/2+gap > apart {
				return true
			}
		}
		return false
	}
	some := ticks
	for _, every := range []int{2, 5, 10, 20, 50} {
		if !touch(some) {
			break
		}
		from := max(0, slices.IndexFunc(ticks, func(t Tick) bool { return t.At == 0 })) % every
		some = nil
		for i := from; i < len(ticks); i += every {
			some = append(some, ticks[i])
		}
	}
	return some
}
