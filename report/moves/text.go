package moves

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/internal/table"
	"kifu/report/chart"
	"kifu/report/sheet"
)

// tops are the ks of the tables.
var tops = []int64{1, 3, 5, 10, 20}

func (g *report) sheet() *sheet.Sheet {
	of := g.sources()
	return &sheet.Sheet{Name: "moves", Text: g.document(), Picture: g.chart(), SQL: g.SQL, Rows: g.Result, Inputs: of.Inputs("move", "moves"), Read: of.Read(), Printed: []int{0}}
}

func (g *report) sources() sheet.Sources { return sheet.SourcesOf(sheet.ContendersOf(g.Orders)) }

func (g *report) title() string { return sheet.Title("Moves played", g.Game, g.sources().Names()) }

// chart has a line an order: the share of moves played among its first k.
func (g *report) chart() *chart.Chart {
	p := &chart.Chart{
		Title:    g.title(),
		Subtitle: "share of played moves among the first k; 95 % intervals",
		XLabel:   "k", YLabel: "share of decisions", XMin: 0, XMax: 20.5, YMax: 1, YTicks: chart.AxisTicks(0, 1, 10, human.Number),
	}
	for _, k := range []int64{1, 3, 5, 10, 15, 20} {
		p.XTicks = append(p.XTicks, chart.Tick{At: float64(k), Label: strconv.FormatInt(k, 10)})
	}
	var chance chart.Series
	for i, o := range g.Orders {
		s := chart.Series{Label: o.Name, Colour: i, Dash: i / len(chart.Palette)}
		for _, r := range g.guesses(i, "all") {
			s.Points = append(s.Points, chart.Point{X: float64(r.Top), Y: r.Share, Low: r.Low, High: r.High, Note: fmt.Sprintf("%s, first %d: %s (%s to %s) of %s in %s; by chance %s", o.Name, r.Top,
				human.Percent(r.Share, 1), human.Percent(r.Low, 1), human.Percent(r.High, 1), human.Plural(r.Decisions, "decision", "decisions"), human.Plural(r.Games, "game", "games"), human.Percent(r.Chance, 1))})
			if i == 0 {
				chance.Points = append(chance.Points, chart.Point{X: float64(r.Top), Y: r.Chance})
			}
		}
		p.Series = append(p.Series, s)
	}
	chance.Label, chance.Colour, chance.Dash, chance.Smooth = "by chance", chart.Guide, 1, true
	p.Series = append(p.Series, chance)
	return p
}

func (g *report) document() table.Document {
	d := table.Document{Title: g.title(), Lead: g.lead(), Notes: sheet.Notes(notesTemplate, g)}
	d.Tables = append(d.Tables, g.table("all", "Moves played among the first k"), g.table("phase", "By phase"), g.table("mover", "By the player to move"))
	if len(g.guesses(0, "player")) > 0 {
		d.Tables = append(d.Tables, g.table("player", "By player"))
	}
	d.Tables = append(d.Tables, g.curve())
	return d
}

func (g *report) lead() string {
	var parts []string
	for i, o := range g.Orders {
		for _, r := range g.guesses(i, "all") {
			if r.Top == 1 {
				parts = append(parts, fmt.Sprintf("%s: %s are its first choice (%s by chance).", o.Name, human.Percent(r.Share, 1), human.Percent(r.Chance, 1)))
			}
		}
	}
	if len(g.Drawn) > 0 {
		parts = append(parts, "Moves are a sample (--alternatives), so shares are larger than among all legal moves.")
	}
	return "How many of the played moves each order predicts. " + strings.Join(parts, " ")
}

func (g *report) table(kind, caption string) table.Table {
	t := table.Table{Name: "moves-" + kind, Caption: caption, Head: []table.Cell{table.Text("order"), table.Number("decisions"), table.Number("games"), table.Number("effective"), table.Number("moves")}}
	if kind != "all" {
		t.Head = slices.Insert(t.Head, 0, table.Text(kind))
	}
	for _, k := range tops {
		t.Head = append(t.Head, table.Number(fmt.Sprintf("first\u00a0%d", k)))
		if k == 1 {
			t.Head = append(t.Head, table.Number("95\u00a0% interval"))
		}
		t.Head = append(t.Head, table.Number("chance"))
	}
	differs := kind == "all" && g.Paired
	if differs {
		t.Head = append(t.Head, table.Number("first\u00a01 − first"), table.Number("95\u00a0% interval"))
	}
	for _, level := range g.levels(kind) {
		for i, o := range g.Orders {
			var row []string
			for _, r := range g.guesses(i, kind) {
				if r.Level != level || !slices.Contains(tops, r.Top) {
					continue
				}
				if r.Top == 1 {
					row = []string{o.Name, human.Grouped(r.Decisions), human.Grouped(r.Games), human.Fixed(r.EffectiveGames, 0), strconv.FormatFloat(r.Moves, 'f', 1, 64)}
					if kind != "all" {
						row = slices.Insert(row, 0, level)
					}
				}
				row = append(row, human.Percent(r.Share, 1))
				if r.Top == 1 {
					row = append(row, fmt.Sprintf("%.1f–%.1f", 100*r.Low, 100*r.High))
				}
				row = append(row, human.Percent(r.Chance, 1))
			}
			if row != nil {
				if differs {
					row = append(row, g.difference(i)...)
				}
				t.Rows = append(t.Rows, row)
			}
		}
	}
	return t
}

// difference returns the cells of the difference of order i's first choice from the first
// order's.
func (g *report) difference(i int) []string {
	for _, r := range g.guesses(i, "all") {
		if r.Top == 1 && !math.IsNaN(r.Difference) {
			return []string{human.Signed(100*r.Difference, 2), human.Span(100*r.DifferenceLow, 100*r.DifferenceHigh, 2)}
		}
	}
	return []string{"", ""}
}

func (g *report) levels(kind string) []string {
	return lists.Distinct(lists.Where(g.Rows, func(r guess) bool { return r.Kind == kind }), func(r guess) string { return r.Level })
}

// curve is the picture as a table.
func (g *report) curve() table.Table {
	t := table.Table{Name: "moves-curve", Caption: "The lines of the picture", Long: true, Keys: 2, Group: 2, Head: []table.Cell{table.Number("k"), table.Number("chance")}}
	first := g.guesses(0, "all")
	for _, r := range first {
		t.Rows = append(t.Rows, []string{strconv.FormatInt(r.Top, 10), human.Percent(r.Chance, 1)})
	}
	for i, o := range g.Orders {
		t.Head = append(t.Head, table.Number(o.Name), table.Number("95\u00a0% interval"))
		for row, r := range g.guesses(i, "all") {
			t.Rows[row] = append(t.Rows[row], human.Percent(r.Share, 1), fmt.Sprintf("%.1f–%.1f", 100*r.Low, 100*r.High))
		}
	}
	return t
}

//go:embed notes.txt
var notesTemplate string
