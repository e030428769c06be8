package othello

import "kifu/games/othello"

// Terms, in the order of the model. The squares of the board form ten classes under
// rotation and reflection; the class of the four centre squares, d4, is left out, because
// the ten add up to the difference of discs and no fit could separate them: the term discs
// is then the value of a disc in the centre, and a class the additional value of its
// squares.
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

	parity
	oddRegionMoves
	toMove

	termCount
)

// terms are the names and groups, in the order of the constants. A flat term has one weight
// for all phases: before corners are taken, discs on C- and X-squares are all next to empty
// corners, so the classes alone account for them.
var terms = [termCount]struct {
	name, group string
	flat        bool
}{
	discs: {name: "discs", group: "discs"},

	corner:   {name: "square_a1", group: "squares"},
	cSquare:  {name: "square_b1", group: "squares"},
	squareC1: {name: "square_c1", group: "squares"},
	squareD1: {name: "square_d1", group: "squares"},
	xSquare:  {name: "square_b2", group: "squares"},
	squareC2: {name: "square_c2", group: "squares"},
	squareD2: {name: "square_d2", group: "squares"},
	squareC3: {name: "square_c3", group: "squares"},
	squareD3: {name: "square_d3", group: "squares"},

	cSquareOpen: {name: "c_square_open", group: "corners", flat: true},
	xSquareOpen: {name: "x_square_open", group: "corners", flat: true},
	cornerMoves: {name: "corner_moves", group: "corners"},

	mobility:  {name: "mobility", group: "mobility"},
	noMove:    {name: "no_move", group: "mobility"},
	potential: {name: "potential_mobility", group: "mobility"},

	frontier: {name: "frontier", group: "frontier"},

	stable: {name: "stable", group: "stability"},

	parity:         {name: "last_move", group: "parity"},
	oddRegionMoves: {name: "odd_region_moves", group: "parity"},
	toMove:         {name: "to_move", group: "parity"},
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

// images returns the squares onto which rotations and reflections map one square.
func images(column, row int) (squares othello.Bitboard) {
	for _, c := range [2]int{column, 7 - column} {
		for _, r := range [2]int{row, 7 - row} {
			squares |= othello.SquareAt(c, r).Bit() | othello.SquareAt(r, c).Bit()
		}
	}
	return squares
}
