package chart

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"kifu/internal/human"
	"kifu/internal/pattern"
)

// Look sets how a picture is drawn for paper. The zero value is a picture of nine by six inches with
// letters of ten points.
type Look struct {
	Title  *string     `json:"title,omitempty"`     // nil: the report's; empty: neither title nor subtitle
	Width  float64     `json:"width_mm,omitempty"`  // millimetres; 0: nine inches
	Height float64     `json:"height_mm,omitempty"` // 0: six inches; a Forest's is set by its lines
	X      *[2]float64 `json:"xlim,omitempty"`      // nil: the report's
	Y      *[2]float64 `json:"ylim,omitempty"`
	Font   string      `json:"font,omitempty"`    // of Fonts; empty: sans
	Size   float64     `json:"size_pt,omitempty"` // of ticks' labels, in points; 0: by the width
	Colour string      `json:"palette,omitempty"` // of Palettes, or colours as #rrggbb,#rrggbb; empty: okabe-ito
	Legend string      `json:"legend,omitempty"`  // of Legends; empty: top
	Bands  string      `json:"bands,omitempty"`   // of Bands; empty: bands of up to two series, whiskers of more
}

// The names that a Look takes: palettes, places of a legend (above and below the picture, none, and in its corners), ways in
// which intervals are drawn, and families of letters.
var (
	Palettes = []string{"okabe-ito", "tol", "contrast", "grey"}
	Legends  = []string{"top", "bottom", "none", "nw", "ne", "sw", "se"}
	Bands    = []string{"band", "whiskers", "none"}
	Fonts    = []string{"sans", "serif", "mono"}
)

var palettes = map[string][]string{
	"okabe-ito": nil, // Palette
	// Paul Tol's bright and high-contrast schemes (SRON/EPS/TN/09-002, issue 3.2).
	"tol":      {"#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb"},
	"contrast": {"#000000", "#004488", "#bb5566", "#ddaa33"},
	"grey":     {"#000000", "#5a5a5a", "#8c8c8c", "#b4b4b4"},
}

// Validate reports the first thing that no picture can look like.
func (l Look) Validate() error {
	oneOf := func(what, name string, names []string) error {
		if name == "" || slices.Contains(names, name) {
			return nil
		}
		return fmt.Errorf("%s %q: want %s", what, name, strings.Join(names, ", "))
	}
	switch {
	case l.Width != 0 && !(l.Width >= 30 && l.Width <= 2000 && l.Height >= 20 && l.Height <= 2000):
		return fmt.Errorf("size %v by %v mm: want at least 30 by 20 and at most 2000", l.Width, l.Height)
	case l.Size != 0 && !(l.Size >= 4 && l.Size <= 72):
		return fmt.Errorf("font of %v points: want 4 to 72", l.Size)
	}
	if err := oneOf("font", l.Font, Fonts); err != nil {
		return err
	}
	if err := oneOf("legend", l.Legend, Legends); err != nil {
		return err
	}
	if err := oneOf("bands", l.Bands, Bands); err != nil {
		return err
	}
	if _, known := palettes[l.Colour]; l.Colour != "" && !known {
		for c := range strings.SplitSeq(l.Colour, ",") {
			if !colourCode().MatchString(c) {
				return fmt.Errorf("palette %q: want %s, or colours as #d55e00,#0072b2", l.Colour, strings.Join(Palettes, ", "))
			}
		}
	}
	return nil
}

var (
	colourCode = pattern.Of(`^#[0-9a-fA-F]{6}$`)
	sizeText   = pattern.Of(`^([0-9.]+)(mm|cm|in|pt) ?[x×] ?([0-9.]+)(mm|cm|in|pt)$`)
	inUnit     = map[string]float64{"mm": 1, "cm": 10, "in": 25.4, "pt": 25.4 / 72}
)

// ParseSize reads a width and a height, 84mmx60mm, in millimetres. Units are mm, cm, in and pt (1/72 in).
func ParseSize(text string) (width, height float64, err error) {
	m := sizeText().FindStringSubmatch(text)
	if m == nil {
		return 0, 0, fmt.Errorf("size %q: want a width and a height as 84mmx60mm, in mm, cm, in or pt", text)
	}
	for i, to := range []*float64{&width, &height} {
		v, err := strconv.ParseFloat(m[1+2*i], 64)
		if err != nil || v == 0 { // 0 is a Look without a size
			return 0, 0, fmt.Errorf("size %q: %q is no length", text, m[1+2*i])
		}
		*to = math.Round(v*inUnit[m[2+2*i]]*1e6) / 1e6
	}
	return width, height, nil
}

// ParseLimits reads the ends of an axis, LOW,HIGH.
func ParseLimits(text string) (*[2]float64, error) {
	low, high, _ := strings.Cut(text, ",")
	var all [2]float64
	var err error
	for i, part := range []string{low, high} {
		if all[i], err = strconv.ParseFloat(strings.Replace(strings.TrimSpace(part), "−", "-", 1), 64); err != nil {
			return nil, fmt.Errorf("limits %q: want two numbers as -300,300", text)
		}
	}
	if !(all[0] < all[1]) || all[1]-all[0] > 1e15 {
		return nil, fmt.Errorf("limits %q: want the lower one first", text)
	}
	return &all, nil
}

// ParseFont reads a family of letters, a size in points, or both: serif:8.
func ParseFont(text string) (family string, size float64, err error) {
	family, points, both := strings.Cut(text, ":")
	if !both && strings.Trim(text, "0123456789.") == "" {
		family, points = "", text
	}
	if points != "" {
		if size, err = strconv.ParseFloat(points, 64); err != nil || size == 0 { // 0 is a Look without a size
			return "", 0, fmt.Errorf("font %q: want a family and a size in points as serif:8", text)
		}
	}
	return family, size, nil
}

const millimetre = vg.Inch / 25.4

// width and height are the size of a picture.
func (l Look) width() vg.Length {
	if l.Width == 0 {
		return printWidth
	}
	return vg.Length(l.Width) * millimetre
}

func (l Look) height() vg.Length {
	if l.Height == 0 {
		return printHeight
	}
	return vg.Length(l.Height) * millimetre
}

// smallPicture is the width, in millimetres, below which letters are of 8 points, not 10, and
// pixels half as large.
const smallPicture = 150

// points is the size of the labels of ticks.
func (l Look) points() float64 {
	switch {
	case l.Size != 0:
		return l.Size
	case l.Width != 0 && l.Width < smallPicture:
		return 8
	}
	return 10
}

// Dots is the number of pixels in an inch.
func (l Look) Dots() int {
	switch {
	case l.Width == 0:
		return printDPI
	case l.Width < smallPicture:
		return 600
	}
	return 300
}

// colours are the palette's.
func (l Look) colours() (all []color.NRGBA) {
	codes := palettes[l.Colour]
	if l.Colour != "" && l.Colour != "okabe-ito" && codes == nil {
		codes = strings.Split(l.Colour, ",")
	}
	if codes == nil {
		for _, pair := range Palette {
			codes = append(codes, pair[0])
		}
	}
	for _, code := range codes {
		c := color.NRGBA{A: 0xff}
		fmt.Sscanf(code, "#%02x%02x%02x", &c.R, &c.G, &c.B)
		all = append(all, c)
	}
	return all
}

// title is a picture's title and subtitle as l has them.
func (l Look) title(title, subtitle string) (string, string) {
	switch {
	case l.Title == nil:
		return title, subtitle
	case *l.Title == "":
		return "", ""
	}
	return *l.Title, subtitle
}

// limited is c within the limits of l, with ticks that fit them.
func (c *Chart) limited(l Look) *Chart {
	if l.X == nil && l.Y == nil {
		return c
	}
	k := *c
	if l.X != nil {
		k.XMin, k.XMax = l.X[0], l.X[1]
		k.XTicks = k.RoundXTicks(12, labelOf(c.XTicks))
	}
	if l.Y != nil {
		k.YMin, k.YMax = l.Y[0], l.Y[1]
		k.YTicks = AxisTicks(k.YMin, k.YMax, 10, labelOf(c.YTicks))
	}
	return &k
}

// labelOf writes numbers as the labels of ticks do: as shares or unchanged.
func labelOf(ticks []Tick) func(float64) string {
	for _, t := range ticks {
		if strings.HasSuffix(t.Label, "%") {
			return func(v float64) string { return human.Percent(v, 0) }
		}
	}
	return human.Number
}

// within are the points whose X is on the axis.
func (c *Chart) within(points []Point) []Point {
	return slices.DeleteFunc(slices.Clone(points), func(p Point) bool { return p.X < c.XMin || p.X > c.XMax })
}
