package games

import (
	"strconv"
	"strings"
)

// Drawer is implemented by Rules of games whose boards can be drawn, and searched by what
// is where. It describes the board in terms of cells and pieces by number, and
// how each piece looks; package games/board draws the whole.
type Drawer[P any] interface {
	// Layout returns the board of p. Positions of one game may have different ones, as
	// the size of the board differs in Go. It must not be changed.
	Layout(p P) *Layout
	// Pieces returns all kinds of pieces, after the empty cell the pieces of one side, then in the
	// same order the other side's. At most 30; it must not be changed.
	Pieces() []Piece
	// AppendCells appends for each cell of the layout, row by row from the top left, the
	// index of its piece in Pieces; 0 is empty.
	AppendCells(dst []uint8, p P) []uint8
	// AppendMarks appends the cells that m, legal in p, goes from, over and to, in this
	// order; none for a pass, the target alone where no piece is moved.
	AppendMarks(dst []int, p P, m Move) []int
}

// Hands is implemented by Rules of games in which captured pieces are kept in hand.
type Hands[P any] interface {
	// AppendHand appends the pieces in the hand of s as indices into Pieces, one for each piece, equal
	// ones side by side.
	AppendHand(dst []uint8, p P, s Side) []uint8
	// Holdable returns the pieces of s that may be in its hand.
	Holdable(s Side) []uint8
}

// Shower is implemented by Rules of games whose players write moves otherwise than records do.
type Shower[P any] interface {
	// AppendShown appends m, legal in p, as players write it; western asks for Latin letters.
	AppendShown(dst []byte, p P, m Move, western bool) []byte
}

// AppendShown appends m, legal in p, as players write it: as records do in games whose Rules are no Shower.
func AppendShown[P Position[P]](dst []byte, rules Rules[P], p P, m Move, western bool) []byte {
	if shower, ok := rules.(Shower[P]); ok {
		return shower.AppendShown(dst, p, m, western)
	}
	return rules.AppendMove(dst, p, m)
}

// PieceCounter is implemented by Rules of games that can count the pieces without
// looking at each cell.
type PieceCounter[P any] interface {
	// PieceCount returns the number of pieces on the board of p, and in hands.
	PieceCount(p P) int
}

// Placer is implemented by Rules of games in which a person may set up a position piece by piece.
type Placer[P any] interface {
	// Place returns the positions on the board of like with these pieces, written as AppendCells
	// and AppendHand write them, and side to move. They differ in what a board does not show: a
	// right to castle, a pawn that may be taken in passing, a ko. The first is the one that is
	// likeliest in a game. The error names what keeps the pieces from being a position.
	Place(like P, cells []uint8, hands [2][]uint8, toMove Side) ([]P, error)
}

// Layout is a board without its pieces. Cells are counted row by row from the top left,
// from 0.
type Layout struct {
	Columns, Rows int
	Grid          Grid
	Colours       [3]string // in CSS: cells, the dark cells of a Checkered board, lines and stars
	Files         []string  // written below the columns, from the left; nil: nothing
	Ranks         []string  // written next to the rows, from the top; nil: nothing
	LatinRanks    []string  // the same where Latin letters are asked for; nil: Ranks
	Names         []string  // of the cells, as the game writes squares; "" for one that is not played on
	NamesAbove    bool      // files are written above the columns, and ranks to the right of the rows
	Numbered      bool      // the names are numbers, which are written into the cells
	Stars         []int     // cells with a dot
	Turns         bool      // a piece points away from its player, so it turns with the board
	Sides         [2]string // names of the sides
	Pairs         bool      // a number counts a move of each side: 12. Nf3, 12... Nc6
	Light         Side      // that has the light pieces
	Bottom        Side      // drawn below
	Symmetric     bool      // rotations and reflections of the board change nothing in the rules
	Analysis      string    // address of an analysis board on the web, which the text of a position completes, _ for spaces; "": none
	Exchange      Exchange  // how the board is turned so that the sides change places
}

// Exchange is the way in which a position becomes the same one with the sides exchanged.
type Exchange uint8

// The exchanges, in addition to each piece becoming the other side's.
const (
	InPlace    Exchange = iota // all pieces stay
	UpsideDown                 // rows in reverse order, as in chess
	HalfTurned                 // rows and columns in reverse order, as in draughts and Shogi
)

// MoveNumber returns what records write before the move after ply others, by that side: "12." or
// "12..." where numbers count pairs, else "24".
func (l *Layout) MoveNumber(ply int, mover Side) string {
	if !l.Pairs {
		return strconv.Itoa(ply + 1)
	}
	number := strconv.Itoa((ply+int(mover^Side(ply&1)))/2 + 1)
	if mover == Second {
		return number + "..."
	}
	return number + "."
}

// Cell returns the cell of that name, -1 for none: as in Names, whose case does not matter, or as it is written next to the
// board (７六).
func (l *Layout) Cell(name string) int {
	for i, n := range l.Names {
		if n != "" && len(n) == len(name) && equalFold(n, name) || l.LatinRanks != nil && l.beside(i, name) {
			return i
		}
	}
	return -1
}

// beside reports whether the name of a cell is made of those of its column and row; digits may be wide.
func (l *Layout) beside(cell int, name string) bool {
	name = strings.Map(func(r rune) rune {
		if r >= '０' && r <= '９' {
			return r - '０' + '0'
		}
		return r
	}, name)
	return name == l.Files[cell%l.Columns]+l.Ranks[cell/l.Columns]
}

// equalFold compares ASCII texts of one length.
func equalFold(a, b string) bool {
	for i := range len(a) {
		x, y := a[i], b[i]
		if x != y && (x|0x20 != y|0x20 || x|0x20 < 'a' || x|0x20 > 'z') {
			return false
		}
	}
	return true
}

// Grid is the way in which cells are set apart.
type Grid uint8

// The grids.
const (
	Checkered Grid = iota // light and dark cells; the top left one is light
	Boxed                 // lines around the cells
	Crossed               // lines through the cells, pieces on their crossings
)

// Piece is a kind of piece of one side.
type Piece struct {
	Letter string // as texts of positions write it, or near to it: "N", "n", "+P"; "" for the empty cell
	Symbol string // for a terminal: "♞"
	Name   string // "black knight"
	Side   Side
	// Drawing is SVG in a box of 45 by 45, in colours that are readable on the board.
	Drawing string
	// Western is Drawing with Latin letters, where Drawing has others; else "".
	Western string
}

// OtherSide returns the other side's piece of the same kind, by their numbers in pieces; of the empty cell the empty cell.
func OtherSide(piece uint8, pieces []Piece) uint8 {
	if kinds := uint8(len(pieces)-1) / 2; piece > 0 {
		return (piece-1+kinds)%(2*kinds) + 1
	}
	return 0
}
