package chart

import (
	"fmt"
	"image/color"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"kifu/internal/human"
)

// picture has n lines of so many points over an axis that ends at a tick.
func picture(n, points int) *Chart {
	c := &Chart{Title: "t", XLabel: "x", YLabel: "y", XMax: 1200, YMax: 1, XTicks: AxisTicks(0, 1200, 6, human.Number), YTicks: AxisTicks(0, 1, 5, human.Number)}
	for i := range n {
		s := Series{Label: fmt.Sprint("line ", i), Colour: i}
		for j := range points {
			s.Points = append(s.Points, Point{X: 1200 * float64(j) / float64(points), Y: 0.5, Low: 0.4, High: 0.6})
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// TestIntervals: up to two lines have bands, more have whiskers, and no line has both; of
// many points some have whiskers.
func TestIntervals(t *testing.T) {
	for n, want := range map[int][2]int{1: {1, 0}, 2: {2, 0}, 3: {0, 3}, 5: {0, 5}} {
		svg := string(picture(n, 100).SVG())
		if bands, bars := strings.Count(svg, `class="band"`)/2, strings.Count(svg, `class="bars"`)/2; bands != want[0] || bars != want[1] {
			t.Errorf("%d lines: %d bands and %d with whiskers, want %v", n, bands, bars, want)
		}
		c := picture(n, 100)
		if got := len(c.Series[0].whiskers()); got > mostWhiskers || got < mostWhiskers/2 {
			t.Errorf("%d whiskers of 100 points", got)
		}
		// On paper a band is the only filled shape in the colour of a line that is transparent.
		var r recorder.Canvas
		if err := c.draw(draw.NewCanvas(&r, printWidth, printHeight), newPen(Look{})); err != nil {
			t.Fatal(err)
		}
		filled := 0
		for i, a := range r.Actions {
			if _, fill := a.(*recorder.Fill); fill && i > 0 {
				if k, is := r.Actions[i-1].(*recorder.SetColor); is && translucent(k.Color) {
					filled++
				}
			}
		}
		if filled != want[0] {
			t.Errorf("%d lines on paper: %d bands, want %d", n, filled, want[0])
		}
	}
}

func translucent(c color.Color) bool {
	_, _, _, a := c.RGBA()
	return a < 0xffff
}

// TestLabelsInside: the label of a tick at the end of the axis is within the picture, on the
// page and on paper.
func TestLabelsInside(t *testing.T) {
	c := picture(1, 5)
	svg := string(c.SVG())
	if !strings.Contains(svg, `text-anchor="end">1200</text>`) || strings.Contains(svg, `text-anchor="middle">1200</text>`) {
		t.Error("the label at the right end is in the middle of its tick, half of it outside")
	}
	var r recorder.Canvas
	if err := c.draw(draw.NewCanvas(&r, printWidth, printHeight), newPen(Look{})); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, a := range r.Actions {
		if text, is := a.(*recorder.FillString); is && text.String == "1200" {
			found = true
			if end := text.Point.X + style(newPen(Look{}).plain(10), ink).Width("1200"); end > printWidth-vg.Points(2) {
				t.Errorf("the label ends at %v of %v", end, printWidth)
			}
		}
	}
	if !found {
		t.Error("no label 1200 on paper")
	}
}

// TestLegend: a line without points is not in the legend.
func TestLegend(t *testing.T) {
	c := picture(2, 5)
	c.Series[0].Points = nil
	if all := c.Legend(); len(all) != 1 || all[0].Number != 1 {
		t.Errorf("%+v", all)
	}
	f := &Forest{Series: c.Series}
	if all := f.Legend(); len(all) != 2 {
		t.Errorf("%+v", all)
	}
}
