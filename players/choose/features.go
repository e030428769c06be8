package choose

import (
	"fmt"
	"math"
	"slices"

	"kifu/eval"
	"kifu/games"
	"kifu/internal/clogit"
	"kifu/players/shapes"
	"kifu/search"
)

// Distances are dx + dy + max(dx, dy), as in Stern, Herbrich and Graepel (2006, section 2) and Coulom (2007).
var (
	distanceEnds  = []int{0, 2, 3, 4, 5, 6, 7, 9, 12, 16, math.MaxInt}
	distanceNames = []string{"0", "2", "3", "4", "5", "6", "7", "8 to 9", "10 to 12", "13 to 16", "17 or more"}
)

// losses are the ends of the pieces of a value's loss, in what players count by (eval.Unit.Per).
var losses = []float64{0, 0.1, 0.25, 0.5, 1, 2, 3, 5, 9}

// steep is the value at which a side is thought to win, in the same unit: a loss counts less beyond it.
const steep = 3

// Rower makes the rows of decisions: the features of each legal move. It must not be shared by goroutines.
type Rower[P games.Position[P]] struct {
	Names   []string
	drawer  games.Drawer[P]
	checker games.Checker[P]
	own     games.MoveFeatures[P]
	search  *search.Searcher[P] // nil: no values
	per     float64             // of values
	depth   int
	judge   *shapes.Judge[P] // nil: no shapes

	value, shape, board, check, special int // first columns

	cells, after []uint8
	marks        []int
	checking     []games.Move
	features     [][]int
	values       [][]float64 // by looks ahead and move, for the side to move
}

// NewRower returns a rower of a game. It values moves by a model, looking depth plies ahead (0: no values),
// and judges them by the strengths of shapes (nil: no shapes).
func NewRower[P games.Position[P]](g eval.Game[P], model *eval.Model, depth int, strengths *shapes.Strengths) (*Rower[P], error) {
	r := &Rower[P]{depth: depth}
	r.drawer, _ = g.Rules.(games.Drawer[P])
	r.checker, _ = g.Rules.(games.Checker[P])
	r.own, _ = g.Rules.(games.MoveFeatures[P])
	if depth > 0 {
		e, err := g.NewEvaluator(model)
		if err != nil {
			return nil, err
		}
		r.search, r.per = search.New[P](e), float64(eval.UnitOf(e.Model().Unit).Per)*eval.Grain
		r.nameValues()
	}
	if of := shapes.Of(g.Rules); of != nil && strengths != nil {
		r.judge, r.shape = shapes.NewJudge(of, strengths), len(r.Names)
		r.Names = append(r.Names, "strength of the shape", "strength of the smallest shape", "size of the shape")
	}
	if r.drawer != nil {
		r.nameBoard()
	}
	if r.checker != nil {
		r.check = len(r.Names)
		r.Names = append(r.Names, "gives check")
	}
	if r.own != nil {
		r.special = len(r.Names)
		r.Names = append(r.Names, r.own.MoveFeatures()...)
	}
	return r, nil
}

// shapeColumns is the number of columns of shapes.
const shapeColumns = 3

// looks returns the number of values of a move: static, quiet, and one for each further ply.
func (r *Rower[P]) looks() int { return r.depth + 1 }

// perLook is the number of columns of a value: its pieces, the loss in expected score, being the best, and the rank.
var perLook = len(losses) - 1 + 3

func (r *Rower[P]) nameValues() {
	r.value = len(r.Names)
	for look := range r.looks() {
		name := fmt.Sprintf("%d plies ahead", look)
		switch look {
		case 0:
			name = "at sight"
		case 1:
			name = "1 ply ahead"
		}
		for i, end := range losses[1:] {
			r.Names = append(r.Names, fmt.Sprintf("loses %g to %g %s", losses[i], end, name))
		}
		r.Names = append(r.Names, "loses expected score "+name, "is best "+name, "ln of the rank "+name)
	}
}

// Columns of what a move does on the board, after the distances to the move before and to its own before.
const (
	again     = iota // the piece that moved before
	takesBack        // what moved before, to where it was
	takesOne
	takesTwo
	takesMore
	forward
	sideways
	backward
	centre // nearer to it, in cells
	boardColumns
)

func (r *Rower[P]) nameBoard() {
	r.board = len(r.Names)
	for _, to := range []string{"the move before", "its own move before"} {
		for _, d := range distanceNames {
			r.Names = append(r.Names, "distance "+d+" to "+to)
		}
	}
	r.Names = append(r.Names, "moves the piece that moved before", "takes the move before back", "takes one piece", "takes two pieces", "takes three pieces or more",
		"goes forward", "goes sideways", "goes back", "comes nearer to the centre")
}

// Before has the cells of the two moves before a decision: from and to of the opponent's last move, and of
// the player's own before it. -1: unknown, or a pass.
type Before struct{ From, To, OwnFrom, OwnTo int }

// Nothing is before the first move.
var Nothing = Before{-1, -1, -1, -1}

// After returns what is before the decision after move m in p.
func (r *Rower[P]) After(b Before, p P, m games.Move) Before {
	next := Before{-1, -1, b.From, b.To}
	if r.drawer == nil {
		return next
	}
	if r.marks = r.drawer.AppendMarks(r.marks[:0], p, m); len(r.marks) > 0 {
		next.From, next.To = r.marks[0], r.marks[len(r.marks)-1]
	}
	return next
}

// Add adds the rows of a decision, without ending it.
func (r *Rower[P]) Add(d *clogit.Data[float32], p P, moves []games.Move, was Before) {
	if r.search != nil {
		r.look(p, moves)
	}
	if r.judge != nil {
		r.judge.Judge(p, moves)
	}
	if r.own != nil {
		for len(r.features) < len(moves) {
			r.features = append(r.features, nil)
		}
		for i := range moves {
			r.features[i] = r.features[i][:0]
		}
		r.own.EachMoveFeature(p, moves, was.To, func(move, feature int) { r.features[move] = append(r.features[move], r.special+feature) })
	}
	if r.checker != nil {
		r.checking = r.checker.AppendChecks(r.checking[:0], p)
	}
	if r.drawer != nil {
		r.cells = r.drawer.AppendCells(r.cells[:0], p)
	}
	for i, m := range moves {
		if r.search != nil {
			r.addValues(d, i)
		}
		if r.judge != nil {
			d.Add(r.shape, r.judge.Largest[i])
			d.Add(r.shape+1, r.judge.Smallest[i])
			d.Add(r.shape+2, float64(r.judge.Sizes[i]))
		}
		if r.drawer != nil {
			r.addBoard(d, p, m, was)
		}
		if r.checker != nil && slices.Contains(r.checking, m) {
			d.Add(r.check, 1)
		}
		if r.own != nil {
			for _, column := range r.features[i] {
				d.Add(column, 1)
			}
		}
		d.EndRow()
	}
}

// addBoard adds what a move does on the board.
func (r *Rower[P]) addBoard(d *clogit.Data[float32], p P, m games.Move, was Before) {
	r.marks = r.drawer.AppendMarks(r.marks[:0], p, m)
	if len(r.marks) == 0 {
		return
	}
	from, to, layout := r.marks[0], r.marks[len(r.marks)-1], r.drawer.Layout(p)
	for i, cell := range []int{was.To, was.OwnTo} {
		if cell >= 0 {
			d.Add(r.board+i*len(distanceEnds)+distance(layout.Columns, cell, to), 1)
		}
	}
	first := r.board + 2*len(distanceEnds)
	if was.OwnTo >= 0 && from != to && from == was.OwnTo {
		d.Add(first+again, 1)
		if to == was.OwnFrom {
			d.Add(first+takesBack, 1)
		}
	}
	if taken := r.taken(p, m); taken > 0 {
		d.Add(first+takesOne+min(taken, 3)-1, 1)
	}
	if from != to {
		rows := shapes.Turned(layout, p.ToMove(), from)/layout.Columns - shapes.Turned(layout, p.ToMove(), to)/layout.Columns
		switch {
		case rows > 0:
			d.Add(first+forward, float64(rows))
		case rows == 0:
			d.Add(first+sideways, 1)
		default:
			d.Add(first+backward, float64(-rows))
		}
		d.Add(first+centre, off(layout, from)-off(layout, to))
	} else {
		d.Add(first+centre, -off(layout, to))
	}
}

// taken returns the number of the other side's pieces that a move takes.
func (r *Rower[P]) taken(p P, m games.Move) (n int) {
	r.after = r.drawer.AppendCells(r.after[:0], p.Play(m))
	pieces := r.drawer.Pieces()
	for cell, piece := range r.cells {
		if piece != 0 && r.after[cell] != piece && pieces[piece].Side != p.ToMove() {
			n++
		}
	}
	return n
}

// off returns how far a cell is from the centre, in columns and rows.
func off(l *games.Layout, cell int) float64 {
	x, y := float64(cell%l.Columns)-float64(l.Columns-1)/2, float64(cell/l.Columns)-float64(l.Rows-1)/2
	return max(math.Abs(x), math.Abs(y))
}

// distance returns the class of the distance between two cells.
func distance(columns, a, b int) int {
	dx, dy := a%columns-b%columns, a/columns-b/columns
	dx, dy = max(dx, -dx), max(dy, -dy)
	n := dx + dy + max(dx, dy)
	return slices.IndexFunc(distanceEnds, func(end int) bool { return n <= end })
}

// Shape returns the number of sizes of shapes kept around a move of the decision added last; 0 without shapes.
func (r *Rower[P]) Shape(move int) int {
	if r.judge == nil {
		return 0
	}
	return r.judge.Sizes[move]
}
