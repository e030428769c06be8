package explore

import (
	"fmt"
	"html"
	"html/template"
	"slices"
	"strings"

	"kifu/games"
	"kifu/games/board"
	"kifu/report/sheet"
)

// like is a pattern or the text of a position as a condition over the boards of d, "" for
// none.
func (c *call) like(d *Set, text string, everywhere bool) (string, error) {
	if text = strings.TrimSpace(text); text == "" {
		return "", nil
	}
	g, ok := c.site.games[d.Game()]
	if !ok {
		return "", complain("%s does not say of which game it is", d.Name)
	}
	game := ""
	if c.site.severalGames() {
		game = ", " + sheet.QuoteText(d.Game())
	}
	_, wrong := board.ParsePattern(g.Boards, text)
	if wrong == nil {
		return fmt.Sprintf("%s(board, %s%s)", map[bool]string{false: "board_like", true: "board_like_any"}[everywhere], sheet.QuoteText(text), game), nil
	}
	if _, err := g.Boards.Start("", text); err != nil {
		return "", complaint{400, wrong}
	}
	return fmt.Sprintf("hash = hash_of(%s%s)", sheet.QuoteText(text), game), nil
}

// severalGames reports whether the datasets are of more than one game.
func (s *Site) severalGames() bool {
	var names []string
	for _, d := range s.sets {
		if g := d.Game(); g != "" && !slices.Contains(names, g) {
			names = append(names, g)
		}
	}
	return len(names) > 1
}

// setup is a board on which a pattern is set up, and the pieces to choose from.
type setup struct {
	Board  template.HTML
	Pieces []setupPiece
}

// setupPiece is what may be put on a cell: Text is how a pattern writes it.
type setupPiece struct {
	Text, Name string
	Drawing    template.HTML
}

// setupOf is the empty board of a layout: each cell is a group that a script fills in
// (setup.js). The pieces are drawn by the game's own code.
func setupOf(g board.Game, l *games.Layout) *setup {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="setup" viewBox="0 0 %d %d" data-columns="%d" role="group" aria-label="board to set up"><defs>`, 45*l.Columns, 45*l.Rows, l.Columns)
	s := &setup{Pieces: []setupPiece{
		{"?", "anything", `<text x="22.5" y="31" text-anchor="middle" class="any">?</text>`},
		{".", "empty", `<path class="empty" d="M15 15L30 30M30 15L15 30"/>`},
		{"A", l.Sides[games.First] + ", any piece", `<text x="22.5" y="31" text-anchor="middle" class="any">A</text>`},
		{"a", l.Sides[games.Second] + ", any piece", `<text x="22.5" y="31" text-anchor="middle" class="any">a</text>`},
	}}
	for _, p := range g.Pieces()[1:] {
		s.Pieces = append(s.Pieces, setupPiece{p.Letter, p.Name, template.HTML(p.Drawing)})
	}
	for i, p := range s.Pieces {
		fmt.Fprintf(&b, `<g id="piece%d">%s</g>`, i, p.Drawing)
	}
	b.WriteString("</defs>")
	for i := range l.Columns * l.Rows {
		x, y := i%l.Columns, i/l.Columns
		colour := l.Colours[0]
		if l.Grid == games.Checkered && (x+y)%2 == 1 {
			colour = l.Colours[1]
		}
		name, role := fmt.Sprintf("cell %d", i+1), ` role="button"`
		if i < len(l.Names) {
			if name = l.Names[i]; name == "" {
				role = "" // not played on
			}
		}
		fmt.Fprintf(&b, `<g class="cell"%s data-name="%s" transform="translate(%d %d)"><rect width="45" height="45" fill="%s" stroke="%s" stroke-width=".6"/><use/></g>`,
			role, html.EscapeString(name), 45*x, 45*y, colour, l.Colours[2])
	}
	b.WriteString("</svg>")
	s.Board = template.HTML(b.String())
	return s
}
