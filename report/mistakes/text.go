package mistakes

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strconv"

	"kifu/games/board"
	"kifu/internal/human"
	"kifu/internal/table"
	"kifu/report/chart"
	"kifu/report/examples"
	"kifu/report/sheet"
)

// shown is how many rows a table has at most.
const shown = 30

func (r *Report) sheet() *sheet.Sheet {
	return &sheet.Sheet{Name: "mistakes", Unit: r.Unit, Text: r.document(), Picture: r.chart(), SQL: r.SQL, Rows: r.Result, Inputs: r.inputs, Read: r.read, Printed: r.printed()}
}

// printed are the tables that the terminal shows: mistakes, moves, and what follows the openings.
func (r *Report) printed() []int {
	printed := []int{0, 1}
	for i, t := range r.document().Tables {
		if slices.Contains([]string{"clock", "motif", "model", "traps"}, t.Name) {
			printed = append(printed, i)
		}
	}
	return printed
}

// By are the ways in which mistakes are counted, as sections name them, and their captions.
var By = []struct{ Section, Caption string }{{"moves", "By move number"}, {"phase", "By phase"}, {"player", "By player"}, {"opening", "By opening"}, {"clock", "By time left"}, {"motif", "By motif of the reply"}}

func (r *Report) title() string {
	return sheet.Title("Mistakes", r.Game, []string{r.mover()})
}

// worth is an amount of value with its unit.
func (r *Report) worth(x float64) string { return human.Worth(x) + " " + r.Unit }

func (r *Report) document() table.Document {
	d := table.Document{Title: r.title(), Lead: r.Lead(), Notes: r.Notes()}
	d.Tables = append(d.Tables, r.moves("mistakes", "Mistakes, by total cost", "played", "mistake"))
	for _, by := range By {
		if t := r.counts(by.Section, by.Caption, by.Section); len(t.Rows) > 0 {
			d.Tables = append(d.Tables, t)
		}
	}
	if r.Params.Model {
		d.Tables = append(d.Tables, r.counts("model", "Mistakes in traps, swindles and other positions", "model"), r.moves("traps", "Traps and swindles, by what they cost the model", "the model's move", "trap", "swindle"))
	}
	return d
}

func (r *Report) phase() string {
	if r.Phase {
		return "phase"
	}
	return "ply"
}

// Lead returns how many moves are mistakes, in a sentence.
func (r *Report) Lead() string {
	var moves, mistakes, repeated int64
	for _, f := range r.Of("phase") {
		moves, mistakes, repeated = moves+f.Moves, mistakes+f.Mistakes, repeated+f.Repeated
	}
	text := fmt.Sprintf("%s of %s (%s) cost %s or more by %s", human.Grouped(mistakes), human.Plural(moves, "move", "moves"), r.mover(), r.worth(r.Params.Least), cmp.Or(r.values, "the values in the records"))
	if r.placed {
		text += fmt.Sprintf("; %s of these were made more than once in the same position", human.Grouped(repeated))
	}
	return text + "."
}

// Notes returns how the numbers are made.
func (r *Report) Notes() []string {
	notes := []string{
		fmt.Sprintf("A move's cost is %s, from the mover's side. Values beyond ±%s count as ±%[2]s.", map[bool]string{true: "the value of the best move minus its own (forced moves are skipped)", false: "the fall in value that it causes"}[r.every], r.worth(r.Params.Cap)),
		"These are counts in these games, not estimates. kifu player compares a player with others, with intervals.",
	}
	if r.values == "" {
		notes = append(notes, sheet.Recorded)
	}
	if !r.placed {
		notes = append(notes, "Without positions, moves and repeated mistakes are unknown: add positions (kifu transform).")
	}
	if slices.ContainsFunc(r.Facts, func(f Fact) bool { return f.Stronger != "" }) {
		notes = append(notes, fmt.Sprintf("Stronger players are rated at least %d points above the mean of those who made the mistake. If those have no rating, all other players count.", Data{}.Stronger()))
	}
	if len(r.Of("mistake")) == most {
		notes = append(notes, fmt.Sprintf("The CSV file lists the %s mistakes that cost most. Without its LIMIT the query lists all.", human.Grouped(most)))
	}
	if len(r.Of("motif")) > 0 {
		notes = append(notes, "By motif of the reply: moves after which the opponent plays a fork, a pin and so on (docs/motifs.md).")
	}
	if r.Params.Model {
		notes = append(notes,
			"Trap (Jansen 1990): the model's favourite move is a mistake. The model values every other move lower by at least the cost of a mistake.",
			"Swindle: all moves but one are mistakes. The model values the good move lower than its favourite by at least that cost.",
			"The cost is the mean over the moves to which the model gives its highest value. Other positions where its favourite is a mistake are in the CSV file.")
	}
	return notes
}

// moves is a table of positions with two moves.
func (r *Report) moves(name, caption, move string, sections ...string) table.Table {
	t := table.Table{Name: name, Caption: caption, Head: []table.Cell{table.Text("position"), table.Text(move), table.Text("better"), table.Text("stronger players"), table.Number("cost"), table.Number("mistakes"), table.Number("times reached"), table.Text("kind"), table.Text("game, ply")}}
	for i, f := range r.Of(sections...) {
		if i == shown {
			break
		}
		reached := ""
		if r.placed {
			reached = human.Grouped(f.Moves)
		}
		kind := f.Section
		if kind == "mistake" {
			kind = ""
		}
		if r.rules != nil {
			f = f.Shown(r.rules, false)
		}
		t.Rows = append(t.Rows, []string{f.Position, f.Move, f.Better, f.Others(), human.Worth(f.Cost), human.Grouped(f.Mistakes), reached, kind, fmt.Sprintf("%d, %d", f.Game, f.Ply)})
	}
	return filled(t)
}

// filled leaves out the columns that are empty in all rows.
func filled(t table.Table) table.Table {
	for i := len(t.Head) - 1; i >= 0 && len(t.Rows) > 0; i-- {
		if slices.ContainsFunc(t.Rows, func(row []string) bool { return row[i] != "" }) {
			continue
		}
		t.Head = slices.Delete(t.Head, i, i+1)
		for k := range t.Rows {
			t.Rows[k] = slices.Delete(t.Rows[k], i, i+1)
		}
	}
	return t
}

// Shown returns the fact with its moves as players of g write them, the one played with its number. They are unchanged where
// the position has no board.
func (f Fact) Shown(g board.Game, western bool) Fact {
	b, err := g.Start("", f.Position)
	if err != nil || f.Position == "" {
		return f
	}
	f.Move = board.Line(b, int(f.Ply), []string{f.Move}, western)
	f.Better, f.Stronger = board.Shown(b, f.Better, western), board.Shown(b, f.Stronger, western)
	return f
}

// Others writes what stronger players choose: "Nf3, 12 of 15"; "" if none was there.
func (f Fact) Others() string {
	if f.Stronger == "" {
		return ""
	}
	return fmt.Sprintf("%s, %d of %d", f.Stronger, f.StrongerN, f.StrongerOf)
}

// counts is a table of moves and mistakes by what they have in common.
func (r *Report) counts(name, caption, section string) table.Table {
	key := section
	switch section {
	case "moves":
		key = "move number"
	case "phase":
		key = r.phase()
	}
	t := table.Table{Name: name, Caption: caption, Head: []table.Cell{table.Text(key), table.Number("moves"), table.Number("mistakes"), table.Number("per 100 moves"), table.Number("repeated"), table.Number("mean cost"), table.Text("costliest: game, ply")}}
	for i, f := range r.Of(section) {
		if i == shown {
			break
		}
		cost, repeated, dearest := "", human.Grouped(f.Repeated), ""
		if f.Mistakes > 0 {
			cost, dearest = human.Worth(f.Cost/float64(f.Mistakes)), fmt.Sprintf("%d, %d", f.Game, f.Ply)
		}
		if section == "model" || !r.placed {
			repeated = ""
		}
		if section == "model" {
			dearest = ""
		}
		t.Rows = append(t.Rows, []string{f.Item, human.Grouped(f.Moves), human.Grouped(f.Mistakes), human.Fixed(100*float64(f.Mistakes)/float64(f.Moves), 1), repeated, cost, dearest})
	}
	return filled(t)
}

// chart has the mistakes a hundred moves by phase.
func (r *Report) chart() *chart.Chart {
	c := &chart.Chart{Title: r.title(), Subtitle: "moves that cost " + r.worth(r.Params.Least) + " or more, per 100 moves", XLabel: r.phase(), YLabel: "mistakes per 100 moves", XMin: -1, XMax: 1, YMax: 1}
	s := chart.Series{Label: r.mover()}
	for _, f := range r.Of("phase") {
		x, err := strconv.ParseFloat(f.Item, 64)
		if err != nil {
			continue
		}
		y := 100 * float64(f.Mistakes) / float64(f.Moves)
		s.Points = append(s.Points, chart.Point{X: x, Y: y, Low: y, High: y, Note: fmt.Sprintf("%s %s: %s of %s", r.phase(), f.Item, human.Grouped(f.Mistakes), human.Plural(f.Moves, "move", "moves"))})
		c.XMax, c.YMax = max(c.XMax, x+1), max(c.YMax, 1.1*y)
	}
	c.Series = []chart.Series{s}
	c.XTicks, c.YTicks = chart.AxisTicks(c.XMin, c.XMax, 12, human.Number), chart.AxisTicks(0, c.YMax, 10, human.Number)
	return c
}

// boards draws the positions at the head of the lists.
func (r *Report) boards() (template.HTML, error) {
	if r.rules == nil || len(r.Facts) > 0 && r.Facts[0].Position == "" {
		return "", nil
	}
	var groups []examples.Group
	for _, k := range []struct{ section, name, played string }{{"mistake", "Costliest mistakes", "was played"}, {"trap", "Traps for the model", "is the model's move"}, {"swindle", "Swindles for the model", "is the model's move"}} {
		g := examples.Group{Name: k.name}
		for _, f := range r.Of(k.section)[:min(examples.Wrong, len(r.Of(k.section)))] {
			b, err := r.rules.Start("", f.Position)
			if err != nil {
				return "", fmt.Errorf("game %d, ply %d: %w", f.Game, f.Ply, err)
			}
			shown := f.Shown(r.rules, false)
			cost := fmt.Sprintf("%s %s and costs %s", shown.Move, k.played, r.worth(f.Cost))
			if f.Better != "" {
				cost += "; better is " + shown.Better
			}
			lines := []string{cost, fmt.Sprintf("%s of %s here", human.Plural(f.Mistakes, "mistake", "mistakes"), human.Plural(f.Moves, "move", "moves"))}
			g.Figures = append(g.Figures, examples.Figure{Board: b, Move: f.Move, Lines: lines, Game: f.Game, Ply: f.Ply})
		}
		if len(g.Figures) > 0 {
			groups = append(groups, g)
		}
	}
	return examples.Page(r.rules, groups), nil
}
