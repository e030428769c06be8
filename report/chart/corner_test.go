package chart

import (
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/recorder"
)

// curves are series of a shape over 13 bins, with names as conditions have them.
func curves(shape func(x float64) float64, n int) *Chart {
	c := &Chart{XLabel: "value", YLabel: "won", XMin: -300, XMax: 300, YMax: 1}
	c.XTicks, c.YTicks = AxisTicks(-300, 300, 12, func(v float64) string { return fmt.Sprint(v) }), AxisTicks(0, 1, 10, func(v float64) string { return fmt.Sprintf("%.1f", v) })
	for i := range n {
		s := Series{Label: []string{"total", "safe (king_safety ≥ 30)", "unsafe_with_a_name_that_is_too_long_for_any_line_of_a_column (king_safety ≤ −30)"}[i], Colour: i}
		for x := -300.; x <= 300; x += 50 {
			y := shape(x/300) + 0.02*float64(i)
			s.Points = append(s.Points, Point{X: x, Y: y, Low: y - 0.06, High: y + 0.06})
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// seen is what a drawing shows: the texts by place, and points along the lines of the data, which have a series' colour.
type seen struct {
	texts map[vg.Point]string
	data  []vg.Point
	grid  vg.Rectangle
	boxed bool // a legend is on the data
}

func look(t *testing.T, c *Chart, l Look) (s seen) {
	s.texts = map[vg.Point]string{}
	s.grid = vg.Rectangle{Min: vg.Point{X: 1e9, Y: 1e9}}
	var now color.NRGBA
	along := func(p vg.Path) {
		for i := 1; i < len(p); i++ {
			a, b := p[i-1].Pos, p[i].Pos
			for k := vg.Length(0); k <= 40; k++ {
				s.data = append(s.data, vg.Point{X: a.X + (b.X-a.X)*k/40, Y: a.Y + (b.Y-a.Y)*k/40})
			}
		}
	}
	for _, a := range drawnAs(t, c, l).Actions {
		switch a := a.(type) {
		case *recorder.SetColor:
			now = color.NRGBAModel.Convert(a.Color).(color.NRGBA)
		case *recorder.FillString:
			s.texts[a.Point] = a.String
		case *recorder.Fill:
			s.boxed = s.boxed || now.A == 0xd8
			if now.A == 0x30 {
				along(a.Path)
			}
		case *recorder.Stroke:
			if now == rules {
				for _, q := range a.Path {
					s.grid.Min.X, s.grid.Max.X = min(s.grid.Min.X, q.Pos.X), max(s.grid.Max.X, q.Pos.X)
					s.grid.Min.Y, s.grid.Max.Y = min(s.grid.Min.Y, q.Pos.Y), max(s.grid.Max.Y, q.Pos.Y)
				}
			} else if now != faint && now.R != 0xaa {
				along(a.Path)
			}
		}
	}
	return s
}

// TestLegendCoversNothing: in every size and form of curve no name of a legend, nor the line before it, is on a
// point, a line or an interval, wherever it is wanted; it is on the plot where a corner has room, else outside. Names
// are whole.
func TestLegendCoversNothing(t *testing.T) {
	forms := map[string]func(x float64) float64{
		"rising": func(x float64) float64 { return 0.5 + 0.42*x }, "falling": func(x float64) float64 { return 0.46 - 0.38*x },
		"low": func(float64) float64 { return 0.1 }, "high": func(float64) float64 { return 0.88 }, "valley": func(x float64) float64 { return 0.08 + 0.8*x*x },
		"full": func(x float64) float64 { return 0.47 + 0.4*math.Cos(6*math.Pi*x) },
	}
	inside := map[string]int{}
	for form, of := range forms {
		for _, n := range []int{1, 3} {
			for _, size := range [][2]float64{{84, 60}, {60, 45}, {0, 0}} {
				for _, legend := range []string{"se", "ne", "sw", "nw", "top", "bottom"} {
					for _, bands := range []string{"band", "whiskers"} {
						l := Look{Width: size[0], Height: size[1], Font: "serif", Legend: legend, Bands: bands, Title: new(string)}
						c := curves(of, n)
						s := look(t, c, l)
						if s.boxed {
							inside[form]++
						}
						if checkLegend(t, fmt.Sprintf("%s %d %v %s %s", form, n, size, legend, bands), c, l, s); t.Failed() {
							return
						}
					}
				}
			}
		}
	}
	if inside["full"] >= inside["low"] || inside["rising"] == 0 || inside["falling"] == 0 || inside["low"] == 0 {
		t.Errorf("legends on the plot: %v", inside)
	}
}

// checkLegend compares the legend of a drawing with the data of the same drawing without one.
func checkLegend(t *testing.T, name string, c *Chart, l Look, s seen) {
	p := newPen(l)
	size := 10.5
	data := s.grid
	if s.boxed {
		size = 9.5
		none := l
		none.Legend = "none"
		s.data = look(t, c, none).data
	}
	font := style(p.plain(size), ink)
	said := ""
	for _, k := range c.Series {
		said += strings.ReplaceAll(k.Label, " ", "")
	}
	whole := 0
	for at, text := range s.texts {
		if !strings.Contains(said, strings.ReplaceAll(text, " ", "")) || len(text) == 1 || at.X < s.grid.Min.X && s.boxed {
			continue
		}
		whole += len(strings.ReplaceAll(text, " ", ""))
		box := vg.Rectangle{Min: vg.Point{X: at.X - p.pt(legendSample+6), Y: at.Y}, Max: vg.Point{X: at.X + font.Width(text), Y: at.Y + font.Font.Size*0.7}}
		if !s.boxed && box.Min.Y < data.Max.Y && box.Max.Y > data.Min.Y {
			t.Errorf("%s: %q is at the height of the plot", name, text)
		}
		if box.Min.X < 0 || box.Max.X > l.width() || box.Min.Y < 0 || box.Max.Y > l.height() {
			t.Errorf("%s: %q leaves the picture", name, text)
		}
		for _, q := range s.data {
			if s.boxed && q.X > box.Min.X && q.X < box.Max.X && q.Y > box.Min.Y && q.Y < box.Max.Y {
				t.Errorf("%s: %q covers the data at %v", name, text, q)
				return
			}
		}
	}
	if whole != len(said) {
		t.Errorf("%s: %d letters of names, want %d: %v", name, whole, len(said), s.texts)
	}
}
