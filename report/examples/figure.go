package examples

import (
	"bytes"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"kifu/games/board"
	"kifu/internal/human"
	"kifu/report/page"
)

// Figure is a position as a page shows it, with its captions.
type Figure struct {
	Board     board.Board
	Move      string   // in coordinates; its cells are marked. Empty: none
	Lines     []string // of the caption
	Game, Ply int64
}

// Group is figures under one heading.
type Group struct {
	Name    string
	Figures []Figure
}

// pageBytes is how much of a page its boards may take; what does not fit is in the CSV.
const pageBytes = 1 << 20

const pageStyle = `.examples .boards{display:grid;grid-template-columns:repeat(auto-fill,minmax(200px,1fr));gap:18px;margin:12px 0}` +
	`.examples figure{margin:0}.examples figcaption{font-size:.82rem;font-weight:400;margin:4px 0;overflow-wrap:anywhere}.examples summary{margin-top:.8em}`

// Page returns the boards for a page, each group's folded under its name: pieces and style are in it
// once, and a browser draws the opened ones. It is empty without figures.
func Page(g board.Game, groups []Group) template.HTML {
	if !slices.ContainsFunc(groups, func(of Group) bool { return len(of.Figures) > 0 }) {
		return ""
	}
	var out bytes.Buffer
	out.WriteString(`<div class="examples"><style>` + board.Style() + pageStyle + "</style>")
	out.Write(board.Symbols(g.Pieces(), false))
	left := 0
	for _, of := range groups {
		if len(of.Figures) == 0 {
			continue
		}
		if out.Len() > pageBytes {
			left++
			continue
		}
		fmt.Fprintf(&out, `<details><summary>%s</summary><div class="boards">`, template.HTMLEscapeString(of.Name))
		for _, f := range of.Figures {
			f.write(&out, g)
		}
		out.WriteString("</div></details>\n")
	}
	if left > 0 {
		fmt.Fprintf(&out, "<p>The examples of %s more are in the CSV of the examples.</p>", human.Plural(int64(left), "condition", "conditions"))
	}
	out.WriteString("</div>")
	return template.HTML(out.String())
}

// write writes the board with its caption.
func (f Figure) write(out *bytes.Buffer, g board.Game) {
	d := board.Draw(g, f.Board)
	if m, err := f.Board.Find(f.Move); f.Move != "" && err == nil {
		d.Marked = m.Marks()
	}
	fmt.Fprintf(out, "<figure>%s<figcaption>", d.AppendSVG(nil, true))
	for _, line := range f.Lines {
		out.WriteString(template.HTMLEscapeString(line) + "<br>")
	}
	fmt.Fprintf(out, "game %d, ply %d", f.Game, f.Ply)
	if d.Layout.Analysis != "" {
		fmt.Fprintf(out, ` · <a href="%s" rel="noreferrer">analysis</a>`, template.HTMLEscapeString(d.Layout.Analysis+strings.ReplaceAll(d.Text, " ", "_")))
	}
	out.WriteString(page.Explore("position", "game", strconv.FormatInt(f.Game, 10), "ply", strconv.FormatInt(f.Ply, 10)))
	out.WriteString("</figcaption></figure>\n")
}

// players returns the line that names who played; none where no player is known.
func players(first, second, date string) []string {
	if first == "" && second == "" {
		return nil
	}
	return []string{strings.TrimSuffix(fmt.Sprintf("%s – %s, %s", orUnknown(first), orUnknown(second), date), ", ")}
}

// Result names the winner by the column result.
func Result(b board.Board, result string) string {
	sides := b.Layout().Sides
	switch result {
	case "first":
		return sides[0] + " won"
	case "second":
		return sides[1] + " won"
	}
	return result
}

func orUnknown(name string) string {
	if name == "" {
		return "?"
	}
	return name
}

// replay plays a game up to a ply: variant, start and codes are the columns variant, start_position and
// moves of games. next are the moves from there on, at most nextMoves, as records write them.
func replay(g board.Game, variant, start string, codes []byte, ply int64) (b board.Board, next []string, err error) {
	at, err := g.Start(variant, start)
	if err != nil {
		return nil, nil, err
	}
	for i := int64(0); i < ply+nextMoves && 2*i+1 < int64(len(codes)); i++ {
		m, err := at.FindCode(uint16(codes[2*i]) | uint16(codes[2*i+1])<<8)
		if err != nil {
			return nil, nil, err
		}
		if i == ply {
			b = at
		}
		if i >= ply {
			next = append(next, string(m.AppendText(nil)))
		}
		at = m.Play()
	}
	if b == nil {
		return nil, nil, fmt.Errorf("no move at ply %d of a game of %s", ply, human.Plural(int64(len(codes)/2), "move", "moves"))
	}
	return b, next, nil
}
