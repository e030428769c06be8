package main

import (
	"fmt"
	"math"

	"kifu/internal/human"
	"kifu/players/tune"
	"kifu/report/chart"
)

// tuneChart draws the values over the games, each in its range.
func tuneChart(t *tune.Trajectory, program string) *chart.Chart {
	c := &chart.Chart{Title: "Options of " + program, Subtitle: "values of SPSA as shares of their ranges; 95 % intervals of the best values where the games determine them",
		XLabel: "games", YLabel: "share of the range", YMin: 0, YMax: 1.02}
	for i, q := range t.Parameters() {
		share := func(v float64) float64 { return (v - q.Min) / (q.Max - q.Min) }
		label := fmt.Sprintf("%s (%s to %s)", q.Name, human.Number(q.Min), human.Number(q.Max))
		if o := t.Optimum(i); o.Found {
			label += fmt.Sprintf(", best at %s to %s", human.Number(math.Round(10*o.Low)/10), human.Number(math.Round(10*o.High)/10))
		}
		line := chart.Series{Label: label, Colour: i % len(chart.Palette), Dash: i / len(chart.Palette), Smooth: true}
		line.Points = tunePoints(t, i, share)
		c.XMax = line.Points[len(line.Points)-1].X
		c.Series = append(c.Series, line)
	}
	c.XTicks = c.RoundXTicks(10, human.Number)
	c.YTicks = chart.AxisTicks(0, 1, 10, func(v float64) string { return human.Percent(math.Abs(v), 0) })
	return c
}

// tunePoints returns at most some hundred points of a trajectory, the first and the last among them.
func tunePoints(t *tune.Trajectory, i int, share func(float64) float64) []chart.Point {
	const most = 400
	n := len(t.Iterations)
	points := []chart.Point{{Y: share(t.Iterations[0].Value[i])}}
	games, next := 0, 0
	for k, it := range t.Iterations {
		games += it.Result.Wins + it.Result.Draws + it.Result.Losses + it.Result.Unfinished
		if k >= next || k == n-1 {
			points = append(points, chart.Point{X: float64(games), Y: share(it.Next[i])})
			next = len(points) * n / most
		}
	}
	return points
}
