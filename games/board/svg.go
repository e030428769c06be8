package board

import (
	"fmt"
	"html"
	"slices"

	"kifu/games"
)

// Measures in units of the SVG; a cell is as large as the box of a piece.
const (
	cell     = 45
	minEdge  = 30   // room for names next to the board
	handRoom = 50   // above and below the board for a hand
	handStep = 57   // from a kind in hand to the next one
	edgePart = 0.06 // of the board's width: a name stays legible in a small picture
)

// style is the style of all boards. Names follow the page; boards are darker where the page is.
const style = `.kb text{font-family:system-ui,"Segoe UI","Liberation Sans",Arial,sans-serif}` +
	`.kb .kb-name{fill:#333}` +
	`@media(prefers-color-scheme:dark){.kb .kb-ground{filter:brightness(.78)}.kb .kb-name{fill:#d5d9de}}`

// Style returns the style sheet of boards, for a page that has many: AppendSVG with shared
// set leaves it out.
func Style() string { return style }

// Symbols returns the pieces as symbols of SVG, for a page that has many boards: AppendSVG
// with shared set refers to them.
func Symbols(pieces []games.Piece, western bool) []byte {
	out := []byte(`<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>`)
	for i, p := range pieces {
		if i > 0 {
			out = appendSymbol(out, i, p, western)
		}
	}
	return append(out, "</defs></svg>"...)
}

func appendSymbol(dst []byte, i int, p games.Piece, western bool) []byte {
	drawing := p.Drawing
	if western && p.Western != "" {
		drawing = p.Western
	}
	return fmt.Appendf(dst, `<g id="kb%d">%s</g>`, i, drawing)
}

// AppendSVG appends the diagram as an element svg, complete in itself, or with shared set
// without style and pieces, which the page then has once (Style, Symbols).
func (d *Diagram) AppendSVG(dst []byte, shared bool) []byte {
	s := sketch{d: d, out: dst}
	s.measure()
	s.open()
	if !shared {
		s.printf("<style>%s</style><defs>", style)
		for i := 1; i < len(d.Pieces); i++ {
			if slices.Contains(d.Cells, uint8(i)) || slices.Contains(d.Hands[0], uint8(i)) || slices.Contains(d.Hands[1], uint8(i)) {
				s.out = appendSymbol(s.out, i, d.Pieces[i], d.Western)
			}
		}
		s.printf("</defs>")
	}
	s.ground()
	s.marks()
	s.pieces()
	if !d.Plain {
		s.names()
		s.turn()
	}
	s.hands()
	s.printf("</svg>")
	return s.out
}

// sketch is an SVG while it is drawn.
type sketch struct {
	d           *Diagram
	out         []byte
	left, top   int // of the board
	edge        int // room for names
	width, high int
	boardWidth  int
	boardHeight int
}

func (s *sketch) printf(format string, args ...any) { s.out = fmt.Appendf(s.out, format, args...) }

func (s *sketch) measure() {
	l := s.d.Layout
	s.boardWidth, s.boardHeight = cell*l.Columns, cell*l.Rows
	if !s.d.Plain {
		s.edge = max(minEdge, int(edgePart*float64(s.boardWidth)))
	}
	s.left = s.edge
	if s.d.Plain || s.d.ranks() == nil {
		s.left = 2
	}
	s.top = 2
	if s.d.Holds {
		s.top += handRoom
	}
	s.width = s.left + s.boardWidth + max(s.edge, 2)
	s.high = 2*s.top + s.boardHeight
	if l.Files != nil && !s.d.Plain {
		s.high += s.edge
		if l.NamesAbove {
			s.top += s.edge
		}
	}
}

func (s *sketch) open() {
	size := ""
	if s.d.Size > 0 {
		size = fmt.Sprintf(` width="%d" height="%d"`, s.d.Size, (s.d.Size*s.high+s.width/2)/s.width)
	}
	text := html.EscapeString(s.d.Text)
	s.printf(`<svg xmlns="http://www.w3.org/2000/svg" class="kb" viewBox="0 0 %d %d"%s role="img" aria-label="%s"><title>%s</title>`,
		s.width, s.high, size, text, text)
}

// PlainHeight returns the height of a Plain diagram of the game that is as wide as width.
func PlainHeight(g Game, width int) int {
	s := sketch{d: &Diagram{Layout: g.Layout(), Plain: true, Holds: holds(g)}}
	s.measure()
	return (width*s.high + s.width/2) / s.width
}

// xy returns the upper left corner of a drawn cell.
func (s *sketch) xy(i int) (x, y int) {
	column, row := i%s.d.Layout.Columns, i/s.d.Layout.Columns
	if s.d.Flipped {
		column, row = s.d.Layout.Columns-1-column, s.d.Layout.Rows-1-row
	}
	return s.left + cell*column, s.top + cell*row
}

// ground draws the empty board.
func (s *sketch) ground() {
	l := s.d.Layout
	s.printf(`<g class="kb-ground"><rect x="%d" y="%d" width="%d" height="%d" fill="%s" stroke="%s" stroke-width="2"/>`, s.left, s.top, s.boardWidth, s.boardHeight, l.Colours[0], l.Colours[2])
	s.printf(`<path d="`)
	switch l.Grid {
	case games.Checkered:
		for i := range l.Columns * l.Rows {
			if (i%l.Columns+i/l.Columns)%2 == 1 {
				x, y := s.xy(i)
				s.printf("M%d %dh%dv%dh-%dz", x, y, cell, cell, cell)
			}
		}
		s.printf(`" fill="%s"/>`, l.Colours[1])
	case games.Boxed:
		for i := 1; i < l.Columns; i++ {
			s.printf("M%d %dv%d", s.left+cell*i, s.top, s.boardHeight)
		}
		for i := 1; i < l.Rows; i++ {
			s.printf("M%d %dh%d", s.left, s.top+cell*i, s.boardWidth)
		}
		s.printf(`" stroke="%s" stroke-width="1.5"/>`, l.Colours[2])
	case games.Crossed:
		for i := range l.Columns {
			s.printf("M%g %gv%d", float64(s.left)+cell*(float64(i)+.5), float64(s.top)+cell/2., s.boardHeight-cell)
		}
		for i := range l.Rows {
			s.printf("M%g %gh%d", float64(s.left)+cell/2., float64(s.top)+cell*(float64(i)+.5), s.boardWidth-cell)
		}
		s.printf(`" stroke="%s" stroke-width="1.8"/>`, l.Colours[2])
	}
	for _, i := range l.Stars {
		x, y := s.xy(i)
		s.printf(`<circle cx="%g" cy="%g" r="5.5" fill="%s"/>`, float64(x)+cell/2., float64(y)+cell/2., l.Colours[2])
	}
	if l.Numbered && !s.d.Plain {
		s.numbers()
	}
	s.printf("</g>")
}

// numbers writes the names of cells into them.
func (s *sketch) numbers() {
	s.printf(`<g font-size="13" fill="#fff">`)
	for i, name := range s.d.Layout.Names {
		if name != "" {
			x, y := s.xy(i)
			s.printf(`<text x="%d" y="%d">%s</text>`, x+3, y+13, name)
		}
	}
	s.printf("</g>")
}

// marks draws the cells of the last move: tinted and framed, the target with the thicker
// frame.
func (s *sketch) marks() {
	if s.d.Layout.Grid == games.Crossed {
		return // a stone hides its cell: pieces marks it
	}
	for i, at := range s.d.Last {
		x, y := s.xy(at)
		frame := 2
		if i == len(s.d.Last)-1 {
			frame = 4
		}
		s.printf(`<rect x="%d" y="%d" width="%d" height="%d" fill="#f7ec5a" fill-opacity=".5" stroke="#0b4f8a" stroke-width="%d"/>`, x+2, y+2, cell-4, cell-4, frame)
	}
}

// pieces draws them, and rings around marked cells over them.
func (s *sketch) pieces() {
	for i, piece := range s.d.Cells {
		if piece == 0 {
			continue
		}
		x, y := s.xy(i)
		s.use(piece, x, y)
	}
	if s.d.Layout.Grid == games.Crossed && len(s.d.Last) > 0 {
		at := s.d.Last[len(s.d.Last)-1]
		x, y := s.xy(at)
		ink := "#fff"
		if p := s.d.Cells[at]; p != 0 && s.d.Pieces[p].Side == s.d.Layout.Light {
			ink = "#000"
		}
		s.printf(`<rect x="%d" y="%d" width="15" height="15" fill="none" stroke="%s" stroke-width="3"/>`, x+15, y+15, ink)
	}
	for _, at := range s.d.Marked {
		x, y := s.xy(at)
		s.printf(`<circle cx="%g" cy="%g" r="19.5" fill="none" stroke="#0072b2" stroke-width="4" stroke-dasharray="8 3"/>`, float64(x)+cell/2., float64(y)+cell/2.)
	}
}

func (s *sketch) use(piece uint8, x, y int) {
	if s.d.Flipped && s.d.Layout.Turns {
		s.printf(`<use href="#kb%d" transform="rotate(180 %g %g)translate(%d %d)"/>`, piece, float64(x)+cell/2., float64(y)+cell/2., x, y)
		return
	}
	s.printf(`<use href="#kb%d" x="%d" y="%d"/>`, piece, x, y)
}

// names writes the names of rows and columns; on a board with numbers, the first and the last number of
// each row.
func (s *sketch) names() {
	size := float64(s.edge) * .72
	middle := cell/2. + size*.36
	s.printf(`<g class="kb-name" font-size="%.1f">`, size)
	x, anchor, y := float64(s.left)-.2*size, "end", float64(s.top+s.boardHeight)+size
	if s.d.Layout.NamesAbove {
		x, anchor, y = float64(s.left+s.boardWidth)+.2*size, "start", float64(s.top)-.3*size
	}
	for i, name := range s.d.ranks() {
		s.printf(`<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`, x, float64(s.top+cell*i)+middle, anchor, name)
	}
	for i, name := range s.d.files() {
		s.printf(`<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`, float64(s.left)+cell*(float64(i)+.5), y, name)
	}
	s.printf("</g>")
}

// turn draws a disc of the colour of the side to move next to its edge of the board. It has a ground of its own, on which black
// and white look alike on any page.
func (s *sketch) turn() {
	y, r := float64(s.top)+float64(s.edge)/2, float64(s.edge)*.3
	if s.d.ToMove == s.d.bottom() {
		y = float64(s.top+s.boardHeight) - float64(s.edge)/2
	}
	fill := "#1a1a1a"
	if s.d.ToMove == s.d.Layout.Light {
		fill = "#fff"
	}
	x, ground := float64(s.width)-float64(s.edge)/2, 1.4*r
	if s.d.Layout.NamesAbove {
		x = float64(s.edge) / 2 // where no name is
	}
	s.printf(`<rect class="kb-turn" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="%.1f" fill="#8f9aa5"/>`, x-ground, y-ground, 2*ground, 2*ground, 0.5*r)
	s.printf(`<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s"><title>%s</title></circle>`, x, y, r, fill, html.EscapeString(s.d.status()))
}

// hands draws the pieces in hand, if any: for the side below under the board, for the other
// above it.
func (s *sketch) hands() {
	for side := range s.d.Hands {
		y := 0
		if games.Side(side) == s.d.bottom() {
			y = s.high - handRoom + 3
		}
		for i, h := range s.d.inHand(games.Side(side)) {
			x := s.left + handStep*i
			s.use(h.piece, x, y)
			if h.count > 1 {
				s.printf(`<text class="kb-name" x="%d" y="%d" font-size="20">%d</text>`, x+cell-6, y+40, h.count)
			}
		}
	}
}
