// Package chart draws pictures: lines over one horizontal axis (Chart) and weights with their
// intervals (Forest), for the page as SVG that follows its style sheet, and for paper as SVG,
// PDF and PNG. Equal charts give equal bytes.
package chart

import (
	"math"
	"slices"

	"kifu/internal/human"
)

// Chart is a picture of lines over one horizontal axis, before it is drawn: print.go
// draws it for paper, svg.go for the page.
type Chart struct {
	Title, Subtitle string
	XLabel, YLabel  string
	XMin, XMax      float64
	YMin, YMax      float64
	XTicks, YTicks  []Tick
	Whole           bool   // the horizontal axis counts: no ticks but at whole numbers
	Cross           *Point // where the guide lines meet
	Areas           []Area // behind the series
	Series          []Series
}

// Area is the area between two lines with the same values of X.
type Area struct {
	Label     string
	Colour    int // of palette
	Low, High []Point
}

// outline goes along the lower line and back along the upper one.
func (a Area) outline() []Point {
	all := slices.Clone(a.Low)
	for _, p := range slices.Backward(a.High) {
		all = append(all, p)
	}
	return all
}

// middle is where the area's name fits: at its widest.
func (a Area) middle() (at Point) {
	height := 0.0
	for i, low := range a.Low {
		if len(a.Low) > 10 && (i < len(a.Low)/10 || i >= len(a.Low)-len(a.Low)/10) {
			continue // at the very edge the name would leave the picture
		}
		if h := a.High[i].Y - low.Y; h > height {
			at, height = Point{X: low.X, Y: low.Y + h/2}, h
		}
	}
	return at
}

// Series is a line through points with a band of their intervals; without intervals
// (Smooth) it is a plain line.
type Series struct {
	Label     string
	Colour    int // of palette
	Dash      int // of dashes
	Smooth    bool
	MarksOnly bool // a reference, not data: no line, crosses on paper
	Points    []Point
}

// Point is a point of a series, from Low to High where the series has intervals.
type Point struct {
	X, Y, Low, High float64
	Note            string // shown when pointed at
}

// Tick is a mark of an axis.
type Tick struct {
	At    float64
	Label string
}

// Palette has the colours of Okabe and Ito, told apart also by the colour-blind, with black
// first; the second colour of a pair is for dark backgrounds.
var Palette = [][2]string{
	{"#222222", "#e8e8e8"}, {"#d55e00", "#ff8a3d"}, {"#0072b2", "#56b4e9"}, {"#009e73", "#2fd6a5"},
	{"#cc79a7", "#e79cc4"}, {"#b58900", "#f0c64a"}, {"#7a5195", "#b79ad6"}, {"#8c564b", "#c79a90"},
}

// Guide is the colour of what is no data: fitted lines.
const Guide = -1

// dashes are stroke patterns in points; the first is solid.
var dashes = [][]float64{nil, {6, 3}, {2, 2}, {8, 3, 2, 3}}

// AxisTicks places at most n round ticks between low and high.
func AxisTicks(low, high float64, n int, label func(float64) string) []Tick {
	raw := (high - low) / float64(n)
	step := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, f := range []float64{1, 2, 2.5, 5, 10} {
		if f*step >= raw*(1-1e-9) {
			step *= f
			break
		}
	}
	var ticks []Tick
	for i := math.Ceil(low/step - 1e-9); i*step <= high+1e-9*step; i++ {
		ticks = append(ticks, Tick{i * step, label(i * step)})
	}
	return ticks
}

// RoundXTicks places at most n ticks on the horizontal axis.
func (c *Chart) RoundXTicks(n int, label func(float64) string) []Tick {
	ticks := AxisTicks(c.XMin, c.XMax, n, label)
	if c.Whole {
		ticks = slices.DeleteFunc(ticks, func(t Tick) bool { return math.Abs(t.At-math.Round(t.At)) > 1e-9 })
	}
	return ticks
}

// SpanX sets the horizontal axis to the points, with a margin.
func (c *Chart) SpanX(margin float64) {
	c.XMin, c.XMax = math.Inf(1), math.Inf(-1)
	for _, s := range c.Series {
		for _, p := range s.Points {
			c.XMin, c.XMax = math.Min(c.XMin, p.X-margin), math.Max(c.XMax, p.X+margin)
		}
	}
	if c.XMin > c.XMax {
		c.XMin, c.XMax = 0, margin
	}
}

// ShareAxis fits a vertical axis of shares to the series.
func (c *Chart) ShareAxis() {
	top := 0.1
	for _, s := range c.Series {
		for _, p := range s.Points {
			top = math.Max(top, math.Max(p.Y, p.High))
		}
	}
	c.YMax = math.Min(1, math.Ceil(top*10)/10) + 0.02 // so that no tick's label meets the legend
	c.XTicks = c.RoundXTicks(12, human.Number)
	c.YTicks = AxisTicks(0, c.YMax, 10, func(v float64) string { return human.Percent(math.Abs(v), 0) })
}
