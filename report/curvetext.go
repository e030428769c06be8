package report

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"kifu/datasets"
)

// write puts everything that c has to say into out.
func (c *curves) write(out Output, views []view) error {
	csv, err := render("csv", c.Rows)
	if err != nil {
		return err
	}
	var read int64
	for _, s := range c.Sources {
		read += s.Rows
	}
	out.AddCounts(datasets.Counts{Read: read})
	picture := c.chart()
	return write(out, "curve", page{
		Document: c.document(), Legend: picture.legend(), Picture: picture.svg(plainNumber), SQL: c.SQL, Inputs: c.inputs(), Views: views,
	}, picture, csv)
}

// label is what a curve is called in the picture.
func (c *curves) label(k *curve) string {
	name := k.Name
	if k.SQL != "" && k.SQL != k.Name && !strings.HasPrefix(k.Name, rated) {
		name += " (" + oneLine(k.SQL) + ")"
	}
	if len(c.Sources) > 1 {
		if k.Total() {
			return k.Source
		}
		return k.Source + ", " + name
	}
	return name
}

// oneLine sets an expression in one line as a person would write it.
func oneLine(sql string) string {
	text := relation.ReplaceAllStringFunc(strings.Join(strings.Fields(sql), " "), func(sign string) string {
		sign = strings.TrimSpace(sign)
		if nicer, ok := relations[sign]; ok {
			sign = nicer
		}
		return " " + sign + " "
	})
	return negative.ReplaceAllString(text, "$1−$2")
}

var (
	relation  = regexp.MustCompile(` ?(<=|>=|<>|!=|<|>|=) ?`)
	negative  = regexp.MustCompile(`([<>≤≥=≠] )-(\d)`)
	relations = map[string]string{"<=": "≤", ">=": "≥", "<>": "≠", "!=": "≠"}
)

// axis names the evaluation with its unit.
func (c *curves) axis() string {
	name := plainName(c.Value)
	return fmt.Sprintf("%s [%s], first player's side", name, c.Unit)
}

func (c *curves) chart() *chart {
	p := &chart{
		Title:    c.title(),
		Subtitle: c.subtitle(),
		XLabel:   c.axis(), YLabel: "win probability of the first player",
		XMin: math.Inf(1), XMax: math.Inf(-1), YMin: 0, YMax: 1,
		Cross: &point{X: 0, Y: 0.5},
	}
	for _, k := range c.Curves {
		for _, b := range k.Bins {
			p.XMin, p.XMax = math.Min(p.XMin, b.V-c.Bin), math.Max(p.XMax, b.V+c.Bin)
		}
	}
	p.XMin, p.XMax = math.Min(p.XMin, 0), math.Max(p.XMax, 0)
	p.XTicks = axisTicks(p.XMin, p.XMax, 12, plainNumber)
	p.YTicks = axisTicks(0, 1, 10, plainNumber)
	conditions := len(c.Params.When)
	for i, k := range c.Curves {
		s := series{Label: c.label(k), Colour: i % (conditions + 1), Dash: i / (conditions + 1)}
		if conditions == 0 {
			s.Colour, s.Dash = i, 0
		}
		if c.Params.Draws == DrawsBands {
			p.Series = append(p.Series, c.bandSeries(k, s)...)
			continue
		}
		s.Points = c.points(k, k.Bins, "")
		p.Series = append(p.Series, s)
	}
	if c.Params.Draws == DrawsBands {
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

// points are those of the bins of k; what names the share that they are.
func (c *curves) points(k *curve, bins []bin, what string) []point {
	var all []point
	for _, b := range bins {
		all = append(all, point{b.V, b.P, b.Low, b.High, c.describe(k, b, what)})
	}
	return all
}

// bandSeries are the lines between won, drawn and lost.
func (c *curves) bandSeries(k *curve, s series) []series {
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
	return []series{won, notLost}
}

// outcomeBands are the bands of a single curve: lost above drawn above won.
func outcomeBands(k *curve) []area {
	edge := func(bins []bin, flat float64) []point {
		var all []point
		for _, b := range k.Bins {
			all = append(all, point{X: b.V, Y: flat})
		}
		for i := range bins {
			all[i].Y = bins[i].P
		}
		return all
	}
	zero, won, notLost, one := edge(nil, 0), edge(k.Won, 0), edge(k.NotLost, 0), edge(nil, 1)
	return []area{{"won", 2, zero, won}, {"drawn", guide, won, notLost}, {"lost", 1, notLost, one}}
}

// sigmoidSeries is the fitted sigmoid of k as a dashed line.
func (c *curves) sigmoidSeries(k *curve, from, to float64) series {
	s := series{Label: "sigmoid, scale " + signedScale(k.Sigmoid), Colour: guide, Dash: 1, Smooth: true}
	if len(c.Sources) > 1 {
		s.Label = "sigmoid of " + k.Source + ", scale " + signedScale(k.Sigmoid)
	}
	const steps = 160
	for i := range steps + 1 {
		v := from + (to-from)*float64(i)/steps
		s.Points = append(s.Points, point{X: v, Y: k.Sigmoid.At(v)})
	}
	return s
}

func signedScale(s sigmoid) string {
	scale := s.Scale()
	if math.Abs(scale) >= 100 {
		return plainNumber(math.Round(scale))
	}
	return plainNumber(math.Round(scale*100) / 100)
}

// describe is the note of a point.
func (c *curves) describe(k *curve, b bin, what string) string {
	if what != "" {
		what = " " + what
	}
	return fmt.Sprintf("%s at %s: %s%s (%s to %s) of %s in %s", c.label(k), plainNumber(b.V), percent(b.P, 1), what, percent(b.Low, 1), percent(b.High, 1),
		plural(b.Positions, "position", "positions"), plural(b.Games, "game", "games"))
}

func (c *curves) title() string {
	var names []string
	for _, s := range c.Sources {
		names = append(names, s.Name)
	}
	return titleOf("Evaluation curves", c.Sources[0].Game, names)
}

func (c *curves) subtitle() string {
	draws := map[string]string{DrawsExclude: "draws left out", DrawsHalf: "a draw is half a win", DrawsBands: "draws are shown"}[c.Params.Draws]
	return fmt.Sprintf("bins of %s %s with at least %s positions, %s; bars: 95 %% intervals, %s", plainNumber(c.Bin), c.Unit, grouped(c.MinCount), draws, c.interval())
}

// interval names the intervals.
func (c *curves) interval() string {
	switch c.Params.Interval {
	case IntervalBootstrap:
		return fmt.Sprintf("bootstrap over games (BCa, %s samples)", grouped(resamples))
	case IntervalWilson:
		return "Wilson's, positions taken as independent"
	}
	return "Wilson's, clustered by game"
}

func (c *curves) document() document {
	d := document{Title: c.title(), Lead: c.lead(), Notes: c.notes()}
	d.Tables = append(d.Tables, c.summary())
	if len(c.Params.When) > 0 {
		d.Tables = append(d.Tables, c.gaps())
	}
	d.Tables = append(d.Tables, c.bins())
	return d
}

func (c *curves) lead() string {
	var parts []string
	for _, k := range c.Curves {
		if !k.Total() {
			continue
		}
		name := "The curve"
		if len(c.Sources) > 1 {
			name = "The curve of " + k.Source
		}
		parts = append(parts, name+" "+k.Steps.sentence())
	}
	return "The share of games that the first player won against the evaluation of the position. " + strings.Join(parts, " ")
}

func (s steps) sentence() string {
	switch {
	case s.Beyond > 0:
		return fmt.Sprintf("is not monotone: %d of its %d steps from bin to bin go down by more than the 95 %% error of so many comparisons, the worst by %s at %s.", s.Beyond, s.All, percent(s.Worst, 1), plainNumber(s.At))
	case s.Down == 0:
		return fmt.Sprintf("is monotone: each of its %d steps from bin to bin goes up.", s.All)
	}
	return fmt.Sprintf("is monotone within error: %d of its %d steps from bin to bin go down, none by more than the 95 %% error of so many comparisons.", s.Down, s.All)
}

func (c *curves) summary() table {
	t := table{Name: "curves", Caption: "The curves", Head: []cell{
		{"curve", false}, {"positions", true}, {"games", true}, {"bins", true}, {"at 0", true}, {"sigmoid's scale", true}, {"steps down", true}, {"beyond error", true},
		{"left out, positions", true}, {"in bins", true}, {"forced wins, positions", true}, {"won", true},
	}}
	for _, k := range c.Curves {
		zero, scale, won := "–", "–", "–"
		for _, b := range k.Bins {
			if b.V == 0 {
				zero = percent(b.P, 1)
			}
		}
		if k.Sigmoid.OK {
			scale = signedScale(k.Sigmoid)
		}
		if k.Forced > 0 {
			won = percent(k.ForcedWon/float64(k.Forced), 1)
		}
		t.Rows = append(t.Rows, []string{
			c.label(k), grouped(k.Positions()), grouped(k.Games), grouped(int64(len(k.Bins))), zero, scale, fmt.Sprintf("%d of %d", k.Steps.Down, k.Steps.All), grouped(int64(k.Steps.Beyond)),
			grouped(k.Omitted.Positions), grouped(k.Omitted.Bins), grouped(k.Forced), won,
		})
	}
	return t
}

func (c *curves) gaps() table {
	t := table{Name: "gaps", Caption: "How far the conditioned curves are from the total", Head: []cell{
		{"curve", false}, {"positions", true}, {"games", true}, {"gap at 25\u00a0%", true}, {"gap at 50\u00a0%", true}, {"gap at 75\u00a0%", true}, {"mean gap", true},
		{"largest gap", true}, {"at", true}, {"area", true}, {"signed", true},
	}}
	for _, k := range c.Curves {
		if k.Total() {
			continue
		}
		g := k.Gap
		at := "–"
		if !math.IsNaN(g.At) {
			at = plainNumber(g.At)
		}
		decimals := 0
		if c.Bin < 10 {
			decimals = 1
		}
		t.Rows = append(t.Rows, []string{
			c.label(k), grouped(k.Positions()), grouped(k.Games), signed(g.Levels[0], decimals), signed(g.Levels[1], decimals), signed(g.Levels[2], decimals), signed(g.Mean, decimals),
			signed(g.Largest, decimals), at, percent(g.Area, 1), signed(100*g.Signed, 1),
		})
	}
	return t
}

// bins has a row a bin and three columns a curve.
func (c *curves) bins() table {
	t := table{Name: "bins", Caption: "The bins: win probability, its 95 % interval by game, positions", Long: true, Keys: 1, Group: 3, Head: []cell{{"value", true}}}
	if c.Params.Draws == DrawsBands {
		t.Group = 6
	}
	at := map[int64]bool{}
	var low, high int64 = math.MaxInt64, math.MinInt64
	key := func(b bin) int64 { return int64(math.Round(b.V / c.Bin)) }
	for _, k := range c.Curves {
		t.Head = append(t.Head, cell{c.label(k), true}, cell{"interval", true}, cell{"positions", true})
		if c.Params.Draws == DrawsBands {
			t.Head = append(t.Head, cell{"won", true}, cell{"drawn", true}, cell{"lost", true})
		}
		for _, b := range k.Bins {
			at[key(b)] = true
			low, high = min(low, key(b)), max(high, key(b))
		}
	}
	for v := low; v <= high; v++ {
		if !at[v] {
			continue
		}
		row := []string{plainNumber(float64(v) * c.Bin)}
		for _, k := range c.Curves {
			i := slices.IndexFunc(k.Bins, func(b bin) bool { return key(b) == v })
			row = append(row, c.binCells(k, i)...)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// binCells are the columns of a curve in the table of bins; of none (-1) they are empty.
func (c *curves) binCells(k *curve, i int) []string {
	cells := make([]string, 3, 6)
	if i >= 0 {
		b := k.Bins[i]
		cells[0], cells[1], cells[2] = percent(b.P, 1), fmt.Sprintf("%.1f–%.1f", 100*b.Low, 100*b.High), grouped(b.Positions)
	}
	if c.Params.Draws != DrawsBands {
		return cells
	}
	if i < 0 {
		return append(cells, "", "", "")
	}
	return append(cells, percent(k.Won[i].P, 1), percent(k.NotLost[i].P-k.Won[i].P, 1), percent(1-k.NotLost[i].P, 1))
}

// notes say how the numbers came about.
func (c *curves) notes() []string {
	var notes []string
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	share := "wins / (wins + losses)"
	if c.Params.Draws != DrawsExclude {
		share = "(wins + draws/2) / (wins + draws + losses)"
	}
	add("A bin holds the positions whose %s lies in [v − %s, v + %s) around its centre v, a multiple of %s. Its win probability is %s, each position with the result of its game (Takeuchi, Kaneko, Yamaguchi and Kawai 2007, equations 1 and 2).",
		plainName(c.Value), plainNumber(c.Bin/2), plainNumber(c.Bin/2), plainNumber(c.Bin), share)
	switch {
	case c.Lowered:
		add("Bins of fewer than 100 positions are left out. The paper asks for 1,000, but that would hide more than a fifth of the positions of a curve here; --min-count sets it.")
	case c.Params.MinCount > 0:
		add("Bins of fewer than %s positions are left out.", grouped(c.MinCount))
	default:
		add("Bins of fewer than 1,000 positions are left out, as in the paper.")
	}
	for _, k := range c.Curves {
		if !k.Total() {
			continue
		}
		draws := fmt.Sprintf("%s of drawn games are left out", plural(k.Draws, "position", "positions"))
		if c.Params.Draws != DrawsExclude {
			draws = fmt.Sprintf("%s of drawn games count half a win", plural(k.Draws, "position", "positions"))
		}
		more := ""
		if k.Unfinished > 0 {
			more += fmt.Sprintf("; %s of games without a result are left out", plural(k.Unfinished, "position", "positions"))
		}
		if k.NoValue > 0 {
			more += fmt.Sprintf("; %s without a value are left out", plural(k.NoValue, "position", "positions"))
		}
		add("%s: %s%s.", k.Source, draws, more)
	}
	switch c.Params.Interval {
	case IntervalBootstrap:
		add("Positions of one game are not independent, so intervals come from a bootstrap over games: %s samples of as many games, drawn with replacement and each with all its positions; the interval is bias-corrected and accelerated (Efron 1987). Where all games of a bin agree every sample is the same, and Wilson's interval at the number of games stands in. The intervals without samples are in the CSV as low and high.", grouped(resamples))
	case IntervalWilson:
		add("Intervals are Wilson's, with every position taken as independent. Positions of one game are not: these intervals are too narrow. Those that allow for it are in the CSV as low and high.")
	default:
		add("Positions of one game are not independent, so intervals are clustered by game: the variance of a bin's share is that of the ratio of its games' sums (linearised), and the band is Wilson's 95 %% interval at the number of independent positions that would vary as much. The plain Wilson interval, which is too narrow, is in the CSV as wilson_low and wilson_high.")
	}
	add("Positions that the search has seen to be a forced win for either side have no place on the axis; the table says how many there are and how many of them were won.")
	for _, k := range c.Curves {
		if k.Total() && k.Sigmoid.OK {
			add("Sigmoid of %s: 1/(1+exp(−w0·v)) fitted to the bins drawn by maximum likelihood, w0 = %s per %s, scale 1/w0 = %s %s.", k.Source, shortNumber(k.Sigmoid.W0), strings.TrimSuffix(c.Unit, "s"), signedScale(k.Sigmoid), c.Unit)
		}
	}
	if c.Params.Draws == DrawsBands {
		add("The picture has the shares of positions whose games were won, drawn and lost; a line has the interval of what lies below it. The tables and the sigmoid are of the score, a draw as half a win.")
	}
	add("A curve is called not monotone when a step down is beyond its error at 5 %% over all the steps of the curve together (one-sided, Bonferroni).")
	if len(c.Params.When) > 0 {
		add("A gap is read horizontally, in %s at equal win probability: + means that such positions are worth so much more to the first player than their value says. The mean and the largest are over the bins where the condition's win probability is between 10\u00a0%% and 90\u00a0%% (farther out the curves are flat); the area is the mean vertical distance over all. A curve that is not monotone is made so first (isotonic regression).", c.Unit)
	}
	for _, s := range c.Sources {
		if s.Dedup {
			add("%s has one row a distinct position with the results of all its games; it is clustered by the game in which it came up first.", s.Name)
		}
		if s.Zeroed != "" {
			add("%s: the evaluation is without %s.", s.Name, strings.ReplaceAll(s.Zeroed, ",", ", "))
		}
	}
	return notes
}

func shortNumber(v float64) string { return strings.Replace(fmt.Sprintf("%.4g", v), "-", "−", 1) }

func (c *curves) inputs() []string {
	var all []string
	for _, s := range c.Sources {
		all = append(all, fmt.Sprintf("%s: %s, key %s", s.Name, plural(s.Rows, "label", "labels"), s.Key[:min(16, len(s.Key))]))
	}
	return all
}
