package report

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// chart is a picture of lines over one horizontal axis, before it is drawn: print.go
// draws it for paper, svg.go for the page.
type chart struct {
	Title, Subtitle string
	XLabel, YLabel  string
	XMin, XMax      float64
	YMin, YMax      float64
	XTicks, YTicks  []tick
	Whole           bool   // the horizontal axis counts: no ticks but at whole numbers
	Cross           *point // where the guide lines meet
	Areas           []area // behind the series
	Series          []series
}

// area is what lies between two lines with the same values of X.
type area struct {
	Label     string
	Colour    int // of palette
	Low, High []point
}

// outline goes along the lower line and back along the upper one.
func (a area) outline() []point {
	all := slices.Clone(a.Low)
	for _, p := range slices.Backward(a.High) {
		all = append(all, p)
	}
	return all
}

// middle is where the area's name fits: at its widest.
func (a area) middle() (at point) {
	height := 0.0
	for i, low := range a.Low {
		if len(a.Low) > 10 && (i < len(a.Low)/10 || i >= len(a.Low)-len(a.Low)/10) {
			continue // at the very edge the name would leave the picture
		}
		if h := a.High[i].Y - low.Y; h > height {
			at, height = point{X: low.X, Y: low.Y + h/2}, h
		}
	}
	return at
}

// series is a line through points with a band of their intervals; without intervals
// (Smooth) it is a plain line.
type series struct {
	Label  string
	Colour int // of palette
	Dash   int // of dashes
	Smooth bool
	Beside bool // not of the data: marks alone, crosses on paper
	Points []point
}

type point struct {
	X, Y, Low, High float64
	Note            string // shown when pointed at
}

type tick struct {
	At    float64
	Label string
}

// palette is that of Okabe and Ito, told apart also by the colour-blind, with black
// first; the second colour of a pair is for dark backgrounds.
var palette = [][2]string{
	{"#222222", "#e8e8e8"}, {"#d55e00", "#ff8a3d"}, {"#0072b2", "#56b4e9"}, {"#009e73", "#2fd6a5"},
	{"#cc79a7", "#e79cc4"}, {"#b58900", "#f0c64a"}, {"#7a5195", "#b79ad6"}, {"#8c564b", "#c79a90"},
}

// guide is the index behind the palette for what is no data: fitted lines.
const guide = -1

// dashes are stroke patterns in points; the first is solid.
var dashes = [][]float64{nil, {6, 3}, {2, 2}, {8, 3, 2, 3}}

// axisTicks places at most n round ticks between low and high.
func axisTicks(low, high float64, n int, label func(float64) string) []tick {
	raw := (high - low) / float64(n)
	step := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, f := range []float64{1, 2, 2.5, 5, 10} {
		if f*step >= raw*(1-1e-9) {
			step *= f
			break
		}
	}
	var ticks []tick
	for i := math.Ceil(low/step - 1e-9); i*step <= high+1e-9*step; i++ {
		ticks = append(ticks, tick{i * step, label(i * step)})
	}
	return ticks
}

// xTicks places at most n ticks on the horizontal axis.
func (c *chart) xTicks(n int, label func(float64) string) []tick {
	ticks := axisTicks(c.XMin, c.XMax, n, label)
	if c.Whole {
		ticks = slices.DeleteFunc(ticks, func(t tick) bool { return math.Abs(t.At-math.Round(t.At)) > 1e-9 })
	}
	return ticks
}

// plainNumber writes a number with a true minus sign and no more digits than it needs.
func plainNumber(v float64) string {
	text := strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64)
	if text == "-0" {
		text = "0"
	}
	return strings.Replace(text, "-", "−", 1)
}

// signed is plainNumber at the given decimals with its sign, NaN as a dash.
func signed(v float64, decimals int) string {
	if math.IsNaN(v) {
		return "–"
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	switch {
	case strings.Trim(text, "-0.") == "":
		return strings.TrimPrefix(text, "-")
	case v > 0:
		return "+" + text
	}
	return strings.Replace(text, "-", "−", 1)
}

// percent writes a share in hundredths.
func percent(p float64, decimals int) string {
	if math.IsNaN(p) {
		return "–"
	}
	return strconv.FormatFloat(100*p, 'f', decimals, 64) + "\u00a0%"
}

// grouped writes a count with commas: 1,234,567.
func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// plural is a count with its noun.
func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(n) + " " + many
}
