package parts

import (
	"fmt"
	"html"
	"html/template"
	"slices"
	"strings"

	"kifu/games"
	"kifu/games/board"
)

// Setup is a board on which a pattern or a position is set up, and the pieces to choose from.
type Setup struct {
	layout *games.Layout
	Cells  string // the initial contents, row by row as patterns write them; "": the form's
	Field  string // of the form, that takes what is set up
	Rest   string // the contents of cells that are left alone: "?" in a pattern, "." in a position
	Pieces []setupPiece
	Marks  []setupPiece // of squares: Text is a condition in SQL with _ for the square
	Odd    bool         // the board is not as wide as the game's usual one
	Turn   games.Side   // of a position, whose sides are these
	Sides  [2]string
	Hands  [2][]setupHand
}

// setupPiece is what may be put on a cell: Text is how a pattern writes a piece.
type setupPiece struct {
	Text, Name string
	Drawing    template.HTML
}

// setupHand is a kind of pieces that may be in a hand, and how many are.
type setupHand struct {
	setupPiece
	Number int
}

// SetupOf is the board of a layout: each cell is a group that a script fills in (setup.js). The
// pieces are drawn by the game's own code. Without from a pattern is set up, else a position
// that begins as from. western is as in board.Diagram.
func SetupOf(g board.Game, l *games.Layout, from board.Board, western bool) *Setup {
	s := &Setup{layout: l, Field: "like", Rest: "?", Sides: l.Sides, Odd: l.Columns != g.Layout().Columns}
	empty := setupPiece{".", "empty", `<path class="empty" d="M15 15L30 30M30 15L15 30"/>`}
	if from == nil {
		s.Pieces = []setupPiece{
			{"?", "anything", `<text x="22.5" y="31" text-anchor="middle" class="any">?</text>`}, empty,
			{"A", l.Sides[games.First] + ", any piece", `<text x="22.5" y="31" text-anchor="middle" class="any">A</text>`},
			{"a", l.Sides[games.Second] + ", any piece", `<text x="22.5" y="31" text-anchor="middle" class="any">a</text>`},
		}
	} else {
		s.Field, s.Rest, s.Pieces, s.Turn = "set", ".", []setupPiece{empty}, from.ToMove()
		s.Cells = cellsText(g, from)
		for side := range s.Hands {
			s.Hands[side] = handOf(g, from, games.Side(side), western)
		}
	}
	for _, p := range g.Pieces()[1:] {
		s.Pieces = append(s.Pieces, pieceOf(p, western))
	}
	return s
}

// Attacks adds marks for squares that a side attacks, in games that have a function for it; of is call.gameOf.
func (s *Setup) Attacks(g board.Game, of string) {
	if !slices.ContainsFunc(g.Functions(), func(f board.Function) bool { return f.Name == "attackers" }) {
		return
	}
	for side, corner := range [2]string{"M2 2h20L2 22z", "M43 43h-20L43 23z"} {
		s.Marks = append(s.Marks, setupPiece{"attackers(board, '_', '" + [2]string{"A", "a"}[side] + "'" + of + ")", "attacked by " + s.Sides[side],
			template.HTML(fmt.Sprintf(`<path class="mark" fill="%s" d="%s"/>`, [2]string{"#fff", "#000"}[side^int(s.layout.Light)], corner))})
	}
}

func pieceOf(p games.Piece, western bool) setupPiece {
	if western && p.Western != "" {
		p.Drawing = p.Western
	}
	return setupPiece{p.Letter, p.Name, template.HTML(p.Drawing)}
}

// handOf is the kinds that a side may have in hand.
func handOf(g board.Game, b board.Board, side games.Side, western bool) (all []setupHand) {
	held := b.AppendHand(nil, side)
	for _, piece := range g.Holdable(side) {
		h := setupHand{setupPiece: pieceOf(g.Pieces()[piece], western)}
		for _, p := range held {
			if p == piece {
				h.Number++
			}
		}
		all = append(all, h)
	}
	return all
}

// cellsText writes a board as patterns do, without counts.
func cellsText(g board.Game, b board.Board) string {
	var out strings.Builder
	pieces, columns := g.Pieces(), b.Layout().Columns
	for i, piece := range b.AppendCells(nil) {
		if i > 0 && i%columns == 0 {
			out.WriteByte('/')
		}
		if piece == 0 {
			out.WriteByte('.')
		}
		out.WriteString(pieces[piece].Letter)
	}
	return out.String()
}

// Board draws the empty cells, with all that may be put on them.
func (s *Setup) Board() template.HTML {
	var b strings.Builder
	l := s.layout
	fmt.Fprintf(&b, `<svg class="setup" viewBox="0 0 %d %d" data-columns="%d" role="group" aria-label="board to set up"><defs>`, 45*l.Columns, 45*l.Rows, l.Columns)
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
		fmt.Fprintf(&b, `<g class="cell"%s data-name="%s" transform="translate(%d %d)">%s<use/>`, role, html.EscapeString(name), 45*x, 45*y, groundOf(l, i, colour))
		for _, m := range s.Marks {
			b.WriteString(string(m.Drawing))
		}
		b.WriteString("</g>")
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// groundOf draws an empty cell: a box, or lines that cross in it with the dot of a star.
func groundOf(l *games.Layout, i int, colour string) string {
	box := fmt.Sprintf(`<rect width="45" height="45" fill="%s"`, colour)
	if l.Grid != games.Crossed {
		return box + fmt.Sprintf(` stroke="%s" stroke-width=".6"/>`, l.Colours[2])
	}
	end := func(at, last int) (from, to float64) {
		from, to = 0, 45
		if at == 0 {
			from = 22.5
		}
		if at == last {
			to = 22.5
		}
		return from, to
	}
	left, right := end(i%l.Columns, l.Columns-1)
	top, bottom := end(i/l.Columns, l.Rows-1)
	lines := fmt.Sprintf(`/><path d="M%g 22.5H%gM22.5 %gV%g" stroke="%s"/>`, left, right, top, bottom, l.Colours[2])
	if slices.Contains(l.Stars, i) {
		lines += fmt.Sprintf(`<circle cx="22.5" cy="22.5" r="4" fill="%s"/>`, l.Colours[2])
	}
	return box + lines
}

// handName is the field of a form with the number of a piece in hand.
func handName(letter string) string { return "hand." + letter }

// Keep shows what the address sets up, so that a mistake can be mended.
func (s *Setup) Keep(h Here) {
	s.Cells, s.Turn = h.Get("set"), turnOf(h)
	for _, hand := range s.Hands {
		for i := range hand {
			hand[i].Number = h.Number(handName(hand[i].Text), 0)
		}
	}
}

func turnOf(h Here) games.Side {
	if h.Get("turn") == "second" {
		return games.Second
	}
	return games.First
}

// SetParts are the fields by which a position is set up, as pairs for an address without them.
func SetParts(h Here) (pairs []any) {
	for name := range h.Values {
		if name == "set" || name == "turn" || strings.HasPrefix(name, "hand.") {
			pairs = append(pairs, name, "")
		}
	}
	return pairs
}

// PlacedAt returns the text of the position that the address sets up on the board of like. set has its cells,
// turn the side to move, and hand.<letter> the number of a piece in hand.
func PlacedAt(h Here, g board.Game, like board.Board) (string, error) {
	l := like.Layout()
	cells, err := board.ParseCells(g, h.Get("set"), l.Columns, l.Rows)
	if err != nil {
		return "", err
	}
	var hands [2][]uint8
	for side := range hands {
		for _, piece := range g.Holdable(games.Side(side)) {
			n := h.Number(handName(g.Pieces()[piece].Letter), 0)
			for range min(max(n, 0), 99) {
				hands[side] = append(hands[side], piece)
			}
		}
	}
	found, err := g.Place(like, cells, hands, turnOf(h))
	if err != nil {
		return "", err
	}
	return string(found[0].AppendText(nil)), nil
}
