package chess

import "kifu/games"

var (
	_ games.Drawer[Position]       = Rules{}
	_ games.PieceCounter[Position] = Rules{}
)

var layout = func() *games.Layout {
	l := &games.Layout{
		Columns: 8, Rows: 8, Grid: games.Checkered,
		Colours: [3]string{"#f0dcb8", "#b98a62", "#6b4a2f"},
		Files:   []string{"a", "b", "c", "d", "e", "f", "g", "h"},
		Ranks:   []string{"8", "7", "6", "5", "4", "3", "2", "1"},
		Sides:   [2]string{"White", "Black"}, Pairs: true,
		Light: White, Bottom: White, Exchange: games.UpsideDown,
		Analysis: "https://lichess.org/analysis/",
	}
	for i := range 64 {
		l.Names = append(l.Names, Square(i).Flip().String())
	}
	return l
}()

// Layout returns the board with White below.
func (Rules) Layout(Position) *games.Layout { return layout }

// Pieces returns the white men by Kind, then the black ones.
func (Rules) Pieces() []games.Piece { return pieces }

// blackMen is the distance in Pieces from a white man to the black one.
const blackMen = int(King)

// AppendCells appends the men.
func (Rules) AppendCells(dst []uint8, p Position) []uint8 {
	dst = append(dst, empty[:]...)
	cells := (*[64]uint8)(dst[len(dst)-64:])
	for men := p.Occupied(); men != 0; men &= men - 1 {
		s := men.First()
		k := uint8(p.KindAt(s))
		if p.SideAt(s) == Black {
			k += uint8(blackMen)
		}
		cells[s.Flip()&63] = k // the upper rank comes first
	}
	return dst
}

var empty [64]uint8

// PieceCount returns the number of men.
func (Rules) PieceCount(p Position) int { return p.Occupied().Count() }

// AppendMarks appends the squares that the man, in castling the king, leaves and enters.
func (Rules) AppendMarks(dst []int, p Position, m games.Move) []int {
	from, to := From(m), To(m)
	if IsCastling(m) {
		file := 6
		if to.File() < from.File() {
			file = 2
		}
		to = SquareAt(file, from.Rank())
	}
	return append(dst, int(from.Flip()), int(to.Flip()))
}
