package draughts

import (
	"strings"

	"kifu/games"
)

var (
	_ games.Drawer[Position]       = Checkers
	_ games.PieceCounter[Position] = Checkers
)

// layouts are the layouts of the variants, by Rules. Only its initialiser writes it.
var layouts = func() (all [len(variants)]*games.Layout) {
	for i := range all[:kinds] {
		all[i] = variants[i].layout()
	}
	return all
}()

// layout returns the board with White below, as diagrams show all variants.
func (v *variant) layout() *games.Layout {
	l := &games.Layout{
		Columns: v.width, Rows: v.width, Grid: games.Checkered,
		Colours:  [3]string{"#f3e3c3", "#b07f57", "#6b4a2f"},
		Names:    make([]string, v.width*v.width),
		Numbered: !v.letters, Exchange: games.HalfTurned, Pairs: true,
	}
	if v.mirrored { // the top left cell is a dark one
		l.Colours[0], l.Colours[1] = l.Colours[1], l.Colours[0]
	}
	white, black := v.sideOf(true), v.sideOf(false)
	l.Sides[white], l.Sides[black] = "White", "Black"
	l.Light, l.Bottom = white, white
	for n := 1; n <= v.count; n++ {
		s := v.squareOf[n]
		l.Names[v.cell(s)] = string(v.appendSquare(nil, s))
	}
	if v.letters {
		const files = "a b c d e f g h i j"
		l.Files = strings.Fields(files)[:v.width]
		for row := range v.width {
			l.Ranks = append(l.Ranks, string(rune('0'+v.width-row)))
		}
	}
	return l
}

// cell returns the cell of a square.
func (v *variant) cell(s Square) int { return s.Row()*v.width + v.column(s) }

// column returns the column of s on the drawn board, from 0 at White's left.
func (v *variant) column(s Square) int {
	if v.mirrored {
		return v.width - 1 - s.Column()
	}
	return s.Column()
}

// pieces are the empty square, and man and king of White and of Black. Which side that is
// depends on the variant.
var pieces = [2][]games.Piece{piecesOf(games.First), piecesOf(games.Second)}

func piecesOf(white games.Side) []games.Piece {
	const (
		disc  = `<circle cx="22.5" cy="22.5" r="17.5" fill="FILL" stroke="#000" stroke-width="1.5"/><circle cx="22.5" cy="22.5" r="12.5" fill="none" stroke="LINE" stroke-width="1.3"/>`
		crown = `<path d="M13.5 29l-1.5-12 6.2 5.2 4.3-8.2 4.3 8.2 6.2-5.2-1.5 12z" fill="LINE" stroke="LINE" stroke-width="1.2" stroke-linejoin="round"/>`
		king  = `<circle cx="22.5" cy="22.5" r="17.5" fill="FILL" stroke="#000" stroke-width="1.5"/>` + crown
	)
	light := strings.NewReplacer("FILL", "#fff", "LINE", "#8a6a3a")
	dark := strings.NewReplacer("FILL", "#262626", "LINE", "#d9d9d9")
	return []games.Piece{
		{},
		{Letter: "w", Symbol: "⛀", Name: "white man", Side: white, Drawing: light.Replace(disc)},
		{Letter: "W", Symbol: "⛁", Name: "white king", Side: white, Drawing: light.Replace(king)},
		{Letter: "b", Symbol: "⛂", Name: "black man", Side: white ^ 1, Drawing: dark.Replace(disc)},
		{Letter: "B", Symbol: "⛃", Name: "black king", Side: white ^ 1, Drawing: dark.Replace(king)},
	}
}

// Layout returns the board with White below.
func (r Rules) Layout(Position) *games.Layout { return layouts[r&mask] }

// Pieces returns the empty square, and man and king of White and of Black.
func (r Rules) Pieces() []games.Piece { return pieces[r.variant().sideOf(true)&1] }

// AppendCells appends the men and kings.
func (r Rules) AppendCells(dst []uint8, p Position) []uint8 {
	v := r.variant()
	start := len(dst)
	dst = append(dst, make([]uint8, v.width*v.width)...)
	cells := dst[start:]
	for i, side := range [2]games.Side{v.sideOf(true), v.sideOf(false)} {
		for men := p.Side(side); men != 0; men = men.Rest() {
			s := men.First()
			cells[v.cell(s)] = uint8(1 + 2*i)
			if p.kings&s.Bit() != 0 {
				cells[v.cell(s)]++
			}
		}
	}
	return dst
}

// PieceCount returns the number of men and kings.
func (Rules) PieceCount(p Position) int { return (p.own | p.opp).Count() }

// AppendMarks appends the squares where m begins and ends, with the squares of captured men
// between them.
func (r Rules) AppendMarks(dst []int, _ Position, m games.Move) []int {
	v := r.variant()
	dst = append(dst, v.cell(From(m)))
	for taken := Taken(m); taken != 0; taken = taken.Rest() {
		dst = append(dst, v.cell(taken.First()))
	}
	return append(dst, v.cell(To(m)))
}

var _ games.Placer[Position] = Checkers

// Place returns the one position of these men.
func (r Rules) Place(_ Position, cells []uint8, _ [2][]uint8, toMove games.Side) ([]Position, error) {
	v := r.variant()
	if len(cells) != v.width*v.width {
		return nil, unreadableFEN
	}
	pieces := r.Pieces()
	var men setup
	placed := 0
	for n := 1; n <= v.count; n++ {
		s := v.squareOf[n]
		if piece := cells[v.cell(s)]; int(piece) >= len(pieces) {
			return nil, unreadableFEN
		} else if piece > 0 {
			men.put(pieces[piece].Side, s, piece%2 == 0)
			placed++
		}
	}
	for _, piece := range cells {
		if piece > 0 {
			placed--
		}
	}
	if placed < 0 {
		return nil, games.Reason("a man on a square that is not played on")
	}
	p, err := men.position(r, toMove)
	return []Position{p}, err
}
