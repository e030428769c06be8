package parts

import (
	"slices"

	"kifu/internal/human"
	"kifu/report/chart"
	"kifu/schemas"
)

// Plot is a chart as web/plot.js draws it: all lines over one list of x.
type Plot struct {
	XLabel string  `json:"xlabel"`
	YLabel string  `json:"ylabel"`
	XMin   float64 `json:"xmin"`
	XMax   float64 `json:"xmax"`
	YMin   float64 `json:"ymin"`
	YMax   float64 `json:"ymax"`
	// Brush is the names of the two fields of a form that take the range brushed.
	Brush []string  `json:"brush,omitempty"`
	Step  float64   `json:"step,omitempty"` // of the ends of a range
	X     []float64 `json:"x"`
	Lines []Line    `json:"lines"`
	// Follows: each x is a step of the page, and a click leads there.
	Follows bool `json:"follows,omitempty"`
}

// Line is one of a plot; nil is a gap.
type Line struct {
	Label  string     `json:"label"`
	Colour int        `json:"colour"`
	Dash   bool       `json:"dash,omitempty"`
	Smooth bool       `json:"smooth,omitempty"` // no marks
	Y      []*float64 `json:"y"`
	Low    []*float64 `json:"low,omitempty"`
	High   []*float64 `json:"high,omitempty"`
}

// PlotOf is a chart for the page.
func PlotOf(c *chart.Chart) *Plot {
	p := &Plot{XLabel: c.XLabel, YLabel: c.YLabel, XMin: c.XMin, XMax: c.XMax, YMin: c.YMin, YMax: c.YMax}
	for _, s := range c.Series {
		for _, q := range s.Points {
			p.X = append(p.X, q.X)
		}
	}
	slices.Sort(p.X)
	p.X = slices.Compact(p.X)
	for _, s := range c.Series {
		if len(s.Points) == 0 {
			continue
		}
		l := Line{Label: s.Label, Colour: s.Colour, Dash: s.Dash > 0, Smooth: s.Smooth, Y: make([]*float64, len(p.X))}
		if !s.Smooth {
			l.Low, l.High = make([]*float64, len(p.X)), make([]*float64, len(p.X))
		}
		for _, q := range s.Points {
			i, _ := slices.BinarySearch(p.X, q.X)
			l.Y[i] = schemas.Number(q.Y)
			if !s.Smooth {
				l.Low[i], l.High[i] = schemas.Number(q.Low), schemas.Number(q.High)
			}
		}
		p.Lines = append(p.Lines, l)
	}
	return p
}

// Chart is p for paper.
func (p *Plot) Chart(title string) *chart.Chart {
	c := &chart.Chart{Title: title, XLabel: p.XLabel, YLabel: p.YLabel, XMin: p.XMin, XMax: p.XMax, YMin: p.YMin, YMax: p.YMax, Cross: &chart.Point{}}
	for _, l := range p.Lines {
		s := chart.Series{Label: l.Label, Colour: l.Colour, Smooth: true}
		for i, y := range l.Y {
			if y != nil {
				s.Points = append(s.Points, chart.Point{X: p.X[i], Y: *y})
			}
		}
		c.Series = append(c.Series, s)
	}
	c.XTicks = chart.AxisTicks(p.XMin, p.XMax, 12, human.Number)
	c.YTicks = chart.AxisTicks(p.YMin, p.YMax, 10, human.Number)
	return c
}
