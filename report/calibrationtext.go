package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

func (c *calibration) sheet() *sheet {
	inputs, read := inputsOf(c.contenders(), "label", "labels")
	return &sheet{Name: "calibration", Text: c.document(), Chart: c.chart(), SQL: c.SQL, Rows: c.Result, Inputs: inputs, Read: read, Printed: []int{0}}
}

func (c *calibration) contenders() []contender {
	var all []contender
	for _, f := range c.Forecasts {
		all = append(all, f.contender)
	}
	return all
}

func (c *calibration) title() string {
	return titleOf("Calibration", c.Game, sourceNames(c.contenders()))
}

// leastDrawn is the number of positions of a bin that is drawn.
const leastDrawn = 50

func (c *calibration) chart() *chart {
	p := &chart{
		Title:    c.title(),
		Subtitle: fmt.Sprintf("%s, %d bins with at least %d positions; bands: 95 %% intervals, clustered by game", c.judged(), c.Params.Bins, leastDrawn),
		XLabel:   "forecast: win probability of the first player", YLabel: "share of games won by the first player",
		XMax: 1, YMax: 1, XTicks: axisTicks(0, 1, 10, plainNumber), YTicks: axisTicks(0, 1, 10, plainNumber),
	}
	for i, f := range c.Forecasts {
		s := series{Label: f.Name, Colour: i, Dash: i / len(palette)}
		for _, k := range c.of(i, "bin") {
			if k.Positions >= leastDrawn {
				s.Points = append(s.Points, point{k.Mean, k.Won, k.Low, k.High, fmt.Sprintf("%s: forecast %s, won %s (%s to %s) of %s in %s", f.Name,
					percent(k.Mean, 1), percent(k.Won, 1), percent(k.Low, 1), percent(k.High, 1), plural(k.Positions, "position", "positions"), plural(k.Games, "game", "games"))})
			}
		}
		p.Series = append(p.Series, s)
	}
	p.Series = append(p.Series, series{Label: "as forecast", Colour: guide, Dash: 1, Smooth: true, Points: []point{{X: 0, Y: 0}, {X: 1, Y: 1}}})
	return p
}

// judged names the games that the numbers are of.
func (c *calibration) judged() string {
	if c.Params.Holdout > 0 {
		return strconv.FormatFloat(100*c.Params.Holdout, 'g', 3, 64) + "\u00a0% of the games, held out"
	}
	return "all games"
}

func four(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return strconv.FormatFloat(v, 'f', 4, 64)
}

func (c *calibration) document() document {
	d := document{Title: c.title(), Lead: c.lead(), Notes: c.notes()}
	d.Tables = append(d.Tables, c.totals())
	for _, kind := range []string{"ply", "phase", "rating"} {
		if len(c.levels(kind)) > 1 {
			d.Tables = append(d.Tables, c.table(kind, "By "+kind))
		}
	}
	for _, n := range c.Params.By {
		d.Tables = append(d.Tables, c.table(n.Name, "By "+n.Name+": "+oneLine(n.SQL)))
	}
	bins := c.table("bin", "The bins of the picture")
	bins.Long = true
	d.Tables = append(d.Tables, bins)
	return d
}

func (c *calibration) lead() string {
	var parts []string
	for i, f := range c.Forecasts {
		outside, bins := 0, 0
		for _, k := range c.of(i, "bin") {
			if k.Positions < leastDrawn {
				continue
			}
			if bins++; k.Mean < k.Low || k.Mean > k.High {
				outside++
			}
		}
		parts = append(parts, fmt.Sprintf("%s: %d of %d bins lie off their forecast by more than the 95 %% interval, on average by %s.", f.Name, outside, bins, percent(c.calibrationError(i), 1)))
	}
	return "The share of games that the first player won against the win probability that the evaluation stands for. " + strings.Join(parts, " ")
}

func (c *calibration) totals() table {
	t := table{Name: "forecasts", Caption: "How well the forecasts foretell the winner, " + c.judged(), Head: []cell{
		{"forecast", false}, {"scale 1/w0", true}, {"positions", true}, {"games", true}, {"log-loss", true}, {"± s.e.", true}, {"none", true}, {"Brier", true}, {"accuracy", true},
		{"order agreement", true}, {"calibration error", true},
	}}
	for i, f := range c.Forecasts {
		k := c.of(i, "all")[0]
		none := -(k.Won*math.Log(f.Mean) + (1-k.Won)*math.Log(1-f.Mean))
		t.Rows = append(t.Rows, []string{f.Name, signedScale(sigmoid{W0: f.scale()}), grouped(k.Positions), grouped(k.Games), four(k.LogLoss), four(k.SE), four(none), four(k.Brier),
			percent(k.Accuracy, 1), percent(k.OrderAgreement, 1), percent(c.calibrationError(i), 1)})
	}
	return t
}

// levels are those of a kind that any forecast has, in order.
func (c *calibration) levels(kind string) []string {
	var all []string
	seen := map[string]bool{}
	for _, k := range c.Rows {
		if k.Kind == kind && !seen[k.Level] {
			seen[k.Level] = true
			all = append(all, k.Level)
		}
	}
	return all
}

func (c *calibration) table(kind, caption string) table {
	t := table{Name: strings.ReplaceAll(kind, " ", "-"), Caption: caption, Head: []cell{
		{kind, false}, {"forecast", false}, {"positions", true}, {"games", true}, {"mean forecast", true}, {"won", true}, {"95\u00a0% interval", true},
		{"log-loss", true}, {"± s.e.", true}, {"Brier", true}, {"accuracy", true}, {"order agreement", true},
	}}
	for _, level := range c.levels(kind) {
		for i, f := range c.Forecasts {
			for _, k := range c.of(i, kind) {
				if k.Level == level {
					t.Rows = append(t.Rows, []string{level, f.Name, grouped(k.Positions), grouped(k.Games), percent(k.Mean, 1), percent(k.Won, 1),
						fmt.Sprintf("%.1f–%.1f", 100*k.Low, 100*k.High), four(k.LogLoss), four(k.SE), four(k.Brier), percent(k.Accuracy, 1), percent(k.OrderAgreement, 1)})
				}
			}
		}
	}
	return t
}

func (c *calibration) notes() []string {
	var notes []string
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	switch {
	case c.Params.Scale > 0:
		add("A value v stands for the win probability 1/(1+exp(−w0·v)) with the w0 given (--scale).")
	case c.Params.Holdout > 0:
		add("A value v stands for the win probability 1/(1+exp(−w0·v)). w0 is fitted by maximum likelihood to the games that are not held out, and judged on those that are: they are drawn by seed %d as kifu fit draws them, so that an evaluator fitted with the same --holdout and --seed has not seen them.", c.Params.Seed)
	default:
		add("A value v stands for the win probability 1/(1+exp(−w0·v)). w0 is fitted by maximum likelihood to the same games that the forecasts are judged on; --holdout keeps some back.")
	}
	add("Log-loss is the mean of −ln of the probability given to the result, none that of one probability for all positions; Brier is the mean squared error; accuracy the share of decided positions whose winner was given more than a half; order agreement the share of the pairs of positions with different results that the values put in order, equal values counting half.")
	add("The calibration error is the mean distance of the share won from the mean forecast over the bins. A forecast that is too sure of itself has a curve that is flatter than the dashed line.")
	if c.Params.Draws == DrawsHalf {
		add("A draw counts half a win, for accuracy not at all. Left out are positions without a result or a value, and those that are a forced win.")
	} else {
		add("Left out are positions of drawn and unfinished games, those without a value, and those that are a forced win.")
	}
	add("Positions of one game are not independent, so errors and intervals are clustered by game: variances are those of ratios of the games' sums (linearised), and the interval of a share is Wilson's 95 %% one at the number of independent positions that would vary as much.")
	return notes
}
