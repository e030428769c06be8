package pairs

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"kifu/internal/human"
	"kifu/report/chart"
	"kifu/report/sheet"
)

// forest has the pairs shown, a line each: the score above the one expected.
func (r *report) forest() *chart.Forest {
	f := &chart.Forest{
		Title:    sheet.Title("Players", r.Game, r.Sources.Names()),
		Subtitle: "score minus the expected score, with 95 % intervals; most certain first",
		XLabel:   "score minus the expected score [points per 100 games], 95 % interval",
		Single:   true,
	}
	if n := r.standingOut(); n > mostShown {
		f.Subtitle += fmt.Sprintf("; %d of %s that stand out", mostShown, human.Grouped(int64(n)))
	}
	for _, p := range r.shown() {
		kind := chart.Series{Label: "does not stand out", Colour: 0}
		if p.StandsOut {
			kind = chart.Series{Label: "stands out at a false discovery rate of " + r.rate(), Colour: 1}
		}
		at := slices.IndexFunc(f.Series, func(s chart.Series) bool { return s.Label == kind.Label })
		if at < 0 {
			at = len(f.Series)
			f.Series = append(f.Series, kind)
		}
		m := chart.Mark{Series: at, At: 100 * p.Difference(), Low: 100 * p.Low, High: 100 * p.High}
		m.Note = fmt.Sprintf("%s against %s: %s of %s, expected %s; p = %s", r.Names[p.A], r.Names[p.B], human.Percent(p.Score(), 1), human.Plural(p.Games, "game", "games"), human.Percent(p.Expected/float64(p.Games), 1), human.Chance(p.P))
		f.XMin, f.XMax = math.Min(f.XMin, m.Low), math.Max(f.XMax, m.High)
		f.Lines = append(f.Lines, chart.Line{Label: r.Names[p.A] + " – " + r.Names[p.B], Marks: []chart.Mark{m}})
	}
	margin := (f.XMax - f.XMin) * 0.03
	f.XMin, f.XMax = f.XMin-margin, f.XMax+margin
	return f
}

// mostPoints is how many points the picture of the spread has, but for the largest |z|.
const mostPoints = 150

// spreadChart sets the pairs' |z| in order against those that chance alone would give.
func (r *report) spreadChart() *chart.Chart {
	z := sizesOf(r.Pairs)
	n := len(z)
	observed := chart.Series{Label: "pairs"}
	alone := chart.Series{Label: "by chance, with a 95 % band", Colour: chart.Guide, Smooth: true}
	within := chart.Area{Colour: 2}
	for i, v := range z {
		if n > mostPoints && i%(n/mostPoints+1) != 0 && i < n-20 {
			continue
		}
		order := distuv.Beta{Alpha: float64(i + 1), Beta: float64(n - i)} // of the i-th of n uniform numbers
		at := half((float64(i) + 0.5) / float64(n))
		observed.Points = append(observed.Points, chart.Point{X: at, Y: v, Low: v, High: v, Note: fmt.Sprintf("%d of %d pairs have |z| up to %.2f; by chance it would be %.2f", i+1, n, v, at)})
		alone.Points = append(alone.Points, chart.Point{X: at, Y: at})
		within.Low, within.High = append(within.Low, chart.Point{X: at, Y: half(order.Quantile(0.025))}), append(within.High, chart.Point{X: at, Y: half(order.Quantile(0.975))})
	}
	c := &chart.Chart{Title: "Do pairs differ more than chance?", Subtitle: fmt.Sprintf("|z| of %s in order against the quantiles of the normal distribution; spread %.2f", human.Plural(int64(n), "pair", "pairs"), r.spread()),
		XLabel: "|z| by chance", YLabel: "|z|", Areas: []chart.Area{within}, Series: []chart.Series{observed, alone}}
	last := observed.Points[len(observed.Points)-1]
	c.XMax = 1.05 * last.X
	c.YMax = 1.05 * math.Max(last.Y, within.High[len(within.High)-1].Y)
	c.XTicks, c.YTicks = chart.AxisTicks(0, c.XMax, 8, human.Number), chart.AxisTicks(0, c.YMax, 8, human.Number)
	return c
}

// half is the quantile of the size of a normal number.
func half(p float64) float64 { return distuv.UnitNormal.Quantile((1 + p) / 2) }
