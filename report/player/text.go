package player

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"

	"kifu/internal/human"
	"kifu/internal/table"
	"kifu/report/chart"
	"kifu/report/sheet"
)

// mostOpenings is how many openings a table has for each side; all are in the CSV.
const mostOpenings = 15

// Sheet is the report, all of which is printed.
func (r *Report) Sheet() *sheet.Sheet {
	return &sheet.Sheet{Name: "player", Text: r.Document(), Picture: r.Chart(), SQL: r.SQL, Rows: r.Result, Inputs: r.sources.Inputs("", ""), Read: r.sources.Read(), Summary: r.Text()}
}

// Text is the report for a terminal.
func (r *Report) Text() string {
	doc := r.Document()
	text := doc.Lead + "\n"
	for _, t := range doc.Tables {
		text += "\n" + t.Caption + "\n" + t.Plain()
	}
	for _, n := range doc.Notes {
		text += "\n" + n + "\n"
	}
	return text
}

// Document has the tables of the report.
func (r *Report) Document() table.Document {
	d := table.Document{Title: "Player: " + r.Title(), Lead: r.lead(), Notes: r.notes()}
	d.Tables = append(d.Tables, r.scores("record", "Record", "side", "record"))
	if r.has("year") {
		d.Tables = append(d.Tables, r.scores("years", "By year", "year", "year"))
	}
	if r.rated() {
		d.Tables = append(d.Tables, r.scores("opponents", "By opponents' rating", "rating", "opponents"))
	}
	for i, side := range sides {
		if r.has("opening " + side) {
			d.Tables = append(d.Tables, r.scores("openings-"+side, "Openings as "+r.Sides[i], "opening", "opening "+side))
		}
	}
	d.Tables = append(d.Tables, r.lengths())
	if r.has("time") {
		caption := "Seconds per move, by the player and by the opponents in the same games"
		if control := r.sections["time"][0].Text("opponent"); control != "" {
			caption += ", at " + control
		}
		d.Tables = append(d.Tables, r.compared("time", caption, "move number", "opponents", 1))
	}
	if r.has("loss") {
		d.Tables = append(d.Tables, r.losses("loss", fmt.Sprintf("Value lost by a move, in %s (%s), compared with %s", r.Unit, r.Column, r.others()), "phase"))
	}
	if r.has("recorded") {
		d.Tables = append(d.Tables, r.losses("recorded", "Value lost by a move, from the values in the records, in hundredths, compared with "+r.others(), "move number"))
	}
	for _, by := range []struct{ section, key, words string }{{"lost moves", "move number", "by move number"}, {"lost opening", "opening", "by opening"}, {"lost clock", "clock", "by time left"}, {"lost motif", "motif", "by motif of the reply"}} {
		if r.has(by.section) {
			d.Tables = append(d.Tables, r.losses(by.section, "Where value is lost: "+by.words, by.key))
		}
	}
	d.Tables = append(d.Tables, r.modelTables()...)
	if r.has("see") {
		d.Tables = append(d.Tables, r.worthSeeing())
	}
	return d
}

// sides are the sides in player.sql.
var sides = [2]string{"first", "second"}

// side is the name of a side in player.sql, with both for either.
func (r *Report) side(text string) string {
	if i := slices.Index(sides[:], text); i >= 0 {
		return r.Sides[i]
	}
	return text
}

// others names the players for the comparison of losses.
func (r *Report) others() string {
	if math.IsNaN(r.sections["record"][0].OrNaN("own")) {
		return "all others"
	}
	return fmt.Sprintf("others within %d rating points of the player's mean", like)
}

func (r *Report) lead() string {
	all := r.sections["record"][0]
	text := fmt.Sprintf("%s of %s", human.Plural(all.Whole("games"), "game", "games"), r.Title())
	if r.Itself > 0 {
		text += fmt.Sprintf(" (%s against itself, counted in the scores by side only)", human.Plural(r.Itself, "game", "games"))
	}
	if len(r.Spelling) > 1 || len(r.Spelling) == 1 && len(r.Names) == 1 && r.Names[0] != r.Player {
		text += " as " + strings.Join(r.Spelling[:min(6, len(r.Spelling))], "; ")
		if more := len(r.Spelling) - 6; more > 0 {
			text += "; and " + human.Plural(int64(more), "more name", "more names")
		}
	}
	if from, to := all.Text("first_date"), all.Text("last_date"); from != "" {
		text += fmt.Sprintf(", %s to %s", from, to)
	}
	text += "."
	if s := all.OrNaN("score"); !math.IsNaN(s) {
		text += fmt.Sprintf(" %s won, %s drawn, %s lost: a score of %s (%s).", human.Grouped(all.Whole("won")), human.Grouped(all.Whole("drawn")), human.Grouped(all.Whole("lost")), human.Percent(s, 1), interval(all, 100, 1))
	}
	if a := all.OrNaN("above"); !math.IsNaN(a) {
		text += fmt.Sprintf(" In %s rated games this differs from the rating expectation by %s points per 100 games (%s).", human.Grouped(all.Whole("rated")), human.Signed(100*a, 1), signedInterval(all, "above_low", "above_high", 100, 1))
	}
	return text
}

func interval(f sheet.Fields, by float64, decimals int) string {
	a, b := f.OrNaN("low"), f.OrNaN("high")
	if math.IsNaN(a) || math.IsNaN(b) {
		return "–"
	}
	return human.Fixed(by*a, decimals) + " to " + human.Fixed(by*b, decimals)
}

func signedInterval(f sheet.Fields, low, high string, by float64, decimals int) string {
	return human.Span(by*f.OrNaN(low), by*f.OrNaN(high), decimals)
}

// scores is a table of scores compared with the ratings.
func (r *Report) scores(name, caption, key, section string) table.Table {
	t := table.Table{Name: name, Caption: caption, Head: []table.Cell{table.Text(key), table.Number("games"), table.Number("won"), table.Number("drawn"), table.Number("lost"),
		table.Number("score"), table.Number("95\u00a0% interval"), table.Number("plies")}}
	if r.rated() {
		t.Head = append(t.Head, table.Number("rated"), table.Number("expected"), table.Number("above"), table.Number("95\u00a0% interval"), table.Number("own rating"), table.Number("opponents"))
	}
	rows := r.sections[section]
	if strings.HasPrefix(section, "opening") {
		rows = rows[:min(mostOpenings, len(rows))]
	}
	item := func(f sheet.Fields) string { return f.Text("item") }
	if section == "record" {
		item = func(f sheet.Fields) string { return r.side(f.Text("item")) }
	}
	for _, f := range rows {
		row := []string{item(f), human.Grouped(f.Whole("games")), human.Grouped(f.Whole("won")), human.Grouped(f.Whole("drawn")), human.Grouped(f.Whole("lost")),
			human.Percent(f.OrNaN("score"), 1), interval(f, 100, 1), whole(f.OrNaN("estimate"))}
		if r.rated() {
			row = append(row, human.Grouped(f.Whole("rated")), human.Percent(f.OrNaN("expected"), 1),
				human.Signed(100*f.OrNaN("above"), 1), signedInterval(f, "above_low", "above_high", 100, 1), whole(f.OrNaN("own")), whole(f.OrNaN("other")))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// rated reports whether some opponent has a rating.
func (r *Report) rated() bool {
	return slices.ContainsFunc(r.sections["opponents"], func(f sheet.Fields) bool { return f.At("other") != nil })
}

func whole(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return human.Grouped(int64(math.Round(v)))
}

func (r *Report) lengths() table.Table {
	t := table.Table{Name: "lengths", Caption: "Length in plies", Head: []table.Cell{table.Text("games"), table.Number("number"), table.Number("mean"), table.Number("median"), table.Number("deciles")}}
	for _, f := range r.sections["length"] {
		t.Rows = append(t.Rows, []string{f.Text("item"), human.Grouped(f.Whole("games")), human.Fixed(f.OrNaN("estimate"), 1), human.Fixed(f.OrNaN("median"), 0), human.Fixed(f.OrNaN("decile_1"), 0) + " to " + human.Fixed(f.OrNaN("decile_9"), 0)})
	}
	return t
}

// compared is a table of means compared with others' means.
func (r *Report) compared(section, caption, key, others string, decimals int) table.Table {
	t := table.Table{Name: section, Caption: caption, Head: []table.Cell{table.Text(key), table.Number("moves"), table.Number("mean"), table.Number("95\u00a0% interval"), table.Number(others), table.Number("difference"), table.Number("95\u00a0% interval")}}
	for _, f := range r.sections[section] {
		t.Rows = append(t.Rows, []string{f.Text("item"), human.Grouped(f.Whole("moves")), human.Fixed(f.OrNaN("estimate"), decimals), interval(f, 1, decimals),
			human.Fixed(f.OrNaN("reference"), decimals), human.Signed(f.OrNaN("difference"), decimals), signedInterval(f, "difference_low", "difference_high", 1, decimals)})
	}
	return t
}

// mostLosses is how many openings and motifs a table of losses has.
const mostLosses = 12

// losses is a table of compared with the share of all that is lost, what stronger players lose, and the dearest move.
func (r *Report) losses(section, caption, key string) table.Table {
	t := r.compared(section, caption, key, "others", 1)
	t.Head = append(t.Head, table.Number("stronger players"), table.Number("% of total loss"), table.Text("costliest: game, ply"))
	all := 0.0
	for _, f := range r.sections[r.lost()] {
		all += float64(f.Whole("moves")) * f.OrNaN("estimate")
	}
	for i, f := range r.sections[section] {
		dearest := ""
		if f.At("game_id") != nil {
			dearest = fmt.Sprintf("%d, %d", f.Whole("game_id"), f.Whole("ply"))
		}
		if section == "lost motif" {
			t.Rows[i][0] = sheet.PlainName(t.Rows[i][0])
		}
		t.Rows[i] = append(t.Rows[i], human.Fixed(f.OrNaN("stronger"), 1), human.Fixed(100*float64(f.Whole("moves"))*f.OrNaN("estimate")/all, 1), dearest)
	}
	t.Rows = t.Rows[:min(mostLosses, len(t.Rows))]
	return t
}

// lost is the section whose losses are counted by opening, time left and motif.
func (r *Report) lost() string {
	if r.has("loss") {
		return "loss"
	}
	return "recorded"
}

func (r *Report) worthSeeing() table.Table {
	t := table.Table{Name: "see", Caption: "Games worth seeing (kifu show GAMES NUMBER)", Head: []table.Cell{table.Text("why"), table.Number("game"), table.Text("side"), table.Text("opponent"), table.Text("date"), table.Text("result"), table.Number("own rating"), table.Number("opponent's"), table.Number("plies")}}
	for _, f := range r.sections["see"] {
		result := map[float64]string{1: "won", 0.5: "drawn", 0: "lost"}[f.OrNaN("score")]
		t.Rows = append(t.Rows, []string{f.Text("item"), fmt.Sprint(f.Whole("game_id")), r.side(f.Text("last_date")), f.Text("opponent"), f.Text("first_date"), result, whole(f.OrNaN("own")), whole(f.OrNaN("other")), whole(f.OrNaN("estimate"))})
	}
	return t
}

//go:embed notes.txt
var notesTemplate string

func (r *Report) notes() []string {
	of := ""
	if r.has("recorded") {
		of = sheet.Recorded
	}
	return sheet.Notes(notesTemplate, map[string]any{"R": r, "Recorded": of, "Labelled": r.has("loss"), "Clusters": clusters, "EnoughRated": enoughRated, "Time": r.has("time"), "Loss": r.has("loss") || r.has("recorded"), "CapAt": capAt, "MostOthers": mostOthers, "Like": like})
}

// Chart draws the score by the rating of the opponents, by year if they are unrated, or by side.
func (r *Report) Chart() *chart.Chart {
	c := &chart.Chart{Title: "Score of " + r.Title(), YLabel: "score", YMin: 0, YMax: 1}
	s, expected := chart.Series{Label: "score"}, chart.Series{Label: "expected by the ratings", Colour: 1, Dash: 1, Smooth: true}
	add := func(x float64, f sheet.Fields) {
		if math.IsNaN(f.OrNaN("score")) {
			return
		}
		s.Points = append(s.Points, chart.Point{X: x, Y: f.OrNaN("score"), Low: f.OrNaN("low"), High: f.OrNaN("high"),
			Note: fmt.Sprintf("%s: %s of %s (%s)", f.Text("item"), human.Percent(f.OrNaN("score"), 1), human.Plural(f.Whole("games"), "game", "games"), interval(f, 100, 1))})
		if e := f.OrNaN("expected"); !math.IsNaN(e) {
			expected.Points = append(expected.Points, chart.Point{X: x, Y: e})
		}
	}
	var ticks []chart.Tick
	rated := 0
	for _, f := range r.sections["opponents"] {
		if !math.IsNaN(f.OrNaN("other")) {
			rated++
		}
	}
	switch {
	case rated > 1:
		c.XLabel, c.Subtitle = "mean rating of the opponents", "by bands of 100; 95 % intervals"
		for i := len(r.sections["opponents"]) - 1; i >= 0; i-- {
			if f := r.sections["opponents"][i]; !math.IsNaN(f.OrNaN("other")) {
				add(f.OrNaN("other"), f)
			}
		}
		c.Series = append(c.Series, s)
		c.SpanX(50)
	case len(r.sections["year"]) > 1:
		c.XLabel, c.Subtitle, c.Whole = "year", "95 % intervals", true
		for _, f := range r.sections["year"] {
			add(float64(f.Whole("place")), f)
		}
		c.Series = append(c.Series, s)
		c.SpanX(1)
	default:
		// Sides are no scale: a mark each, with nothing between.
		c.Subtitle = "95 % intervals"
		for i, f := range r.sections["record"] {
			if add(float64(f.Whole("place")), f); len(s.Points) == 0 {
				continue
			}
			s.Label, s.Colour = r.side(f.Text("item")), i
			c.Series, s.Points = append(c.Series, s), nil
			ticks = append(ticks, chart.Tick{At: float64(f.Whole("place")), Label: s.Label})
		}
		c.XMin, c.XMax, expected.Points = -0.5, 2.5, nil
	}
	if len(expected.Points) > 1 {
		c.Series = append(c.Series, expected)
	}
	if c.XTicks, c.YTicks = ticks, chart.AxisTicks(0, 1, 10, human.Number); ticks == nil {
		c.XTicks = c.RoundXTicks(12, human.Number)
	}
	return c
}
