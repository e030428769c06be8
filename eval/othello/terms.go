package othello

import "kifu/games/othello"

// Terms, in the order of the model. The squares of the board are ten classes that
// turning and mirroring carry into each other; the class of the four centre squares, d4,
// is left out, because the ten add up to the difference of discs and no fit could tell
// them apart: the term discs is then the worth of a disc in the centre, and a class what
// its squares are worth beyond that.
const (
	discs = iota

	corner // a1
	cSquare
	squareC1
	squareD1
	xSquare // b2
	squareC2
	squareD2
	squareC3
	squareD3

	cSquareOpen
	xSquareOpen
	cornerMoves

	mobility
	noMove
	potential
	frontier

	stable
	stableEdge

	parity
	oddRegionMoves
	toMove

	termCount
)

// terms are the names and groups, in the order of the constants.
var terms = [termCount]struct{ name, group string }{
	discs: {"discs", "discs"},

	corner:   {"square_a1", "squares"},
	cSquare:  {"square_b1", "squares"},
	squareC1: {"square_c1", "squares"},
	squareD1: {"square_d1", "squares"},
	xSquare:  {"square_b2", "squares"},
	squareC2: {"square_c2", "squares"},
	squareD2: {"square_d2", "squares"},
	squareC3: {"square_c3", "squares"},
	squareD3: {"square_d3", "squares"},

	cSquareOpen: {"c_square_open", "corners"},
	xSquareOpen: {"x_square_open", "corners"},
	cornerMoves: {"corner_moves", "corners"},

	mobility:  {"mobility", "mobility"},
	noMove:    {"no_move", "mobility"},
	potential: {"potential_mobility", "mobility"},

	frontier: {"frontier", "frontier"},

	stable:     {"stable", "stability"},
	stableEdge: {"stable_edge", "stability"},

	parity:         {"last_move", "parity"},
	oddRegionMoves: {"odd_region_moves", "parity"},
	toMove:         {"to_move", "parity"},
}

// classes are the squares of the nine classes that have a term.
var classes = [...]struct {
	term    int
	squares othello.Bitboard
}{
	{corner, othello.Corners},
	{cSquare, images(1, 0)},
	{squareC1, images(2, 0)},
	{squareD1, images(3, 0)},
	{xSquare, images(1, 1)},
	{squareC2, images(2, 1)},
	{squareD2, images(3, 1)},
	{squareC3, images(2, 2)},
	{squareD3, images(3, 2)},
}

// images are the squares into which turning and mirroring the board carries one.
func images(column, row int) (squares othello.Bitboard) {
	for _, c := range [2]int{column, 7 - column} {
		for _, r := range [2]int{row, 7 - row} {
			squares |= othello.SquareAt(c, r).Bit() | othello.SquareAt(r, c).Bit()
		}
	}
	return squares
}
