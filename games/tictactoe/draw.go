package tictactoe

import "kifu/games"

var _ games.Drawer[Position] = Rules{}

var layout = &games.Layout{
	Columns: 3, Rows: 3, Grid: games.Boxed,
	Colours: [3]string{"#f4efe4", "#f4efe4", "#6b5a45"},
	Files:   []string{"a", "b", "c"},
	Ranks:   []string{"3", "2", "1"},
	Names:   []string{"a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"},
	Sides:   [2]string{"X", "O"},
	Light:   O, Symmetric: true,
}

var pieces = []games.Piece{
	{},
	{Letter: "x", Symbol: "x", Name: "X", Side: X, Drawing: `<path d="M11 11l23 23M34 11L11 34" fill="none" stroke="#000" stroke-width="4.5" stroke-linecap="round"/>`},
	{Letter: "o", Symbol: "o", Name: "O", Side: O, Drawing: `<circle cx="22.5" cy="22.5" r="12" fill="none" stroke="#0b5394" stroke-width="4.5"/>`},
}

// Layout returns the board with the third row on top.
func (Rules) Layout(Position) *games.Layout { return layout }

// Pieces returns the empty square, X and O.
func (Rules) Pieces() []games.Piece { return pieces }

// AppendCells appends the marks.
func (Rules) AppendCells(dst []uint8, p Position) []uint8 {
	for i := range 9 {
		switch s := Squares(1) << (3*(2-i/3) + i%3); {
		case p.marks[X]&s != 0:
			dst = append(dst, 1)
		case p.marks[O]&s != 0:
			dst = append(dst, 2)
		default:
			dst = append(dst, 0)
		}
	}
	return dst
}

// AppendMarks appends the square that m takes.
func (Rules) AppendMarks(dst []int, _ Position, m games.Move) []int {
	s := int(m - 1)
	return append(dst, 3*(2-s/3)+s%3)
}

var _ games.Placer[Position] = Rules{}

// Place returns the one position of these marks, whose number gives the side to move.
func (Rules) Place(_ Position, cells []uint8, _ [2][]uint8, toMove games.Side) ([]Position, error) {
	if len(cells) != 9 {
		return nil, unreadableText
	}
	var p Position
	for i, piece := range cells {
		if int(piece) >= len(pieces) {
			return nil, unreadableText
		}
		if piece > 0 {
			p.marks[piece-1] |= 1 << (3*(2-i/3) + i%3)
		}
	}
	x, o := p.marks[X].Count(), p.marks[O].Count()
	if x != o && x != o+1 {
		return nil, games.Reason("marks that do not take turns")
	}
	if p.ToMove() != toMove {
		return nil, games.Reason("the other side is to move by the number of marks")
	}
	return []Position{p}, nil
}
