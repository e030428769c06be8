package event

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/internal/pattern"
	"kifu/internal/table"
	"kifu/query"
	"kifu/report/chart"
	"kifu/report/sheet"
)

// outcome is how a reader sees an outcome.
type outcome struct {
	column, name string
	decimals     int
}

func (r *report) outcomes() [outcomes]outcome {
	next := human.Plural(int64(r.Params.Next), "next move", "next moves")
	return [outcomes]outcome{{"score", "score", 3}, {"next_loss", "loss of the " + next, 1}, {"next_spent", "seconds spent on the " + next, 1}}
}

// estimate estimates the effects, of all events and by the bands.
func (r *report) estimate() error {
	var use, leave []string
	for i, name := range r.Params.Match {
		if r.rows.known[i] > 0 {
			use = append(use, name)
		} else {
			leave = append(leave, name)
		}
	}
	switch {
	case len(use) > 0 && len(leave) > 0:
		return sheet.Errorf("the records do not have the %s of any event or move before it: use --match %s", human.List(leave), strings.Join(use, ","))
	case len(use) == 0:
		return sheet.Errorf("the records do not have the %s of any event or move before it: use --match with other bands, such as move", human.List(leave))
	case r.rows.events.n == 0:
		return sheet.Errorf("none of %s meets %s: do the records have the values and clocks that it needs, such as [%%eval 0.24] and [%%clk 0:03:10]?", human.Plural(r.rows.moves, "move", "moves"), sheet.OneLine(r.Params.When))
	}
	bands := r.bandsOf()
	r.By = make([]group, len(bands))
	for k := range r.All {
		m := r.rows.without(k)
		r.All[k] = r.rows.effect(k, m, func(*happened) bool { return true })
		for i, b := range bands {
			r.By[i].By, r.By[i].Band = r.Params.By[b.by], b.band
			r.By[i].Effects[k] = r.rows.effect(k, m, func(h *happened) bool { return h.by[b.by] == b.band })
		}
	}
	if r.compared() < 0 {
		return sheet.Errorf("no event has a similar move by the same player in another game: use fewer bands (--match %s)", Bands()[0])
	}
	return nil
}

// band is a band of one of the parameters.
type band struct {
	by   int
	band string
}

// bandsOf returns the bands that events have, in order.
func (r *report) bandsOf() (all []band) {
	for i := range r.Params.By {
		seen := map[string]bool{}
		for h := range r.rows.events.all() {
			seen[h.by[i]] = true
		}
		for _, name := range slices.Sorted(maps.Keys(seen)) {
			if name != "" {
				all = append(all, band{i, name})
			}
		}
	}
	return all
}

// compared returns the outcome that the picture shows: the loss, or one that has events; -1: none.
func (r *report) compared() int {
	for _, k := range []int{1, 2, 0} {
		if r.All[k].Events > 0 {
			return k
		}
	}
	return -1
}

// Sheet is the report with all of its tables printed.
func (r *report) Sheet() *sheet.Sheet {
	picture, of := r.forest(), sheet.Sources{r.Source}
	s := &sheet.Sheet{Name: "event", Text: table.Document{Title: r.title(), Lead: r.lead(), Tables: r.tables(), Notes: r.notes()},
		Caption: human.Capital(picture.Subtitle), Picture: picture, SQL: r.SQL, Rows: r.result(), Inputs: of.Inputs("game", "games"), Read: of.Read()}
	for i := range s.Text.Tables {
		s.Printed = append(s.Printed, i)
	}
	return s
}

func (r *report) title() string {
	return sheet.Title("What follows "+sheet.OneLine(r.Params.When), r.Source.Game, r.Params.Sources)
}

func (r *report) lead() string {
	k := r.compared()
	e, o := r.All[k], r.outcomes()[k]
	return fmt.Sprintf("After %s the %s is %s; the usual value is %s, a difference of %s.", human.Plural(int64(e.Events), "event", "events"), o.name, human.Fixed(e.After, o.decimals), human.Fixed(e.Usual, o.decimals), e.text(o.decimals))
}

// text writes the difference with its interval.
func (e Effect) text(decimals int) string {
	return human.Estimate(e.Difference, e.Low, e.High, decimals)
}

func (r *report) tables() []table.Table {
	t := table.Table{Name: "event-outcomes", Caption: "Outcomes after the event", Head: []table.Cell{table.Text("outcome"), table.Number("events"), table.Number("players"), table.Number("not compared"), table.Number("after"), table.Number("usual"), table.Number("difference")}}
	by := table.Table{Name: "event-bands", Caption: "Difference by band", Head: []table.Cell{table.Text("by"), table.Text("band"), table.Number("events")}}
	for k, o := range r.outcomes() {
		e := r.All[k]
		if e.Events == 0 {
			continue
		}
		t.Rows = append(t.Rows, []string{o.name, human.Grouped(int64(e.Events)), human.Grouped(int64(e.Players)), human.Grouped(int64(e.Unmatched)), human.Fixed(e.After, o.decimals), human.Fixed(e.Usual, o.decimals), e.text(o.decimals)})
		by.Head = append(by.Head, table.Number(o.name))
	}
	if len(r.By) == 0 {
		return []table.Table{t}
	}
	for _, g := range r.By {
		most := 0
		for _, e := range g.Effects {
			most = max(most, e.Events)
		}
		row := []string{g.By, bandText(g.Band), human.Grouped(int64(most))}
		for k, o := range r.outcomes() {
			if r.All[k].Events > 0 {
				row = append(row, g.Effects[k].text(o.decimals))
			}
		}
		by.Rows = append(by.Rows, row)
	}
	return []table.Table{t, by}
}

// bandText is a band without the number that puts it in order.
func bandText(band string) string {
	if _, text, numbered := strings.Cut(band, ": "); numbered {
		return text
	}
	return band
}

// ofClock finds the column clock in a condition.
var ofClock = pattern.Of(`(?i)\bclock\b`)

func (r *report) notes() []string {
	var notes []string
	if slices.Contains(r.Params.Match, "clock") && ofClock().MatchString(r.Params.When) {
		rest := lists.Where(r.Params.Match, func(name string) bool { return name != "clock" })
		notes = append(notes, fmt.Sprintf("The event depends on the clock, and is compared only with moves at a similar clock: most of its effect is not in the difference. Leave out the clock: --match %s.", strings.Join(rest, ",")))
	}
	return append(notes,
		fmt.Sprintf("An event is a player's first move in a game for which the condition holds. It is compared with moves without an event by the same player in other games, in positions alike by %s. Events that come later in those games do not matter.", human.List(r.Params.Match)),
		"“Usual” is what the player and the kind of position predict together, by least squares on the moves without an event (Borusyak, Jaravel and Spiess 2024). So players who often have the event are compared with themselves.",
		"An event is not compared if the player has no other game, or if nobody else moved in a similar position.",
		sheet.Pointwise("moves of one player that depend on each other, in all games", "events that happen at a player's bad times, so an event need not cause what follows it"),
		"Losses are in hundredths. Values beyond ±1000 count as ±1000.",
		sheet.Recorded)
}

// forest has the difference of an outcome, of all events and by band.
func (r *report) forest() *chart.Forest {
	k := r.compared()
	o := r.outcomes()[k]
	f := &chart.Forest{Title: r.title(), Subtitle: o.name + ", difference from what is usual, with 95 % intervals", XLabel: "difference: " + o.name, Single: true, Series: []chart.Series{{Label: "difference"}}}
	add := func(group, label string, e Effect) {
		if e.Events == 0 || math.IsNaN(e.Low) {
			return
		}
		f.Lines = append(f.Lines, chart.Line{Group: group, Label: label, Marks: []chart.Mark{{At: e.Difference, Low: e.Low, High: e.High, Note: label + ": " + e.text(o.decimals)}}})
		f.XMin, f.XMax = min(f.XMin, e.Low), max(f.XMax, e.High)
	}
	add("", "all", r.All[k])
	for i, g := range r.By {
		group := ""
		if i == 0 || r.By[i-1].By != g.By {
			group = "by " + g.By
		}
		add(group, bandText(g.Band), g.Effects[k])
	}
	margin := (f.XMax - f.XMin) * 0.05
	if f.XMin, f.XMax = f.XMin-margin, f.XMax+margin; f.XMin == f.XMax {
		f.XMin, f.XMax = -1, 1
	}
	return f
}

// result has all effects, for the CSV file.
func (r *report) result() *query.Result {
	var all [][]any
	add := func(k int, by, band string, e Effect) {
		all = append(all, []any{r.outcomes()[k].column, by, band, int64(e.Events), int64(e.Players), int64(e.Unmatched), e.After, e.Usual, e.Difference, e.Low, e.High})
	}
	for k, e := range r.All {
		add(k, "", "all", e)
		for _, g := range r.By {
			add(k, g.By, bandText(g.Band), g.Effects[k])
		}
	}
	return sheet.Result(all, "VARCHAR outcome by band", "BIGINT events players unmatched", "DOUBLE after usual difference low high")
}
