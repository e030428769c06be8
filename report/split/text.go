package split

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"kifu/internal/dyads"
	"kifu/internal/human"
	"kifu/internal/table"
	"kifu/query"
	"kifu/report/chart"
	"kifu/report/examples"
	"kifu/report/page"
	"kifu/report/sheet"
	"kifu/report/split/search"
	"kifu/schemas"
)

// write puts s's page, pictures and tables into out.
func (s *report) write(out page.Output) error {
	picture := s.Curves.Chart()
	picture.Title = sheet.Title("Splits", s.Source.Game, []string{s.Source.Name})
	s.crop(picture)
	all := &sheet.Sheet{Name: "split", Text: s.document(), Picture: picture, SQL: s.sql(), Rows: s.result(), Inputs: s.Curves.Inputs(), Read: s.Source.Rows,
		Boards: examples.HTML(s.game, s.asks, s.examples, s.Unit)}
	if err := all.Write(out); err != nil {
		return err
	}
	if len(s.examples) > 0 {
		data, err := examples.CSV(s.asks, s.examples)
		if err != nil {
			return err
		}
		if err := out.AddFile("examples.csv", data); err != nil {
			return err
		}
	}
	if err := out.AddFile("fit.sh", []byte(s.commands())); err != nil {
		return err
	}
	return out.AddFile("summary.txt", []byte(s.summary()))
}

// crop leaves out the flat ends of the total curve, where splits cannot be seen.
func (s *report) crop(c *chart.Chart) {
	low, high := c.XMin, c.XMax
	for _, b := range s.Curves.Curves[0].Bins {
		if b.P <= 0.05 {
			low = math.Max(low, b.V)
		}
		if b.P >= 0.95 {
			high = math.Min(high, b.V)
		}
	}
	if low >= high {
		return
	}
	c.XMin, c.XMax = low, high
	c.XTicks = chart.AxisTicks(low, high, 12, human.Number)
	for i := range c.Series {
		c.Series[i].Points = slices.DeleteFunc(c.Series[i].Points, func(p chart.Point) bool { return p.X < low || p.X > high })
	}
	if c.Cross != nil && (c.Cross.X < low || c.Cross.X > high) {
		c.Cross = nil
	}
}

// sql is the query of the curves: the search is no SQL.
func (s *report) sql() string {
	return "/* The curves of the first splits. The search itself is a pass over the labels that SQL\n   cannot make: tests, gaps with intervals, weights and log-loss are computed by kifu. */\n" + s.Curves.SQL
}

// summary is the text printed when the report is made: a sentence for each split, and its numbers.
func (s *report) summary() string {
	if len(s.Shown()) == 0 {
		return "  " + s.lead() + "\n"
	}
	var text strings.Builder
	text.WriteString("  " + s.lead() + "\n")
	t := table.Table{Head: []table.Cell{table.Text("#"), table.Text("condition"), table.Text("curve")}}
	for _, name := range []string{"positions", "games", "gap, " + s.Unit, "at", "weight given earlier splits", "log-loss reduction, 1e-4", "p, adjusted"} {
		t.Head = append(t.Head, table.Number(name))
	}
	for _, k := range listed(s.Shown()[:min(mostPrinted, len(s.Shown()))]) {
		fmt.Fprintf(&text, "  %2s. %s\n", k.number(), s.sentence(k.Split))
		t.Rows = append(t.Rows, []string{k.number(), sheet.OneLine(k.Condition.Name), k.kind(), human.Grouped(k.Positions), human.Grouped(k.Games), k.Gap.Text(s.decimals()), human.Number(k.At),
			k.own().Text(s.decimals()), k.Fall.Scaled(1e4).Text(2), k.significance()})
	}
	return text.String() + t.Plain() + "  fit.sh in the report's directory has the kifu fit commands that make features of them.\n"
}

// own is the weight given the splits found before, or by itself for the first.
func (k listedSplit) own() search.Interval {
	if math.IsNaN(k.Given.Value) {
		return k.Weight
	}
	return k.Given
}

// listedSplit is a split in the list: 3, and 3b with the colours exchanged.
type listedSplit struct {
	*search.Split
	rank     int64
	mirrored bool
}

func (k listedSplit) number() string {
	if k.mirrored {
		return strconv.FormatInt(k.rank, 10) + "b"
	}
	return strconv.FormatInt(k.rank, 10)
}

func listed(all []*search.Split) (list []listedSplit) {
	for i, k := range all {
		list = append(list, listedSplit{k, int64(i + 1), false})
		if k.Mirror != nil {
			list = append(list, listedSplit{k.Mirror, int64(i + 1), true})
		}
	}
	return list
}

// mostPrinted is how many splits are printed: the rest is in the report.
const mostPrinted = 20

// lead counts, as the tables do, the positions of all games, searched and held out.
func (s *report) lead() string {
	search, rest := s.Sides[search.Train], s.Sides[search.Held]
	what := fmt.Sprintf("%s over %s of %s, %s of them tested. ", human.Plural(int64(s.Tried), "condition", "conditions"),
		human.Plural(search.Positions+rest.Positions, "position", "positions"), human.Plural(search.Games+rest.Games, "game", "games"), human.Grouped(int64(s.Tested)))
	level := func(x float64) string { return strings.ReplaceAll(human.Percent(x, 1), ".0", "") }
	what += fmt.Sprintf("%s the total curve (if the evaluator lacked nothing, %s of searches would find one)", human.Plural(int64(s.Shifted), "shifts", "shift"), level(s.Params.Level))
	if s.Sloped > 0 {
		what += fmt.Sprintf("; %s it steeper or flatter in the searched games, to be confirmed by the other %s", human.Plural(int64(s.Sloped), "makes", "make"), human.Plural(rest.Games, "game", "games"))
	}
	what += ". "
	if len(s.Splits) == 0 {
		return what + "No split was found."
	}
	n := len(s.Shown())
	what += "Similar ones are grouped: " + human.Plural(int64(n), "split is", "splits are") + " shown" + s.marks()
	if n < len(s.Splits) {
		what += fmt.Sprintf("; %s not confirmed (most are false)", human.Plural(int64(len(s.Splits)-n), "candidate is", "candidates are"))
	}
	return what + "."
}

// marks explains b and ?, if they occur.
func (s *report) marks() string {
	var all []string
	for _, k := range s.Shown() {
		if k.Mirror != nil {
			all = append(all, "b: the same with colours exchanged")
			break
		}
	}
	if slices.ContainsFunc(listed(s.Shown()), func(k listedSplit) bool { return !k.Confirmed }) {
		all = append(all, "?: not confirmed")
	}
	if len(all) == 0 {
		return ""
	}
	return " (" + strings.Join(all, ", ") + ")"
}

func (s *report) document() table.Document {
	d := table.Document{Title: sheet.Title("Splits", s.Source.Game, []string{s.Source.Name}), Lead: s.lead(), Notes: s.notes()}
	if len(s.Shown()) > 0 {
		d.Tables = append(d.Tables, s.sentences(), s.found(), s.columns(), s.tests(), s.alike())
	}
	if len(s.Shown()) < len(s.Splits) {
		d.Tables = append(d.Tables, s.candidates())
	}
	return d
}

// decimals is the number of decimals of values.
func (s *report) decimals() int {
	if s.Bin < 10 {
		return 1
	}
	return 0
}

// sentences reports what to do with each split.
func (s *report) sentences() table.Table {
	t := table.Table{Name: "sentences", Caption: "What the evaluator lacks, and the command that fits it as a feature", Head: []table.Cell{table.Number(""), table.Text("what"), table.Text("command")}}
	for _, k := range listed(s.Shown()) {
		t.Rows = append(t.Rows, []string{k.number(), s.sentence(k.Split), s.command("fit-"+k.number(), s.feature(k))})
	}
	return t
}

// columns explains the words of the conditions.
func (s *report) columns() table.Table {
	return table.Table{Name: "columns", Caption: "The columns in these conditions", Head: []table.Cell{table.Text("column"), table.Text("meaning")}, Rows: s.explained()}
}

func (s *report) found() table.Table {
	t := table.Table{Name: "splits", Caption: "Splits: conditions whose curve differs from the curve of all positions", Head: []table.Cell{
		table.Number(""), table.Text("condition"), table.Text("curve"), table.Number("positions"), table.Number("games"), table.Number("gap (95\u00a0%)"), table.Number("at"), table.Number("mean gap"),
		table.Number("feature weight"), table.Number("weight given earlier splits"), table.Number("held-out log-loss reduction, 1e-4"), table.Number("p, adjusted"),
	}}
	for _, k := range listed(s.Shown()) {
		t.Rows = append(t.Rows, []string{
			k.number(), sheet.OneLine(k.Condition.Name), k.kind(), human.Grouped(k.Positions), human.Grouped(k.Games), k.Gap.Text(s.decimals()), human.Number(k.At), k.Mean.Text(s.decimals()),
			k.Weight.Text(s.decimals()), k.Given.Text(s.decimals()), k.Fall.Scaled(1e4).Text(2), k.significance(),
		})
	}
	return t
}

// significance is the adjusted p-value, marked where k is not confirmed.
func (k listedSplit) significance() string {
	if k.Confirmed {
		return k.adjusted()
	}
	return k.adjusted() + " ?"
}

// candidates are the splits that the search has found and the held-out games do not confirm.
func (s *report) candidates() table.Table {
	t := table.Table{Name: "candidates", Caption: "Candidates that were not confirmed (most are false)", Long: true, Head: []table.Cell{
		table.Number(""), table.Text("condition"), table.Number("positions"), table.Number("games"), table.Number("gap (95\u00a0%)"), table.Number("at"), table.Number("p of the slope, search"), table.Number("adjusted, held out"),
	}}
	for _, k := range listed(s.Splits)[len(listed(s.Shown())):] {
		t.Rows = append(t.Rows, []string{k.number(), sheet.OneLine(k.Condition.Name), human.Grouped(k.Positions), human.Grouped(k.Games), k.Gap.Text(s.decimals()), human.Number(k.At),
			human.Chance(k.Train.SlopeP), human.Chance(k.SlopeP)})
	}
	return t
}

func (s *report) tests() table.Table {
	t := table.Table{Name: "tests", Caption: "Tests, and ranks by four criteria", Head: []table.Cell{
		table.Number(""), table.Text("condition"), table.Number("t of the shift"), table.Number("p, adjusted"), table.Number("p of the slope, adjusted"), table.Number("Wald"), table.Number("p"), table.Number("Wald, held out"), table.Number("p, held out"), table.Number("gap, held out"), table.Number("area"), table.Number("area by chance"),
		table.Number("rank by log-loss"), table.Number("rank by Wald"), table.Number("rank by gap"), table.Number("rank by area"),
	}}
	for _, k := range listed(s.Shown()) {
		t.Rows = append(t.Rows, []string{
			k.number(), sheet.OneLine(k.Condition.Name), k.tested(), human.Chance(k.ShiftP), human.Chance(k.SlopeP), strconv.FormatFloat(k.Train.Wald, 'f', 1, 64), human.Chance(k.Train.P), strconv.FormatFloat(k.Held.Wald, 'f', 1, 64), human.Chance(k.Held.P),
			k.GapHeld.Text(s.decimals()), human.Percent(k.Area, 1), human.Percent(k.AreaNoise, 1), human.Grouped(int64(k.Ranks[0])), human.Grouped(int64(k.Ranks[1])), human.Grouped(int64(k.Ranks[2])), human.Grouped(int64(k.Ranks[3])),
		})
	}
	return t
}

// tested is the t-value of the shift, if one was found.
func (k listedSplit) tested() string {
	if math.IsNaN(k.ShiftP) {
		return "–"
	}
	return human.Signed(k.T, 1)
}

func (s *report) alike() table.Table {
	t := table.Table{Name: "alike", Caption: "Conditions equivalent to a split", Long: true, Head: []table.Cell{table.Number(""), table.Text("split"), table.Text("equivalent condition")}}
	for _, k := range listed(s.Shown()) {
		for _, a := range k.Alike {
			t.Rows = append(t.Rows, []string{k.number(), sheet.OneLine(k.Condition.Name), sheet.OneLine(a.Name)})
		}
	}
	return t
}

// result has all numbers of the splits.
func (s *report) result() *query.Result {
	columns := []string{"BIGINT split", "BOOLEAN mirrored", "VARCHAR name condition", "BIGINT positions games",
		"DOUBLE gap_at gap gap_low gap_high gap_held_out gap_held_out_low gap_held_out_high mean_gap mean_gap_low mean_gap_high area area_noise",
		"DOUBLE weight weight_low weight_high weight_beside weight_beside_low weight_beside_high log_loss_fall log_loss_fall_low log_loss_fall_high",
		"DOUBLE wald p wald_held_out p_held_out", "BOOLEAN confirmed", "DOUBLE shift_t shift_p_adjusted slope_p_adjusted", "VARCHAR curve", "DOUBLE lead lead_is_worth", "VARCHAR says",
		"BIGINT rank_" + strings.Join(search.Orders, " rank_") + " alike"}
	var rows [][]any
	for _, k := range listed(s.Splits) {
		row := []any{k.rank, k.mirrored, k.Condition.Name, k.Condition.SQL, k.Positions, k.Games, k.At}
		add := func(all ...search.Interval) {
			for _, x := range all {
				row = append(row, x.Value, x.Low, x.High)
			}
		}
		add(k.Gap, k.GapHeld, k.Mean)
		row = append(row, k.Area, k.AreaNoise)
		add(k.Weight, k.Given, k.Fall)
		row = append(row, k.Train.Wald, k.Train.P, k.Held.Wald, k.Held.P, k.Confirmed, k.T, k.ShiftP, k.SlopeP, k.kind(), k.Lead, k.Worth, s.sentence(k.Split))
		for _, rank := range k.Ranks {
			row = append(row, int64(rank))
		}
		rows = append(rows, append(row, int64(len(k.Alike))))
	}
	if len(rows) == 0 {
		columns = columns[:3]
	}
	return sheet.Result(rows, columns...)
}

//go:embed notes.txt
var notesTemplate string

func (s *report) notes() []string {
	return sheet.Notes(notesTemplate, map[string]any{"S": s, "Train": search.Train, "Held": search.Held, "Positions": s.Sides[search.Train].Positions + s.Sides[search.Held].Positions, "Games": s.Sides[search.Train].Games + s.Sides[search.Held].Games,
		"Groups": search.FlipGroups, "Flips": search.Flips, "Fewest": search.FewestGames, "Clustering": s.clustering(), "Middle": search.Middle, "Jackknife": search.GroupsOfGames, "Freedom": search.GroupsOfGames - 1, "Same": search.Same, "Level": search.Level,
		"Mirrored": slices.ContainsFunc(s.Splits, func(k *search.Split) bool { return k.Mirror != nil })})
}

// clustering reports which games were taken to depend on each other.
func (s *report) clustering() string {
	const chosen = ", or for the choice of the splits, which makes numbers near the limit too large"
	pairs := " Games of the same two players from one opening, as in engine matches, count as one game"
	switch {
	case s.NoGames && s.Players == nil:
		return sheet.Pointwise("chance in independent positions", sheet.OneGame+chosen) + " " + human.Capital(schemas.ByPositions) + "."
	case dyads.Way(s.Params.Cluster) == dyads.ByGame:
		return sheet.Pointwise(sheet.OneGame, sheet.OnePlayer+" (--dependence games)"+chosen)
	case s.Players == nil:
		return sheet.Pointwise(sheet.OneGame, sheet.OnePlayer+" (the players are unknown)"+chosen)
	case !s.Players.Usable():
		return sheet.Pointwise(sheet.OneGame, sheet.OnePlayer+chosen) + " " + s.Players.Bound()
	case s.ByPlayer:
		return sheet.Pointwise(sheet.OneGame+" and "+sheet.OnePlayer, sheet.Others+chosen) + " Groups are of players, and the larger of the variances by game and by player is used. A variance by few players is imprecise, so t follows Student's distribution with as many degrees of freedom as effective players. Intervals are widened by the ratio of the shift's error by player to its error by game." + pairs + " (" + s.Players.Size() + "). " + s.Players.Bound()
	}
	return sheet.Pointwise(sheet.OneGame, sheet.OnePlayer+" (variances by player are at most a tenth larger than by game)"+chosen) + pairs + "."
}
