package database

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"

	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/internal/table"
	"kifu/report/chart"
	"kifu/report/sheet"
)

// Sheet is the report; its further pictures are named after their titles.
func (d *report) Sheet() *sheet.Sheet {
	pictures := d.charts()
	first := pictures[0]
	s := &sheet.Sheet{Name: "database", Text: table.Document{Title: sheet.Title("Games", d.Game, d.Sources.Names()), Tables: d.tables(), Notes: d.notes()},
		Picture: first, SQL: d.SQL, Rows: d.Rows, Inputs: d.Sources.Inputs("", ""), Read: d.Sources.Read()}
	s.Text.Lead = d.lead() + " Below: " + strings.ToLower(first.Title[:1]) + first.Title[1:] + ", " + first.Subtitle + "."
	for _, c := range pictures[1:] {
		s.More = append(s.More, sheet.FigureOf(strings.ReplaceAll(strings.ToLower(c.Title), " ", "-"), c))
	}
	return s
}

func (d *report) lead() string {
	var parts []string
	for _, f := range d.Sections["games"] {
		if f.Item != "all" {
			continue
		}
		text := fmt.Sprintf("%s: %s of %s plies on average; %s scores %s.", f.Source, human.Plural(f.Games, "game", "games"), human.Fixed(f.Mean, 1), d.Sides[0], human.Percent(f.Score, 1))
		for _, a := range d.Sections["first-move advantage"] {
			if a.Source == f.Source && a.Item == "given the ratings" {
				text += fmt.Sprintf(" At the recorded ratings, moving first is worth %s Elo (%s to %s).", human.Signed(a.Value, 0), human.Signed(a.Low, 0), human.Signed(a.High, 0))
			}
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " ")
}

// charts are the pictures that the datasets allow; lengths are always among them.
func (d *report) charts() []*chart.Chart {
	var all []*chart.Chart
	if len(d.Sections["rating difference"]) > 0 {
		if c := d.ratingChart(); len(c.Series[0].Points) > 1 {
			all = append(all, c)
		}
	}
	all = append(all, d.lengthChart())
	if d.Branches {
		all = append(all, d.branchingChart())
	}
	return all
}

// fewGames is how many games a point of a picture has at least.
const fewGames = 20

func (d *report) ratingChart() *chart.Chart {
	c := &chart.Chart{Title: "Results by rating difference", Subtitle: fmt.Sprintf("bins of %d Elo with at least %d games; 95 %% intervals", d.Params.Bin, fewGames),
		XLabel: "rating difference [Elo], positive if " + d.Sides[0] + " is higher", YLabel: "score of " + d.Sides[0], YMin: 0, YMax: 1, Cross: &chart.Point{X: 0, Y: 0.5}}
	facts := d.Sections["rating difference"]
	elo := chart.Series{Label: "Elo's expectation", Colour: chart.Guide, Dash: 1, Smooth: true}
	for i, name := range sourcesOf(facts) {
		s := chart.Series{Label: name, Colour: i}
		first := chart.Series{Label: "expectation with the first move, " + name, Colour: i, Dash: 2, Smooth: true}
		for _, f := range facts {
			if f.Source != name || f.Games < fewGames {
				continue
			}
			note := fmt.Sprintf("%s at %s: %s (%s to %s) of %s, expected %s", name, human.Number(f.Value), human.Percent(f.Score, 1), human.Percent(f.Low, 1), human.Percent(f.High, 1), human.Plural(f.Games, "game", "games"), human.Percent(f.Expected, 1))
			s.Points = append(s.Points, chart.Point{X: f.Value, Y: f.Score, Low: f.Low, High: f.High, Note: note})
			if !math.IsNaN(f.ExpectedFirst) {
				first.Points = append(first.Points, chart.Point{X: f.Value, Y: f.ExpectedFirst})
			}
		}
		c.Series = append(c.Series, s)
		if len(first.Points) > 1 {
			c.Series = append(c.Series, first)
		}
	}
	c.SpanX(float64(d.Params.Bin))
	const steps = 100
	for i := range steps + 1 {
		v := c.XMin + (c.XMax-c.XMin)*float64(i)/steps
		elo.Points = append(elo.Points, chart.Point{X: v, Y: 1 / (1 + math.Pow(10, -v/400))})
	}
	c.Series = append(c.Series, elo)
	c.XTicks, c.YTicks = chart.AxisTicks(c.XMin, c.XMax, 12, human.Number), chart.AxisTicks(0, 1, 10, human.Number)
	return c
}

func (d *report) lengthChart() *chart.Chart {
	c := &chart.Chart{Title: "Length of games", Subtitle: fmt.Sprintf("share of the games in bins of %d plies", lengthBin), XLabel: "plies", YLabel: "share of the games"}
	facts := d.Sections["length"]
	total := map[string]int64{}
	for _, f := range facts {
		total[f.Source] += f.Games
	}
	c.Series = series(facts, func(f fact) (chart.Point, bool) {
		share := float64(f.Games) / float64(total[f.Source])
		c.YMax = math.Max(c.YMax, share)
		return chart.Point{X: f.Value + lengthBin/2, Y: share,
			Note: fmt.Sprintf("%s, %s to %s plies: %s, %s, %s scores %s", f.Source, human.Number(f.Value), human.Number(f.Value+lengthBin-1), human.Plural(f.Games, "game", "games"), human.Percent(share, 1), d.Sides[0], human.Percent(f.Score, 1))}, true
	})
	c.SpanX(lengthBin / 2)
	c.XMin, c.YMax = 0, c.YMax*1.05
	c.XTicks, c.YTicks = chart.AxisTicks(c.XMin, c.XMax, 12, human.Number), chart.AxisTicks(0, c.YMax, 8, human.Number)
	return c
}

func (d *report) branchingChart() *chart.Chart {
	c := &chart.Chart{Title: "Branching factor", Subtitle: fmt.Sprintf("mean number of legal moves at plies with at least %d positions; first to ninth decile", fewGames), XLabel: "plies played", YLabel: "legal moves"}
	c.Series = series(d.Sections["ply"], func(f fact) (chart.Point, bool) {
		if f.Positions < fewGames {
			return chart.Point{}, false
		}
		c.YMax = math.Max(c.YMax, f.Ninetieth)
		return chart.Point{X: f.Value, Y: f.Mean, Low: f.Tenth, High: f.Ninetieth,
			Note: fmt.Sprintf("%s, ply %s: %.1f legal moves (%s to %s) in %s", f.Source, human.Number(f.Value), f.Mean, human.Number(f.Tenth), human.Number(f.Ninetieth), human.Plural(f.Positions, "position", "positions"))}, true
	})
	c.SpanX(1)
	c.YMax = math.Max(1, c.YMax*1.05)
	c.XTicks, c.YTicks = chart.AxisTicks(c.XMin, c.XMax, 12, human.Number), chart.AxisTicks(0, c.YMax, 8, human.Number)
	return c
}

// series has a line a source, through the points of its facts that have one.
func series(facts []fact, point func(fact) (chart.Point, bool)) (all []chart.Series) {
	for i, name := range sourcesOf(facts) {
		s := chart.Series{Label: name, Colour: i}
		for _, f := range facts {
			if at, shown := point(f); f.Source == name && shown {
				s.Points = append(s.Points, at)
			}
		}
		all = append(all, s)
	}
	return all
}

// sourcesOf are the names of the sources in the order of the facts.
func sourcesOf(facts []fact) []string {
	return lists.Distinct(facts, func(f fact) string { return f.Source })
}

func (d *report) tables() []table.Table {
	tables := []table.Table{d.gamesTable(), d.advantageTable()}
	if len(d.Sections["rating difference"]) > 0 {
		tables = append(tables, d.ratingTable())
	}
	tables = append(tables, d.profileTable())
	if d.Branches {
		tables = append(tables, d.phaseTable())
	}
	tables = append(tables, d.duplicatesTable())
	if len(d.Sections["rejected"])+len(d.Sections["noted"]) > 0 {
		tables = append(tables, d.rejectsTable())
	}
	return tables
}

// wins are the heads of the columns of won games.
func (d *report) wins() [2]string {
	name := strings.NewReplacer("the ", "", " player", "")
	return [2]string{name.Replace(d.Sides[0]) + " wins", name.Replace(d.Sides[1]) + " wins"}
}

func (d *report) gamesTable() table.Table {
	wins := d.wins()
	t := table.Table{Name: "games", Caption: "Games", Head: []table.Cell{table.Text("games"), table.Text(""), table.Number("number"), table.Number(wins[0]), table.Number("draws"), table.Number(wins[1]), table.Number("no result"),
		table.Number("score"), table.Number("95\u00a0% interval"), table.Number("plies"), table.Number("mean length"), table.Number("median"), table.Number("deciles"), table.Text("years")}}
	for _, f := range d.Sections["games"] {
		dates := "–"
		if f.FirstDate != "" {
			dates = f.FirstDate[:min(4, len(f.FirstDate))] + "–" + f.LastDate[:min(4, len(f.LastDate))]
		}
		t.Rows = append(t.Rows, []string{f.Source, f.Item, human.Grouped(f.Games), human.Grouped(f.Wins), human.Grouped(f.Draws), human.Grouped(f.Losses), human.Grouped(f.Unfinished),
			human.Percent(f.Score, 1), shareInterval(f.Low, f.High), human.Grouped(f.Plies), human.Fixed(f.Mean, 1), human.Number(f.Median), human.Number(f.Tenth) + " to " + human.Number(f.Ninetieth), dates})
	}
	return t
}

// shareInterval writes the ends of an interval of shares.
func shareInterval(low, high float64) string {
	if math.IsNaN(low) || math.IsNaN(high) {
		return "–"
	}
	return fmt.Sprintf("%.1f–%.1f", 100*low, 100*high)
}

func (d *report) advantageTable() table.Table {
	t := table.Table{Name: "advantage", Caption: "First-move advantage", Head: []table.Cell{table.Text("games"), table.Text(""), table.Number("Elo"), table.Number("95\u00a0% interval"), table.Number("games")}}
	for _, f := range d.Sections["first-move advantage"] {
		t.Rows = append(t.Rows, []string{f.Source, f.Item, human.Signed(f.Value, 1), human.Span(f.Low, f.High, 1), human.Grouped(f.Games)})
	}
	return t
}

func (d *report) ratingTable() table.Table {
	wins := d.wins()
	t := table.Table{Name: "ratings", Caption: "Results by rating difference", Long: true, Head: []table.Cell{table.Text("games"), table.Number("difference"), table.Number("number"), table.Number(wins[0]), table.Number("draws"), table.Number(wins[1]),
		table.Number("score"), table.Number("95\u00a0% interval"), table.Number("expected"), table.Number("with the first move"), table.Number("score − expected")}}
	for _, f := range d.Sections["rating difference"] {
		t.Rows = append(t.Rows, []string{f.Source, human.Number(f.Value), human.Grouped(f.Games), human.Grouped(f.Wins), human.Grouped(f.Draws), human.Grouped(f.Losses),
			human.Percent(f.Score, 1), shareInterval(f.Low, f.High), human.Percent(f.Expected, 1), human.Percent(f.ExpectedFirst, 1), human.Signed(100*(f.Score-f.Expected), 1)})
	}
	return t
}

// profileTable has the branching factor and the length, with the book's.
func (d *report) profileTable() table.Table {
	t := table.Table{Name: "profile", Caption: "Branching factor and length", Head: []table.Cell{table.Text("source"), table.Number("legal moves"), table.Number("deciles"), table.Number("positions"), table.Number("plies per game")}}
	for _, f := range d.Sections["literature"] {
		t.Rows = append(t.Rows, []string{f.Source + ", " + f.Item, human.Fixed(f.Mean, 1), "–", "–", human.Grouped(f.Plies)})
	}
	for _, f := range d.Sections["games"] {
		if f.Item == "all" {
			t.Rows = append(t.Rows, []string{f.Source, "–", "–", "–", human.Fixed(f.Mean, 1)})
		}
	}
	for _, f := range d.Sections["branching"] {
		t.Rows = append(t.Rows, []string{f.Source, human.Fixed(f.Mean, 1), human.Number(f.Tenth) + " to " + human.Number(f.Ninetieth), human.Grouped(f.Positions), "–"})
	}
	return t
}

func (d *report) phaseTable() table.Table {
	t := table.Table{Name: "phases", Caption: "Branching factor and length by phase", Head: []table.Cell{table.Text("positions"), table.Text("phase"), table.Number("legal moves"), table.Number("deciles"), table.Number("number"), table.Number("share"), table.Number("games that reach it"), table.Number("plies in it per game")}}
	total := map[string]int64{}
	for _, f := range d.Sections["branching"] {
		total[f.Source] = f.Positions
	}
	for _, f := range d.Sections["phase"] {
		t.Rows = append(t.Rows, []string{f.Source, f.Item, human.Fixed(f.Mean, 1), human.Number(f.Tenth) + " to " + human.Number(f.Ninetieth), human.Grouped(f.Positions),
			human.Percent(float64(f.Positions)/float64(total[f.Source]), 1), human.Grouped(f.Games), human.Fixed(float64(f.Positions)/float64(f.Games), 1)})
	}
	return t
}

func (d *report) duplicatesTable() table.Table {
	t := table.Table{Name: "duplicates", Caption: "Duplicate games", Head: []table.Cell{table.Text("games"), table.Text(""), table.Number("extra copies"), table.Number("share"), table.Number("groups")}}
	total := map[string]int64{}
	for _, f := range d.Sections["games"] {
		if f.Item == "all" {
			total[f.Source] = f.Games
		}
	}
	found := lists.By(d.Sections["duplicates"], func(f fact) [2]string { return [2]string{f.Source, f.Item} })
	for _, name := range sourcesOf(d.Sections["games"]) {
		for _, item := range []string{"same moves", "same moves, at least 20 plies", "same moves, players and date"} {
			f := found[[2]string{name, item}]
			t.Rows = append(t.Rows, []string{name, item, human.Grouped(f.Games), human.Percent(float64(f.Games)/float64(total[name]), 2), human.Grouped(f.Groups)})
		}
	}
	return t
}

func (d *report) rejectsTable() table.Table {
	t := table.Table{Name: "rejects", Caption: "Rejected and unusual games", Head: []table.Cell{table.Text("games"), table.Text(""), table.Text("reason"), table.Number("number")}}
	for _, section := range []string{"rejected", "noted"} {
		for _, f := range d.Sections[section] {
			t.Rows = append(t.Rows, []string{f.Source, section, f.Item, human.Grouped(f.Games)})
		}
	}
	return t
}

//go:embed notes.txt
var notesTemplate string

// Handicap reports whether some games have a handicap and others none.
func (d *report) Handicap() bool {
	return slices.ContainsFunc(d.Sections["games"], func(f fact) bool { return f.Item == "without handicap" })
}

func (d *report) notes() []string { return sheet.Notes(notesTemplate, d) }
