package patterns

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"

	"kifu/datasets/columns"
	"kifu/games"
	"kifu/internal/clogit"
)

// Features that every game with a drawn board has: the distance of a move's target from the move before
// it, which the other side made, and from the one before that, its own; and its captures. Distances are
// dx + dy + max(dx, dy), as in Stern, Herbrich and Graepel (2006, section 2) and Coulom (2007).
var (
	distanceEnds  = []int{0, 2, 3, 4, 5, 6, 7, 9, 12, 16, math.MaxInt}
	distanceNames = []string{"0", "2", "3", "4", "5", "6", "7", "8 to 9", "10 to 12", "13 to 16", "17 or more"}
)

// Columns of the conditional logit.
const (
	rateColumn = iota
	sizeColumn
	lastColumn // the distances to the last move
)

// featurer computes the features of moves.
type featurer[P games.Position[P]] struct {
	names   []string
	drawer  games.Drawer[P]
	checker games.Checker[P]
	own     games.MoveFeatures[P]
	checks  int // column of a check
	takes   int // first column of captures: of one piece, of two, of more
	again   int // column of moving the piece that moved before
	special int // first column of the game's own

	cells, after []uint8
	marks        []int
	checking     []games.Move
}

func newFeaturer[P games.Position[P]](rules games.Rules[P]) *featurer[P] {
	f := &featurer[P]{names: []string{"ln rate of the pattern", "size of the pattern"}}
	f.drawer, _ = rules.(games.Drawer[P])
	f.checker, _ = rules.(games.Checker[P])
	f.own, _ = rules.(games.MoveFeatures[P])
	if f.drawer != nil {
		for _, to := range []string{"the move before", "its own move before"} {
			for _, d := range distanceNames {
				f.names = append(f.names, "distance "+d+" to "+to)
			}
		}
		f.again = len(f.names)
		f.names = append(f.names, "moves the piece that moved before")
		f.takes = len(f.names)
		f.names = append(f.names, "takes one piece", "takes two pieces", "takes three pieces or more")
	}
	if f.checker != nil {
		f.checks = len(f.names)
		f.names = append(f.names, "gives check")
	}
	if f.own != nil {
		f.special = len(f.names)
		f.names = append(f.names, f.own.MoveFeatures()...)
	}
	return f
}

// before is where the moves before a decision ended; -1 where that is not known, or they were passes.
type before struct{ last, own int }

// add adds the rows of a decision: each move's rate and number of sizes of its patterns, and its
// features.
func (f *featurer[P]) add(d *clogit.Data[float32], p P, moves []games.Move, rates []float64, sizes []int, was before) {
	special := make([][]int, len(moves))
	if f.own != nil {
		f.own.EachMoveFeature(p, moves, func(move, feature int) { special[move] = append(special[move], f.special+feature) })
	}
	if f.checker != nil {
		f.checking = f.checker.AppendChecks(f.checking[:0], p)
	}
	if f.drawer != nil {
		f.cells = f.drawer.AppendCells(f.cells[:0], p)
	}
	for i, m := range moves {
		d.Add(rateColumn, math.Log(rates[i]))
		d.Add(sizeColumn, float64(sizes[i]))
		if f.drawer != nil {
			f.onBoard(d, p, m, was)
		}
		if f.checker != nil && slices.Contains(f.checking, m) {
			d.Add(f.checks, 1)
		}
		for _, column := range special[i] {
			d.Add(column, 1)
		}
		d.EndRow()
	}
}

// onBoard adds the features of what a move does on the board.
func (f *featurer[P]) onBoard(d *clogit.Data[float32], p P, m games.Move, was before) {
	f.marks = f.drawer.AppendMarks(f.marks[:0], p, m)
	if len(f.marks) == 0 {
		return
	}
	from, to := f.marks[0], f.marks[len(f.marks)-1]
	columns := f.drawer.Layout(p).Columns
	for i, cell := range []int{was.last, was.own} {
		if cell >= 0 {
			d.Add(lastColumn+i*len(distanceEnds)+distance(columns, cell, to), 1)
		}
	}
	if was.own >= 0 && from != to && from == was.own {
		d.Add(f.again, 1)
	}
	f.after = f.drawer.AppendCells(f.after[:0], p.Play(m))
	taken, pieces := 0, f.drawer.Pieces()
	for cell, piece := range f.cells {
		if piece != 0 && pieces[piece].Side != p.ToMove() && f.after[cell] != piece {
			taken++
		}
	}
	if taken > 0 {
		d.Add(f.takes+min(taken, 3)-1, 1)
	}
}

// distance returns the class of the distance between two cells.
func distance(columns, a, b int) int {
	dx, dy := apart(a%columns, b%columns), apart(a/columns, b/columns)
	n := dx + dy + max(dx, dy)
	return slices.IndexFunc(distanceEnds, func(end int) bool { return n <= end })
}

// past finds the moves before a row among the rows before it.
type past[P games.Position[P]] struct {
	row int
	to  int // where the move of that row ended
}

// target returns the cell that the move of a row ends on, -1 for none.
func (r *reader[P]) target(b *columns.Batch, row int) int {
	for _, k := range r.past {
		if k.row == row {
			return k.to
		}
	}
	to := -1
	if text := b.Col("move"); !text.IsNull(row) && r.drawer != nil {
		if p, err := r.rules.UnpackBoard(b.Col("board").Value(row)); err == nil {
			moves := p.AppendMoves(nil)
			if i := slices.IndexFunc(moves, func(m games.Move) bool {
				r.text = r.rules.AppendCoordinates(r.text[:0], p, m)
				return bytes.Equal(r.text, text.Value(row))
			}); i >= 0 {
				if marks := r.drawer.AppendMarks(nil, p, moves[i]); len(marks) > 0 {
					to = marks[len(marks)-1]
				}
			}
		}
	}
	r.past[row%len(r.past)] = past[P]{row, to}
	return to
}

// before returns where the moves before the decision of a row ended, as far as the rows before it
// in its row group are of the same game and the plies before.
func (r *reader[P]) before(b *columns.Batch, row int) (was before) {
	was = before{-1, -1}
	game, ply := b.Col("game_id").Int64, b.Col("ply").Int32
	for back, cell := range []*int{&was.last, &was.own} {
		at := row - back - 1
		if at < 0 || game[at] != game[row] || ply[at] != ply[row]-int32(back)-1 {
			break
		}
		*cell = r.target(b, at)
	}
	return was
}

// featuresCSV returns a table of the weights.
func featuresCSV(names []string, fit *clogit.Fit) []byte {
	var out bytes.Buffer
	out.WriteString("feature,weight,se\n")
	for i, name := range names {
		se := ""
		if fit.SE != nil {
			se = strconv.FormatFloat(fit.SE[i], 'g', 6, 64)
		}
		fmt.Fprintf(&out, "%s,%s,%s\n", name, strconv.FormatFloat(fit.Beta[i], 'g', 6, 64), se)
	}
	return out.Bytes()
}
