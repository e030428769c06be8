package board

import "kifu/games"

// View is a Board that shows one position after another, without memory for each. It is for one goroutine.
type View interface {
	Board
	// Show shows a packed board.
	Show(packed []byte) error
	// Cells returns the index of the piece on each cell, until the next position is shown.
	Cells() []uint8
	// Count returns the number of pieces on the board and in hands where the game counts them without
	// looking at each cell (games.PieceCounter), -1 elsewhere.
	Count() int
	// EachMark calls f with the first cell that each legal move touches; moves that touch none are left out.
	EachMark(f func(first int))
	// Checks returns the number of legal moves that give check, 0 in games without checks.
	Checks() int
	// Relate returns the count of relation i of the game (games.Relations).
	Relate(i int, s []games.Selection) int
}

// Show shows p on a View of the game of P.
func Show[P games.Position[P]](v View, p P) {
	of := v.(*view[P])
	of.p, of.known = p, false
}

type view[P games.Position[P]] struct {
	placed[P]
	cells []uint8
	known bool // the cells are of the position
	moves []games.Move
	marks []int
}

func (g *bound[P]) View() View { return &view[P]{placed: placed[P]{game: g}} }

func (v *view[P]) Show(packed []byte) (err error) {
	v.known = false
	v.p, err = v.game.rules.UnpackBoard(packed)
	return err
}

func (v *view[P]) Cells() []uint8 {
	if !v.known {
		v.cells, v.known = v.AppendCells(v.cells[:0]), true
	}
	return v.cells
}

func (v *view[P]) Relate(i int, s []games.Selection) int { return v.game.relations[i].Count(v.p, s) }

func (v *view[P]) Count() int {
	if counter, counts := v.game.rules.(games.PieceCounter[P]); counts {
		return counter.PieceCount(v.p)
	}
	return -1
}

func (v *view[P]) EachMark(f func(first int)) {
	v.moves = v.p.AppendMoves(v.moves[:0])
	for _, m := range v.moves {
		if v.marks = v.game.drawer.AppendMarks(v.marks[:0], v.p, m); len(v.marks) > 0 {
			f(v.marks[0])
		}
	}
}

func (v *view[P]) Checks() int {
	checker, ok := v.game.rules.(games.Checker[P])
	if !ok {
		return 0
	}
	v.moves = checker.AppendChecks(v.moves[:0], v.p)
	return len(v.moves)
}
