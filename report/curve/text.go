package curve

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"maps"
	"math"
	"slices"
	"strings"

	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/internal/table"
	"kifu/report/chart"
	"kifu/report/page"
	"kifu/report/shape"
	"kifu/report/sheet"
)

// write puts c's page, pictures and tables into out.
func (c *Report) write(out page.Output, views []chart.View, boards template.HTML) error {
	s := sheet.Sheet{Name: "curve", Text: c.Document(), Picture: c.Chart(), Views: views, Boards: boards, SQL: c.SQL, Rows: c.Rows(), Inputs: c.Inputs(), Read: c.Sources.Read()}
	return s.Write(out)
}

// label returns the name of a curve in the picture.
func (c *Report) label(k *Curve) string {
	name := k.Name
	if says := cmp.Or(k.Says, k.SQL); says != "" && says != k.Name && !strings.HasPrefix(k.Name, rated) {
		name += " (" + sheet.OneLine(says) + ")"
	}
	if len(c.Sources) > 1 {
		if k.Total() {
			return k.Source
		}
		return k.Source + ", " + name
	}
	return name
}

// Chart returns the picture of the curves.
func (c *Report) Chart() *chart.Chart {
	p := &chart.Chart{
		Title:    c.title(),
		Subtitle: c.subtitle(),
		XLabel:   sheet.ValueAxis(c.Value, c.Unit, c.Sides[0]), YLabel: "win probability of " + c.Sides[0],
		XMin: math.Inf(1), XMax: math.Inf(-1), YMin: 0, YMax: 1,
		Cross: &chart.Point{X: 0, Y: 0.5},
	}
	for _, k := range c.Curves {
		for _, b := range k.Bins {
			p.XMin, p.XMax = math.Min(p.XMin, b.V-c.Bin), math.Max(p.XMax, b.V+c.Bin)
		}
	}
	p.XMin, p.XMax = math.Min(p.XMin, 0), math.Max(p.XMax, 0)
	p.XTicks = chart.AxisTicks(p.XMin, p.XMax, 12, human.Number)
	p.YTicks = chart.AxisTicks(0, 1, 10, human.Number)
	conditions := len(c.Params.When)
	for i, k := range c.Curves {
		s := chart.Series{Label: c.label(k), Colour: i % (conditions + 1), Dash: i / (conditions + 1)}
		if conditions == 0 {
			s.Colour, s.Dash = i, 0
		}
		if c.Params.Draws == shape.DrawsBands {
			p.Series = append(p.Series, c.bandSeries(k, s)...)
			continue
		}
		s.Points = c.points(k, k.Bins, "")
		p.Series = append(p.Series, s)
	}
	if c.Params.Draws == shape.DrawsBands {
		p.YLabel = "share of the games"
		if len(c.Curves) == 1 {
			p.Areas = outcomeBands(c.Curves[0])
		}
		return p
	}
	for _, k := range c.Curves {
		if k.Total() && k.Sigmoid.OK {
			p.Series = append(p.Series, c.sigmoidSeries(k, p.XMin, p.XMax))
		}
	}
	return p
}

// points returns a point per bin of k; what names the share that is drawn.
func (c *Report) points(k *Curve, bins []shape.Bin, what string) []chart.Point {
	return lists.Of(bins, func(b shape.Bin) chart.Point {
		return chart.Point{X: b.V, Y: b.P, Low: b.Low, High: b.High, Note: c.describe(k, b, what)}
	})
}

// bandSeries are the lines between won, drawn and lost.
func (c *Report) bandSeries(k *Curve, s chart.Series) []chart.Series {
	won, notLost := s, s
	prefix := ""
	if len(c.Curves) > 1 {
		prefix = s.Label + ": "
	} else {
		won.Colour, notLost.Colour = 2, 1
	}
	won.Label, won.Points = prefix+"won", c.points(k, k.Won, "won")
	notLost.Label, notLost.Points = prefix+"won or drawn", c.points(k, k.NotLost, "won or drawn")
	if len(c.Curves) > 1 {
		notLost.Dash = s.Dash + 1
	}
	return []chart.Series{won, notLost}
}

// outcomeBands are the bands of a single curve: lost above drawn above won.
func outcomeBands(k *Curve) []chart.Area {
	edge := func(bins []shape.Bin, flat float64) []chart.Point {
		all := lists.Of(k.Bins, func(b shape.Bin) chart.Point { return chart.Point{X: b.V, Y: flat} })
		for i := range bins {
			all[i].Y = bins[i].P
		}
		return all
	}
	zero, won, notLost, one := edge(nil, 0), edge(k.Won, 0), edge(k.NotLost, 0), edge(nil, 1)
	return []chart.Area{{Label: "won", Colour: 2, Low: zero, High: won}, {Label: "drawn", Colour: chart.Guide, Low: won, High: notLost}, {Label: "lost", Colour: 1, Low: notLost, High: one}}
}

// sigmoidSeries is the fitted sigmoid of k as a dashed line.
func (c *Report) sigmoidSeries(k *Curve, from, to float64) chart.Series {
	s := chart.Series{Label: "sigmoid, scale " + shape.ScaleText(k.Sigmoid), Colour: chart.Guide, Dash: 1, Smooth: true}
	if len(c.Sources) > 1 {
		s.Label = "sigmoid of " + k.Source + ", scale " + shape.ScaleText(k.Sigmoid)
	}
	const steps = 160
	for i := range steps + 1 {
		v := from + (to-from)*float64(i)/steps
		s.Points = append(s.Points, chart.Point{X: v, Y: k.Sigmoid.At(v)})
	}
	return s
}

// describe is the note of a point.
func (c *Report) describe(k *Curve, b shape.Bin, what string) string {
	if what != "" {
		what = " " + what
	}
	return fmt.Sprintf("%s at %s: %s%s (%s to %s) of %s in %s", c.label(k), human.Number(b.V), human.Percent(b.P, 1), what, human.Percent(b.Low, 1), human.Percent(b.High, 1),
		human.Plural(b.Positions, "position", "positions"), human.Plural(b.Games, "game", "games"))
}

func (c *Report) title() string {
	return sheet.Title("Evaluation curves", c.Sources[0].Game, c.Sources.Names())
}

func (c *Report) subtitle() string {
	draws := map[string]string{shape.DrawsExclude: "draws left out", shape.DrawsHalf: "a draw is half a win", shape.DrawsBands: "draws are shown"}[c.Params.Draws]
	return fmt.Sprintf("bins of %s %s with at least %s positions, %s; 95 %% intervals, %s", human.Number(c.Bin), c.Unit, human.Grouped(c.MinCount), draws, c.interval())
}

// interval names the intervals.
func (c *Report) interval() string {
	switch c.Params.Interval {
	case IntervalBootstrap:
		text := fmt.Sprintf("bootstrap over games (BCa, %s samples)", human.Grouped(resamples))
		if c.query.Players.On() {
			text += ", widened by player"
		}
		return text
	case IntervalWilson:
		return "Wilson's, positions taken as independent"
	}
	return "Wilson's, clustered by " + c.query.Players.By()
}

// Document returns the report as a document of text and tables.
func (c *Report) Document() table.Document {
	d := table.Document{Title: c.title(), Lead: c.lead(), Notes: c.notes()}
	d.Tables = append(d.Tables, c.summary())
	if len(c.Params.When) > 0 {
		d.Tables = append(d.Tables, c.gaps())
	}
	d.Tables = append(d.Tables, c.bins())
	return d
}

func (c *Report) lead() string {
	var parts []string
	for _, k := range c.Curves {
		if !k.Total() {
			continue
		}
		name := "The curve"
		if len(c.Sources) > 1 {
			name = "The curve of " + k.Source
		}
		parts = append(parts, name+" "+k.Steps.Sentence())
	}
	return "Share of games won by " + c.Sides[0] + ", by the evaluation of the position. " + strings.Join(parts, " ")
}

func (c *Report) summary() table.Table {
	t := table.Table{Name: "curves", Caption: "The curves", Head: []table.Cell{
		table.Text("curve"), table.Number("positions"), table.Number("games"), table.Number("bins"), table.Number("at 0"), table.Number("sigmoid's scale"), table.Number("steps down"), table.Number("larger than error"),
		table.Number("positions left out"), table.Number("bins left out"), table.Number("forced wins, positions"), table.Number("forced wins, % won"),
	}}
	for _, k := range c.Curves {
		zero, scale, won := "–", "–", "–"
		for _, b := range k.Bins {
			if b.V == 0 {
				zero = human.Percent(b.P, 1)
			}
		}
		if k.Sigmoid.OK {
			scale = shape.ScaleText(k.Sigmoid)
		}
		if k.Forced > 0 {
			won = human.Percent(k.ForcedWon/float64(k.Forced), 1)
		}
		t.Rows = append(t.Rows, []string{
			c.label(k), human.Grouped(k.Positions()), human.Grouped(k.Games), human.Grouped(int64(len(k.Bins))), zero, scale, fmt.Sprintf("%d of %d", k.Steps.Down, k.Steps.All), human.Grouped(int64(k.Steps.Beyond)),
			human.Grouped(k.Omitted.Positions), human.Grouped(k.Omitted.Bins), human.Grouped(k.Forced), won,
		})
	}
	return t
}

func (c *Report) gaps() table.Table {
	t := table.Table{Name: "gaps", Caption: "Distance of each condition's curve from the total curve", Head: []table.Cell{
		table.Text("curve"), table.Number("positions"), table.Number("games"), table.Number("gap at 25\u00a0%"), table.Number("gap at 50\u00a0%"), table.Number("gap at 75\u00a0%"), table.Number("mean gap"),
		table.Number("largest gap"), table.Number("at"), table.Number("area"), table.Number("by chance"), table.Number("signed"),
	}}
	for _, k := range c.Curves {
		if k.Total() {
			continue
		}
		g := k.Gap
		at := "–"
		if !math.IsNaN(g.At) {
			at = human.Number(g.At)
		}
		decimals := 0
		if c.Bin < 10 {
			decimals = 1
		}
		t.Rows = append(t.Rows, []string{
			c.label(k), human.Grouped(k.Positions()), human.Grouped(k.Games), human.Signed(g.Levels[0], decimals), human.Signed(g.Levels[1], decimals), human.Signed(g.Levels[2], decimals), human.Signed(g.Mean, decimals),
			human.Signed(g.Largest, decimals), at, human.Percent(g.Area, 1), human.Percent(g.Noise, 1), human.Signed(100*g.Signed, 1),
		})
	}
	return t
}

// bins has a row a bin and three columns a curve.
func (c *Report) bins() table.Table {
	t := table.Table{Name: "bins", Caption: "Bins: win probability, its 95 % interval, positions", Long: true, Keys: 1, Group: 3, Head: []table.Cell{table.Number("value")}}
	if c.Params.Draws == shape.DrawsBands {
		t.Group = 6
	}
	at := map[int64]bool{}
	key := func(b shape.Bin) int64 { return int64(math.Round(b.V / c.Bin)) }
	for _, k := range c.Curves {
		t.Head = append(t.Head, table.Number(c.label(k)), table.Number("interval"), table.Number("positions"))
		if c.Params.Draws == shape.DrawsBands {
			t.Head = append(t.Head, table.Number("won"), table.Number("drawn"), table.Number("lost"))
		}
		for _, b := range k.Bins {
			at[key(b)] = true
		}
	}
	for _, v := range slices.Sorted(maps.Keys(at)) {
		row := []string{human.Number(float64(v) * c.Bin)}
		for _, k := range c.Curves {
			i := slices.IndexFunc(k.Bins, func(b shape.Bin) bool { return key(b) == v })
			row = append(row, c.binCells(k, i)...)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// binCells are the columns of a curve in the table of bins; of none (-1) they are empty.
func (c *Report) binCells(k *Curve, i int) []string {
	cells := make([]string, 3, 6)
	if i >= 0 {
		b := k.Bins[i]
		cells[0], cells[1], cells[2] = human.Percent(b.P, 1), fmt.Sprintf("%.1f–%.1f", 100*b.Low, 100*b.High), human.Grouped(b.Positions)
	}
	if c.Params.Draws != shape.DrawsBands {
		return cells
	}
	if i < 0 {
		return append(cells, "", "", "")
	}
	return append(cells, human.Percent(k.Won[i].P, 1), human.Percent(k.NotLost[i].P-k.Won[i].P, 1), human.Percent(1-k.NotLost[i].P, 1))
}

//go:embed notes.txt
var notesTemplate string

// notes describe how the numbers are computed.
func (c *Report) notes() []string {
	return sheet.Notes(notesTemplate, map[string]any{"C": c, "Value": sheet.PlainName(c.Value), "Half": c.Bin / 2, "Per": strings.TrimSuffix(c.Unit, "s"), "Scale": shape.ScaleText,
		"Errors": c.errors, "Players": c.query.Players.On(), "Resamples": resamples, "OneGame": sheet.OneGame})
}

// Inputs returns a line for each dataset that was read: its labels and its key.
func (c *Report) Inputs() []string { return c.Sources.Inputs("label", "labels") }
