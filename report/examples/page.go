package examples

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"kifu/datasets"
	"kifu/games"
	"kifu/games/board"
	"kifu/internal/human"
	"kifu/report/page"
)

// pageBytes is how much of a page its boards may take; what does not fit is in the CSV.
const pageBytes = 1 << 20

// compareSize compares numbers by their size.
func compareSize(a, b float64) int {
	switch a, b := math.Abs(a), math.Abs(b); {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// HTML returns the boards for a page, those of each Ask folded under its name: pieces and
// style are in it once, and a browser draws what is opened. It is empty without examples.
func HTML(g board.Game, asks []Ask, all []Example, unit string) template.HTML {
	if len(all) == 0 {
		return ""
	}
	var out bytes.Buffer
	out.WriteString(`<div class="examples"><style>` + board.Style() + pageStyle + "</style>")
	out.Write(board.Symbols(g.Pieces(), false))
	left := 0
	for i, a := range asks {
		of := ofAsk(all, i)
		if len(of) == 0 {
			continue
		}
		if out.Len() > pageBytes {
			left++
			continue
		}
		fmt.Fprintf(&out, `<details><summary>%s</summary><div class="boards">`, template.HTMLEscapeString(strings.TrimSpace(a.Number+" "+a.Name)))
		for _, e := range of {
			e.figure(&out, g, unit)
		}
		out.WriteString("</div></details>\n")
	}
	if left > 0 {
		fmt.Fprintf(&out, "<p>The examples of %s more are in the CSV of the examples.</p>", human.Plural(int64(left), "condition", "conditions"))
	}
	out.WriteString("</div>")
	return template.HTML(out.String())
}

const pageStyle = `.examples .boards{display:grid;grid-template-columns:repeat(auto-fill,minmax(200px,1fr));gap:18px;margin:12px 0}` +
	`.examples figure{margin:0}.examples figcaption{font-size:.82rem;font-weight:400;margin:4px 0;overflow-wrap:anywhere}.examples summary{margin-top:.8em}`

func ofAsk(all []Example, ask int) (of []Example) {
	for _, e := range all {
		if e.Ask == ask {
			of = append(of, e)
		}
	}
	return of
}

// figure writes a board with what is to be said of it.
func (e Example) figure(out *bytes.Buffer, g board.Game, unit string) {
	d := board.Draw(g, e.Board)
	lines := []string{fmt.Sprintf("%s; the value is %s %s", e.outcome(d.Layout.Sides), human.Signed(e.Value, decimals(e.Value)), unit)}
	if e.First != "" || e.Second != "" {
		lines = append(lines, strings.TrimSuffix(fmt.Sprintf("%s – %s, %s", orUnknown(e.First), orUnknown(e.Second), e.Date), ", "))
	}
	var terms []string
	for _, t := range e.Terms[:min(5, len(e.Terms))] {
		terms = append(terms, t.Name+" "+human.Signed(t.Score, decimals(t.Score)))
	}
	if terms != nil {
		lines = append(lines, strings.Join(terms, ", "))
	}
	if counts := e.counts(); counts != "" {
		lines = append(lines, counts)
	}
	if next := e.played(); next != "" {
		lines = append(lines, "played "+next)
	}
	if e.Line != "" {
		lines = append(lines, "the search: "+texts(e.Board, strings.Fields(e.Line)))
	}
	fmt.Fprintf(out, "<figure>%s<figcaption>", d.AppendSVG(nil, true))
	for _, line := range lines {
		out.WriteString(template.HTMLEscapeString(line) + "<br>")
	}
	fmt.Fprintf(out, "game %d, ply %d", e.Game, e.Ply)
	if d.Layout.Analysis != "" {
		fmt.Fprintf(out, ` · <a href="%s" rel="noreferrer">analysis</a>`, template.HTMLEscapeString(d.Layout.Analysis+strings.ReplaceAll(d.Text, " ", "_")))
	}
	out.WriteString(page.Explore("position", "game", strconv.FormatInt(e.Game, 10), "ply", strconv.FormatInt(e.Ply, 10)))
	out.WriteString("</figcaption></figure>\n")
}

// mostCounts is how many terms a caption tells; the CSV has all.
const mostCounts = 6

// counts are the largest terms as count × weight.
func (e Example) counts() string {
	var parts []string
	for _, c := range e.Counts[:min(mostCounts, len(e.Counts))] {
		parts = append(parts, fmt.Sprintf("%s %d × %s", c.Name, c.Count, human.Weight(c.Weight)))
	}
	return strings.Join(parts, "; ")
}

// played are the moves of the game from here on, as records write them.
func (e Example) played() string {
	if len(e.Next) == 0 && e.Move != "" {
		return e.text(e.Move)
	}
	return texts(e.Board, e.Next)
}

// texts writes moves from a board on as records do; from the first that cannot be played on they
// stay as they are.
func texts(b board.Board, moves []string) string {
	all := slices.Clone(moves)
	for i, text := range all {
		m, err := b.Find(text)
		if err != nil {
			break
		}
		all[i] = string(m.AppendText(nil))
		b = m.Play()
	}
	return strings.Join(all, " ")
}

func decimals(x float64) int {
	if math.Abs(x) < 10 {
		return 1
	}
	return 0
}

// outcome says who won, and whether the value was wrong about it.
func (e Example) outcome(sides [2]string) string {
	who := sides[0]
	if e.Result == games.SecondWins.String() {
		who = sides[1]
	}
	if e.Wrong {
		return who + " won, though the value says less"
	}
	return who + " won, as the value says"
}

// text writes a move of coordinates as records do.
func (e Example) text(move string) string {
	m, err := e.Board.Find(move)
	if err != nil {
		return move
	}
	return string(m.AppendText(nil))
}

func orUnknown(name string) string {
	if name == "" {
		return "?"
	}
	return name
}

// Add finds the examples of all asks, writes them to a file of out and returns their boards for
// the page: Find, CSV and HTML for a report whose positions have no names of players.
func Add(ctx context.Context, out page.Files, file string, labels *datasets.Dir, value string, workers int, asks []Ask) (template.HTML, error) {
	all, err := Find(ctx, labels, nil, value, workers, asks)
	if err != nil || len(all) == 0 {
		return "", err
	}
	data, err := CSV(asks, all)
	if err != nil {
		return "", err
	}
	if err := out.AddFile(file, data); err != nil {
		return "", err
	}
	return HTML(board.Named(ctx, labels.Manifest.Meta["game"]), asks, all, labels.Manifest.Meta["unit"]), nil
}

// CSV returns the examples as a table.
func CSV(asks []Ask, all []Example) ([]byte, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	rows := [][]string{{"number", "condition", "wrong", "game_id", "ply", "first_player", "second_player", "date", "result", "value", "position", "move", "pv", "terms", "counts", "next"}}
	for _, e := range all {
		var terms []string
		for _, t := range e.Terms {
			terms = append(terms, t.Name+"="+strconv.FormatFloat(t.Score, 'g', 6, 64))
		}
		var counts []string
		for _, c := range e.Counts {
			counts = append(counts, fmt.Sprintf("%s=%d*%s", c.Name, c.Count, strconv.FormatFloat(c.Weight, 'g', 6, 64)))
		}
		rows = append(rows, []string{asks[e.Ask].Number, asks[e.Ask].Condition, strconv.FormatBool(e.Wrong), strconv.FormatInt(e.Game, 10), strconv.FormatInt(e.Ply, 10),
			e.First, e.Second, e.Date, e.Result, strconv.FormatFloat(e.Value, 'g', 9, 64), string(e.Board.AppendText(nil)), e.Move, e.Line, strings.Join(terms, " "), strings.Join(counts, " "), strings.Join(e.Next, " ")})
	}
	if err := w.WriteAll(rows); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
