package calibration

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"

	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/internal/table"
	"kifu/report/chart"
	"kifu/report/shape"
	"kifu/report/sheet"
)

func (c *report) sheet() *sheet.Sheet {
	of := c.sources()
	return &sheet.Sheet{Name: "calibration", Unit: c.Unit, Text: c.document(), Picture: c.chart(), SQL: c.SQL, Rows: c.Result, Inputs: of.Inputs("label", "labels"), Read: of.Read(), Printed: []int{0}}
}

func (c *report) sources() sheet.Sources { return sheet.SourcesOf(sheet.ContendersOf(c.Forecasts)) }

func (c *report) title() string { return sheet.Title("Calibration", c.Game, c.sources().Names()) }

func (c *report) chart() *chart.Chart {
	p := &chart.Chart{
		Title:    c.title(),
		Subtitle: fmt.Sprintf("%s, %d bins with at least %d positions; 95 %% intervals", c.judged(), c.Params.Bins, shape.LeastDrawn),
		XLabel:   "forecast: win probability of " + c.Sides[0], YLabel: "share of games won by " + c.Sides[0],
		XMax: 1, YMax: 1, XTicks: chart.AxisTicks(0, 1, 10, human.Number), YTicks: chart.AxisTicks(0, 1, 10, human.Number),
	}
	for i, f := range c.Forecasts {
		s := chart.Series{Label: f.Name, Colour: i, Dash: i / len(chart.Palette)}
		for _, k := range c.judgements(i, "bin") {
			if k.Positions >= shape.LeastDrawn {
				s.Points = append(s.Points, chart.Point{X: k.Mean, Y: k.Won, Low: k.Low, High: k.High, Note: fmt.Sprintf("%s: forecast %s, won %s (%s to %s) of %s in %s", f.Name,
					human.Percent(k.Mean, 1), human.Percent(k.Won, 1), human.Percent(k.Low, 1), human.Percent(k.High, 1), human.Plural(k.Positions, "position", "positions"), human.Plural(k.Games, "game", "games"))})
			}
		}
		p.Series = append(p.Series, s)
	}
	p.Series = append(p.Series, chart.Series{Label: "as forecast", Colour: chart.Guide, Dash: 1, Smooth: true, Points: []chart.Point{{X: 0, Y: 0}, {X: 1, Y: 1}}})
	return p
}

// judged names the games that the numbers are of.
func (c *report) judged() string {
	if c.Params.Holdout > 0 {
		return strconv.FormatFloat(100*c.Params.Holdout, 'g', 3, 64) + "\u00a0% of the games (held out)"
	}
	return "all games"
}

func (c *report) document() table.Document {
	d := table.Document{Title: c.title(), Lead: c.lead(), Notes: sheet.Notes(notesTemplate, map[string]any{"C": c, "Paired": c.paired})}
	d.Tables = append(d.Tables, c.totals())
	for _, kind := range []string{"ply", "phase", "rating"} {
		if len(c.levels(kind)) > 1 {
			d.Tables = append(d.Tables, c.table(kind, "By "+kind))
		}
	}
	for _, n := range c.Params.By {
		d.Tables = append(d.Tables, c.table(n.Name, "By "+n.Name+": "+sheet.OneLine(n.SQL)))
	}
	bins := c.table("bin", "Bins in the picture")
	bins.Long = true
	d.Tables = append(d.Tables, bins)
	return d
}

func (c *report) lead() string {
	var parts []string
	for i, f := range c.Forecasts {
		outside, bins := 0, 0
		for _, k := range c.judgements(i, "bin") {
			if k.Positions < shape.LeastDrawn {
				continue
			}
			if bins++; k.Mean < k.Low || k.Mean > k.High {
				outside++
			}
		}
		parts = append(parts, fmt.Sprintf("%s: %d of %d bins differ from their forecast by more than the 95 %% interval (by chance %s); their mean distance is %s (by chance %s).", f.Name, outside, bins, human.Short(0.05*float64(bins)), human.Percent(c.calibrationError(i), 1), human.Percent(c.calibrationNoise(i), 1)))
		if k := c.judgements(i, "all")[0]; !math.IsNaN(k.Difference) {
			parts = append(parts, fmt.Sprintf("Its log-loss is %s %s than the log-loss of %s, on the same positions.", human.Fixed(math.Abs(k.Difference), 4)+" ± "+human.Fixed((k.DifferenceHigh-k.DifferenceLow)/2, 4), map[bool]string{true: "higher", false: "lower"}[k.Difference > 0], c.Forecasts[0].Name))
		}
	}
	return "Share of games won by " + c.Sides[0] + ", compared with the win probability that the evaluation implies. " + strings.Join(parts, " ")
}

func (c *report) totals() table.Table {
	t := table.Table{Name: "forecasts", Caption: "How well the forecasts predict the winner, " + c.judged(), Head: []table.Cell{
		table.Text("forecast"), table.Number("scale 1/w0"), table.Number("positions"), table.Number("games"), table.Number("effective"), table.Number("log-loss"), table.Number("± s.e."), table.Number("none"), table.Number("Brier"), table.Number("accuracy"),
		table.Number("order agreement"), table.Number("calibration error"), table.Number("by chance"),
	}}
	paired := c.paired
	if paired {
		t.Head = append(t.Head, table.Number("log-loss − first"), table.Number("95\u00a0% interval"))
	}
	for i, f := range c.Forecasts {
		k := c.judgements(i, "all")[0]
		none := -(k.Won*math.Log(f.Mean) + (1-k.Won)*math.Log(1-f.Mean))
		t.Rows = append(t.Rows, []string{f.Name, shape.ScaleText(shape.Sigmoid{W0: f.scale()}), human.Grouped(k.Positions), human.Grouped(k.Games), human.Fixed(k.EffectiveGames, 0), human.Fixed(k.LogLoss, 4), human.Fixed(k.SE, 4), human.Fixed(none, 4), human.Fixed(k.Brier, 4),
			human.Percent(k.Accuracy, 1), human.Percent(k.OrderAgreement, 1), human.Percent(c.calibrationError(i), 1), human.Percent(c.calibrationNoise(i), 1)})
		if last := len(t.Rows) - 1; paired && math.IsNaN(k.Difference) {
			t.Rows[last] = append(t.Rows[last], "", "")
		} else if paired {
			t.Rows[last] = append(t.Rows[last], human.Fixed(k.Difference, 4), human.Fixed(k.DifferenceLow, 4)+" to "+human.Fixed(k.DifferenceHigh, 4))
		}
	}
	return t
}

// levels returns, in order, the levels of a kind that any forecast has.
func (c *report) levels(kind string) []string {
	return lists.Distinct(lists.Where(c.Rows, func(k judgement) bool { return k.Kind == kind }), func(k judgement) string { return k.Level })
}

func (c *report) table(kind, caption string) table.Table {
	t := table.Table{Name: strings.ReplaceAll(kind, " ", "-"), Caption: caption, Head: []table.Cell{
		table.Text(kind), table.Text("forecast"), table.Number("positions"), table.Number("games"), table.Number("effective"), table.Number("mean forecast"), table.Number("won"), table.Number("95\u00a0% interval"),
		table.Number("log-loss"), table.Number("± s.e."), table.Number("Brier"), table.Number("accuracy"), table.Number("order agreement"),
	}}
	for _, level := range c.levels(kind) {
		for i, f := range c.Forecasts {
			for _, k := range c.judgements(i, kind) {
				if k.Level == level {
					t.Rows = append(t.Rows, []string{level, f.Name, human.Grouped(k.Positions), human.Grouped(k.Games), human.Fixed(k.EffectiveGames, 0), human.Percent(k.Mean, 1), human.Percent(k.Won, 1),
						fmt.Sprintf("%.1f–%.1f", 100*k.Low, 100*k.High), human.Fixed(k.LogLoss, 4), k.errorText(), human.Fixed(k.Brier, 4), human.Percent(k.Accuracy, 1), human.Percent(k.OrderAgreement, 1)})
				}
			}
		}
	}
	return t
}

//go:embed notes.txt
var notesTemplate string

// errorText is the error of the log-loss; one game has none.
func (k *judgement) errorText() string {
	if k.Games < 2 {
		return "–"
	}
	return human.Fixed(k.SE, 4)
}
