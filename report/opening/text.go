package opening

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/internal/human"
	"kifu/internal/table"
	"kifu/query"
	"kifu/report/chart"
	"kifu/report/page"
	"kifu/report/shape"
	"kifu/report/sheet"
)

// write puts everything that o has to say into out.
func (o *report) write(out page.Output) error {
	var read int64
	var names []string
	for _, s := range o.Sources {
		read += s.Rows
		names = append(names, s.Name)
	}
	out.AddCounts(datasets.Counts{Read: read})
	csv, err := sheet.CSV(o.withBacked())
	if err != nil {
		return err
	}
	reach := o.chart()
	w := treeWriter{named: o.Named, seen: map[spot]string{}}
	for _, root := range o.Roots {
		w.node(root, "", 0)
	}
	p := page.Section{
		Document: table.Document{Title: sheet.Title("Openings", o.Game, names[:1]), Lead: o.lead(), Tables: []table.Table{{Name: "tree", Caption: "The tree as a table", Long: true, Head: w.head(), Rows: w.rows}}, Notes: o.notes()},
		Picture:  template.HTML(treeStyle + `<div class="tree">` + w.html.String() + "</div>\n"), SQL: o.SQL,
		More: []page.Section{{Document: table.Document{Title: reach.Title, Lead: human.Capital(reach.Subtitle) + "."}, Legend: reach.Legend(), Picture: reach.SVG(human.Number)}},
	}
	for _, s := range o.Sources {
		p.Inputs = append(p.Inputs, fmt.Sprintf("%s: key %s, %s rows", s.Name, s.Key[:min(16, len(s.Key))], human.Grouped(s.Rows)))
	}
	return page.Write(out, "opening", p, reach, csv)
}

// withBacked is the query's result with the values that the tree backs up.
func (o *report) withBacked() *query.Result {
	columns := append(slices.Clone(o.Result.Columns), query.Column{Name: "backed_value", Type: "DOUBLE"})
	var rows [][]any
	for _, f := range o.Rows {
		var backed any
		for _, e := range o.Nodes[spot{f.Whole("ply"), f.At("hash").(uint64)}].Edges {
			if v := e.Backed(); e.Move == f.Text("move") && !math.IsNaN(v) {
				backed = v
			}
		}
		rows = append(rows, append(slices.Clone(f.Row), backed))
	}
	return query.NewResult(columns, rows)
}

var treeHead = []table.Cell{table.Text("line"), table.Number("games"), table.Number("share"), table.Number("score"), table.Number("rating"), table.Number("performance"), table.Text("last"), table.Number("value"), table.Number("backed up"), table.Text("best unplayed reply"), table.Number("its value")}

const treeStyle = `<style>
.tree details { margin: 0 0 0 1.1em; } .tree > details { margin-left: 0; }
.tree .end { margin-left: 2.2em; } .tree summary { font-weight: 400; padding: 2px 0; }
.tree b { display: inline-block; min-width: 4.2em; } .tree i { font-style: normal; color: var(--faint); }
.tree summary:focus-visible { outline: 2px solid var(--k2); outline-offset: 1px; }
</style>
`

// treeWriter writes the tree depth first; a position that came before is referred to.
type treeWriter struct {
	named bool // openings have names
	html  strings.Builder
	rows  [][]string
	seen  map[spot]string // line by which it was first reached
}

// head is that of the tree as a table: the opening's name is last where openings have names.
func (w *treeWriter) head() []table.Cell {
	if w.named {
		return append(slices.Clone(treeHead), table.Text("opening"))
	}
	return treeHead
}

// openLevels is how many levels of the tree a reader sees at first.
const openLevels = 1

func (w *treeWriter) node(n *node, line string, level int) {
	for _, e := range n.Edges {
		path := strings.TrimSpace(line + " " + e.Move)
		before, again := w.seen[e.Child]
		row := []string{path, human.Grouped(e.Games), human.Percent(e.Share, 1), human.Percent(e.Score, 1), rounded(e.Rating), rounded(e.Performance), e.LastDate, human.Signed(e.Value, 1), human.Signed(e.Backed(), 1), "", ""}
		text := fmt.Sprintf("<b>%s</b> %s, %s <i>scores</i> %s", html.EscapeString(e.Move), human.Plural(e.Games, "game", "games"), human.Percent(e.Share, 1), human.Percent(e.Score, 1))
		for _, extra := range []struct{ name, value string }{{"opening", e.Opening}, {"performance", rounded(e.Performance)}, {"last", e.LastDate}, {"value", human.Signed(e.Value, 1)}, {"backed up", human.Signed(e.Backed(), 1)}} {
			if extra.value != "" && extra.value != "–" {
				text += fmt.Sprintf(" · <i>%s</i> %s", extra.name, html.EscapeString(extra.value))
			}
		}
		if e.To != nil && e.To.Unplayed != "" {
			row[9], row[10] = e.To.Unplayed, human.Signed(e.To.UnplayedValue, 1)
			text += fmt.Sprintf(" · <i>best unplayed reply</i> %s (%s)", html.EscapeString(e.To.Unplayed), human.Signed(e.To.UnplayedValue, 1))
		}
		if w.named {
			row = append(row, e.Opening)
		}
		w.rows = append(w.rows, row)
		switch {
		case again && e.To != nil:
			fmt.Fprintf(&w.html, "<div class=\"end\">%s <i>goes on as</i> %s</div>\n", text, html.EscapeString(before))
		case e.To == nil:
			fmt.Fprintf(&w.html, "<div class=\"end\">%s</div>\n", text)
		default:
			w.seen[e.Child] = path
			open := ""
			if level < openLevels {
				open = " open"
			}
			fmt.Fprintf(&w.html, "<details%s><summary>%s</summary>\n", open, text)
			w.node(e.To, path, level+1)
			w.html.WriteString("</details>\n")
		}
	}
}

func rounded(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return human.Number(math.Round(v))
}

func (o *report) games() (n int64) {
	for _, root := range o.Roots {
		for _, e := range root.Edges {
			n += e.Games
		}
	}
	return n
}

func (o *report) lead() string {
	best := o.Roots[0].Edges[0]
	text := fmt.Sprintf("%s moves in %s, from %s; most play %s (%s, score %s).", human.Grouped(int64(len(o.Rows))), human.Plural(int64(len(o.Nodes)), "position", "positions"), human.Plural(o.games(), "game", "games"), best.Move, human.Percent(best.Share, 1), human.Percent(best.Score, 1))
	return text + " Open and close a position by mouse, or with Tab and Enter."
}

func (o *report) notes() []string {
	notes := []string{
		fmt.Sprintf("The first %d plies; a move is shown when at least %d games have it, and its share is of the moves played in the position. Lines that reach a position after equally many plies are one; the second time the tree says where it goes on. Moves in fewer games are in no value that is backed up.", o.Params.Depth, o.Params.MinGames),
		"Score and performance are those of the side that moves. Performance is the opponents' mean rating plus Elo's difference at the score of the rated games, at most 800. Frequency, score, strength and recency are what Deep Blue's extended book weighs (Campbell, Hoane and Hsu 2002).",
	}
	if o.Column == "" {
		notes = append(notes, "These positions have no values: name labels in their spot (kifu label) for values and what they come to by best play.")
	} else {
		notes = append(notes, fmt.Sprintf("Values are %s after the move, first player's side, in %s. Backed up: what the values at the ends of the tree come to when both sides choose the best of the moves shown and, where known, of the best unplayed one (negamax; Buro 1999).", o.Column, o.Unit))
	}
	if o.Choices {
		notes = append(notes, "The best unplayed reply is the best by value of the moves that no game of the database plays in the position; of choices made with --alternatives, of those drawn.")
	} else {
		notes = append(notes, "Values of unplayed moves are not known: name choices of the same positions too (kifu label --choices).")
	}
	if !o.Dates {
		notes = append(notes, "No dates: name the games too.")
	}
	return notes
}

// chart shows how far the tree reaches: the share of the games still in it, by ply.
func (o *report) chart() *chart.Chart {
	still := make([]int64, o.Params.Depth+1)
	still[0] = o.games()
	for at, n := range o.Nodes {
		for _, e := range n.Edges {
			still[at.ply+1] += e.Games
		}
	}
	s := chart.Series{Label: "games in the tree"}
	total := float64(still[0])
	for ply, n := range still {
		share := math.Min(1, float64(n)/total)
		low, high := shape.Wilson(share, total)
		s.Points = append(s.Points, chart.Point{X: float64(ply), Y: share, Low: low, High: high, Note: fmt.Sprintf("after %d plies: %s, %s", ply, human.Plural(n, "game", "games"), human.Percent(share, 1))})
	}
	c := &chart.Chart{Title: "How far the tree reaches", Subtitle: "share of the games whose moves so far are all in the tree or transpose into it; 95 % intervals",
		XLabel: "plies", YLabel: "share of the games", XMin: 0, XMax: float64(o.Params.Depth), YMin: 0, YMax: 1, Series: []chart.Series{s}}
	c.XTicks, c.YTicks = chart.AxisTicks(0, c.XMax, 12, human.Number), chart.AxisTicks(0, 1, 10, human.Number)
	return c
}
