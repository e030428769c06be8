package opening

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html"
	"html/template"
	"math"
	"slices"
	"strings"

	"kifu/games/board"
	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/internal/table"
	"kifu/query"
	"kifu/report/chart"
	"kifu/report/page"
	"kifu/report/sheet"
)

// Sheet is the report: its page has the tree, and the picture below it.
func (o *report) Sheet() *sheet.Sheet {
	w := treeWriter{named: o.q.Named, rules: o.Rules, seen: map[spot]string{}, least: o.least()}
	w.begin()
	for i, root := range o.Roots {
		w.root(o, root, i)
	}
	reach, best := o.chart(), o.bestTables()
	printed := []int{} // its lead is printed without tables, too
	for i := range best {
		printed = append(printed, i)
	}
	return &sheet.Sheet{Name: "opening", Printed: printed,
		Text:    table.Document{Title: sheet.Title("Openings", o.Game, []string{cmp.Or(o.titled, o.Sources[0].Name)}), Lead: o.lead(), Tables: append(best, table.Table{Name: "tree", Caption: "The tree as a table", Long: true, Head: w.head(), Rows: w.rows}), Notes: o.notes()},
		Picture: reach, Shown: template.HTML("<style>\n" + treeStyle + `</style>
<div class="tree">` + w.html.String() + "</div>\n"), More: []sheet.Figure{sheet.FigureOf("", reach)},
		SQL: o.SQL, Rows: o.result(), Inputs: o.Sources.Inputs("", ""), Read: o.Sources.Read()}
}

// result has the rows of the query, and the values that the tree backs up.
func (o *report) result() *query.Result {
	columns := []string{"INTEGER ply", "UBIGINT hash child", "BOOLEAN first_to_move", "VARCHAR move", "BIGINT games", "DOUBLE share", "BIGINT wins draws losses", "DOUBLE score rating performance",
		"BIGINT rated", "VARCHAR last_date", "DOUBLE mean_year value parent_value", "VARCHAR unplayed", "DOUBLE unplayed_value"}
	if o.q.Named {
		columns = append(columns, "VARCHAR opening")
	}
	if o.Rules != nil {
		columns = append(columns, "VARCHAR san unplayed_san position")
	}
	text := func(v string) any {
		if v == "" {
			return nil
		}
		return v
	}
	rows := make([][]any, len(o.Edges))
	for i, e := range o.Edges {
		n := e.From
		row := []any{n.ply, n.hash, e.Child.hash, e.First, text(e.Move), e.Games, e.Share, e.Wins, e.Draws, e.Losses, e.Score, e.Rating, e.Performance, e.Rated,
			text(e.LastDate), e.MeanYear, e.Value, e.Parent, text(n.Unplayed), n.UnplayedValue}
		if o.q.Named {
			row = append(row, text(e.Opening))
		}
		if o.Rules != nil {
			row = append(row, text(e.Text), text(n.UnplayedText), n.Position)
		}
		rows[i] = append(row, e.Backed())
	}
	return sheet.Result(rows, append(columns, "DOUBLE backed_value")...)
}

var treeHead = []table.Cell{table.Text("line"), table.Number("games"), table.Number("share"), table.Number("score"), table.Number("rating"), table.Number("performance"), table.Number("rated games"), table.Text("last"), table.Number("value"), table.Number("backed up"), table.Text("best unplayed reply"), table.Number("its value")}

//go:embed tree.css
var treeStyle string

// treeWriter writes the tree depth first; a position that came before is referred to.
type treeWriter struct {
	named bool       // openings have names
	rules board.Game // nil: no boards are drawn, and moves are as stored
	html  strings.Builder
	rows  [][]string
	seen  map[spot]string // line by which it was first reached
	drawn int             // bytes of boards
	least int64           // games that a move must have to be shown
	label string          // of the start; empty for the only one
}

// mostEdges is how many moves a page shows, so that it stays below two megabytes.
const mostEdges = 800

// least is how many games a move must have so that a page has at most mostEdges of them.
func (o *report) least() int64 {
	var all []int64
	for _, n := range o.Nodes {
		all = append(all, lists.Of(n.Edges, func(e *edge) int64 { return e.Games })...)
	}
	if len(all) <= mostEdges {
		return 0
	}
	slices.SortFunc(all, func(a, b int64) int { return cmp.Compare(b, a) })
	return min(all[mostEdges]+1, all[0])
}

// boardBytes is how much of a page boards may take; nodes beyond have their text.
const boardBytes = 1 << 19

// begin writes what boards share.
func (w *treeWriter) begin() {
	if w.rules != nil {
		w.html.WriteString("<style>" + board.Style() + "</style>")
		w.html.Write(board.Symbols(w.rules.Pieces(), false))
	}
}

// root writes the tree from one start: with several, each has a heading.
func (w *treeWriter) root(o *report, n *node, i int) {
	at := w.board(n.Position)
	if len(o.Roots) > 1 {
		w.label = startName(w.rules, at, n, i)
		fmt.Fprintf(&w.html, "<h3>%s: %s</h3>\n", html.EscapeString(w.label), human.Plural(n.games, "game", "games"))
		w.label += ": "
	}
	w.position(at)
	w.node(n, at, "", 0)
}

// startName labels a start among several: the usual one, a handicap, or its text.
func startName(g board.Game, at board.Board, n *node, i int) string {
	if at == nil {
		return fmt.Sprintf("start %d", i+1)
	}
	usual, err := g.Start("", "")
	switch {
	case err != nil:
	case usual.Hash() == at.Hash():
		return "the usual start"
	default:
		if text := handicap(g, usual, at); text != "" {
			return text
		}
	}
	return "from " + n.Position
}

// handicap names a start that differs from the usual one by stones on an empty board, or by removed
// pieces, and in which the other side begins. It is empty for any other.
func handicap(g board.Game, usual, at board.Board) string {
	pieces, giver := g.Pieces(), at.ToMove()
	had, has := usual.AppendCells(nil), at.AppendCells(nil)
	if len(had) != len(has) || giver == usual.ToMove() || len(at.AppendHand(at.AppendHand(nil, giver), usual.ToMove())) > 0 {
		return ""
	}
	var stones, without []string
	for i, name := range at.Layout().Names {
		switch {
		case had[i] == has[i]:
		case had[i] == 0 && pieces[has[i]].Side != giver:
			stones = append(stones, name)
		case has[i] == 0:
			without = append(without, pieces[had[i]].Letter+" on "+name)
		default:
			return ""
		}
	}
	switch {
	case len(without) == 0 && len(stones) > 0 && bytes.Count(had, []byte{0}) == len(had):
		return human.Plural(int64(len(stones)), "handicap stone", "handicap stones") + " on " + strings.Join(stones, ", ")
	case len(stones) == 0 && len(without) > 0:
		return "without " + strings.Join(without, ", ")
	}
	return ""
}

// board is the position of a text, nil where boards are not known.
func (w *treeWriter) board(text string) board.Board {
	if w.rules == nil || text == "" {
		return nil
	}
	b, err := w.rules.Start("", text)
	if err != nil {
		return nil
	}
	return b
}

// position draws the board of a node, or writes its text when the page has enough of them.
func (w *treeWriter) position(at board.Board) {
	if at == nil {
		return
	}
	d := board.Draw(w.rules, at)
	w.html.WriteString(`<div class="at">`)
	if w.drawn < boardBytes {
		svg := d.AppendSVG(nil, true)
		w.drawn += len(svg)
		w.html.Write(svg)
	}
	w.html.WriteString(html.EscapeString(d.Text))
	if d.Layout.Analysis != "" {
		fmt.Fprintf(&w.html, ` · <a href="%s" rel="noreferrer">analysis</a>`, html.EscapeString(d.Layout.Analysis+strings.ReplaceAll(d.Text, " ", "_")))
	}
	w.html.WriteString(page.Explore("openings", "at", d.Text))
	w.html.WriteString("</div>\n")
}

// bar is the share of wins of the side with the light pieces, draws, and wins of the other: it is drawn in their
// colours.
func (w *treeWriter) bar(e *edge, first bool) string {
	left, right := e.Wins, e.Losses
	names, lightFirst := barSides(w.rules)
	if first != lightFirst {
		left, right = right, left
	}
	n := float64(left + e.Draws + right)
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(`<span class="bar" role="img" aria-label="%d %s, %d drawn, %d %s"><u style="width:%.1f%%"></u><u style="width:%.1f%%"></u><u style="width:%.1f%%"></u></span>`,
		left, names[0], e.Draws, right, names[1], 100*float64(left)/n, 100*float64(e.Draws)/n, 100*float64(right)/n)
}

// barSides are the names of the sides, the one with the light pieces first, and whether that is the first player.
func barSides(rules board.Game) (names [2]string, lightFirst bool) {
	names = board.Sides(rules)
	lightFirst = rules == nil || rules.Layout().Light == 0
	if !lightFirst {
		names[0], names[1] = names[1], names[0]
	}
	return names, lightFirst
}

// follow is the move of an edge on a board that may be a mirror image of the node's, nil where the boards are not known.
func (w *treeWriter) follow(at board.Board, n *node, e *edge) board.Move {
	own := w.board(n.Position)
	if at == nil || own == nil {
		return nil
	}
	text := e.Move
	if own.Hash() != at.Hash() {
		m, err := own.Find(text)
		if err != nil {
			return nil
		}
		text = board.MoveAs(m, own, at)
	}
	m, err := at.Find(text)
	if err != nil {
		return nil
	}
	return m
}

// step returns the move of an edge as players write it, with its number and as it goes on a line, and the board after it.
func (w *treeWriter) step(at board.Board, n *node, e *edge, line string) (alone, longer string, after board.Board) {
	m := w.follow(at, n, e)
	if m == nil {
		return e.Text, strings.TrimLeft(line+" "+e.Text, " "), nil
	}
	shown := string(m.AppendShown(nil, false))
	if number := board.NumberInLine(at, int(n.ply), n.ply == 0); number != "" {
		shown = number + " " + shown
	}
	return board.Numbered(at, m, int(n.ply), false), strings.TrimLeft(line+" "+shown, " "), m.Play()
}

// head returns the head of the tree as a table: the opening's name is last where openings have names.
func (w *treeWriter) head() []table.Cell {
	if w.named {
		return append(slices.Clone(treeHead), table.Text("opening"))
	}
	return treeHead
}

// openLevels is how many levels of the tree a reader sees at first.
const openLevels = 1

func (w *treeWriter) node(n *node, at board.Board, line string, level int) {
	for _, e := range n.Edges {
		if e.Games < w.least {
			continue
		}
		move, path, after := w.step(at, n, e, line)
		before, again := w.seen[e.Child]
		row := []string{w.label + path, human.Grouped(e.Games), human.Percent(e.Share, 1), human.Percent(e.Score, 1), rounded(e.Rating), rounded(e.Performance), human.Grouped(e.Rated), e.LastDate, human.Signed(e.Value, 1), human.Signed(e.Backed(), 1), "", ""}
		text := fmt.Sprintf("<b>%s</b> %s, %s%s<i>scores</i> %s", html.EscapeString(move), human.Plural(e.Games, "game", "games"), human.Percent(e.Share, 1), w.bar(e, n.First), human.Percent(e.Score, 1))
		for _, extra := range []struct{ name, value string }{{"opening", e.Opening}, {"performance", performance(e)}, {"last", e.LastDate}, {"value", human.Signed(e.Value, 1)}, {"backed up", human.Signed(e.Backed(), 1)}} {
			if extra.value != "" && extra.value != "–" {
				text += fmt.Sprintf(" · <i>%s</i> %s", extra.name, html.EscapeString(extra.value))
			}
		}
		if e.To != nil && e.To.Unplayed != "" {
			reply := w.reply(after, e.To)
			row[10], row[11] = reply, human.Signed(e.To.UnplayedValue, 1)
			text += fmt.Sprintf(" · <i>best unplayed reply</i> %s (%s)", html.EscapeString(reply), human.Signed(e.To.UnplayedValue, 1))
		}
		if w.named {
			row = append(row, e.Opening)
		}
		w.rows = append(w.rows, row)
		switch {
		case again && e.To != nil:
			fmt.Fprintf(&w.html, "<div class=\"end\">%s <i>continues as</i> %s</div>\n", text, html.EscapeString(before))
		case e.To == nil:
			fmt.Fprintf(&w.html, "<div class=\"end\">%s</div>\n", text)
		default:
			w.seen[e.Child] = path
			open := ""
			if level < openLevels {
				open = " open"
			}
			fmt.Fprintf(&w.html, "<details%s><summary>%s</summary>\n", open, text)
			w.position(after)
			w.node(e.To, after, path, level+1)
			w.html.WriteString("</details>\n")
		}
	}
}

// reply is the best unplayed move of a node, on a board that may be its mirror image.
func (w *treeWriter) reply(at board.Board, n *node) string {
	if at == nil {
		return n.Unplayed
	}
	text, _, _ := w.step(at, n, &edge{Move: n.Unplayed, Text: n.UnplayedText}, "")
	return text
}

// performance with the games behind it.
func performance(e *edge) string {
	if math.IsNaN(e.Performance) {
		return ""
	}
	return fmt.Sprintf("%s in %s rated", rounded(e.Performance), human.Grouped(e.Rated))
}

func rounded(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return human.Number(math.Round(v))
}

func (o *report) games() int64 { return lists.Sum(o.Roots, func(n *node) int64 { return n.games }) }

func (o *report) lead() string {
	w := treeWriter{rules: o.Rules}
	root := o.Roots[0]
	best := root.Edges[0]
	move, _, _ := w.step(w.board(root.Position), root, best, "")
	text := fmt.Sprintf("%s moves in %s, from %s", human.Grouped(int64(len(o.Edges))), human.Plural(int64(len(o.Nodes)), "position", "positions"), human.Plural(o.games(), "game", "games"))
	if of := o.Params.Chosen.String(); of != "" {
		text += " " + of
	}
	if h := o.Headline; h != nil {
		text += fmt.Sprintf("; the main move is %s (%s, score %s, %s to %s)", move, human.Percent(best.Share, 1), human.Percent(best.Score, 1), human.Percent(h.low, 1), human.Percent(h.high, 1))
	}
	if len(o.Roots) > 1 {
		text += fmt.Sprintf("; %d start positions", len(o.Roots))
	}
	return text + "."
}

//go:embed notes.txt
var notesTemplate string

func (o *report) notes() []string {
	return sheet.Notes(notesTemplate, map[string]any{"O": o, "Q": o.q, "Best": o.bestNote(), "Least": o.least()})
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
		s.Points = append(s.Points, chart.Point{X: float64(ply), Y: share, Note: fmt.Sprintf("after %d plies: %s, %s", ply, human.Plural(n, "game", "games"), human.Percent(share, 1))})
	}
	c := &chart.Chart{Title: "Coverage of the tree", Subtitle: "share of the games that are still in the tree, directly or by transposition",
		XLabel: "plies", YLabel: "share of the games", XMin: 0, XMax: float64(o.Params.Depth), YMin: 0, YMax: 1, Series: []chart.Series{s}}
	c.XTicks, c.YTicks = chart.AxisTicks(0, c.XMax, 12, human.Number), chart.AxisTicks(0, 1, 10, human.Number)
	return c
}
