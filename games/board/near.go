package board

import (
	"math"
	"math/bits"
	"strings"

	"kifu/games"
)

// Played is a move by the cell that it comes to.
type Played struct {
	Cell int
	Side games.Side
}

// nearMoves is the most moves of a line.
const nearMoves = 16

// Line returns what was played near the pattern from a board on, as the pattern shows it: a word a move, the first letter
// of the side before the cell ("BQ16 WR14"). Near are the halves of the board, by columns and by rows, that have all cells
// of the pattern but those with anything; the whole board where neither has them. A pattern that no edge holds may be anywhere:
// it is shown in the middle, as Cells draws it, with the moves that are on the board then. One at a side is moved along it.
//
// With every, the board is turned, mirrored and its sides exchanged until it shows the pattern; of several ways the one with
// the earliest move is taken, and of these the least line, so that mirrored moves at a symmetric pattern are one.
// exchanged reports that the sides are exchanged. The board must be square.
func (p *Pattern) Line(g Game, l *games.Layout, cells []uint8, every bool, played []Played) (line string, exchanged bool) {
	ways, sides := orientationsOf(l.Columns)[:1], []bool{false}
	if every {
		ways, sides = orientationsOf(l.Columns)[:], []bool{false, true}
	}
	earliest, seen := math.MaxInt, make([]uint8, len(cells))
	found := false
	for _, to := range ways {
		for _, other := range sides {
			for i, c := range cells {
				if other {
					c = games.OtherSide(c, g.Pieces())
				}
				seen[to[i]] = c
			}
			s := &p.shapes[0]
			column, row, ok := s.on(seen, l.Columns)
			if !ok {
				continue
			}
			text, begins := s.line(l, s.placed(l, column, row), to, other, played)
			if !found || begins < earliest || begins == earliest && text < line {
				line, earliest, exchanged, found = text, begins, other, true
			}
		}
	}
	return line, exchanged
}

// region is a part of a board, and how far it is moved to be shown there.
type region struct {
	columns, rows [2]int // from one up to another
	right, down   int
}

func (r region) has(column, row int) bool {
	return column >= r.columns[0] && column < r.columns[1] && row >= r.rows[0] && row < r.rows[1]
}

// placed returns the region near a shape at a place.
func (s *shape) placed(l *games.Layout, left, top int) (r region) {
	shownLeft, shownTop := s.home(l)
	alongRows, alongColumns := s.free(l)
	r.columns, r.rows = s.near(l, left, top)
	if alongRows {
		r.columns, r.right = [2]int{0, l.Columns}, shownLeft-left
	}
	if alongColumns {
		r.rows, r.down = [2]int{0, l.Rows}, shownTop-top
	}
	return r
}

// free reports whether the shape may be moved along the rows and the columns of the board: no cell outside it holds the shape.
func (s *shape) free(l *games.Layout) (alongRows, alongColumns bool) {
	alongRows = s.columns < l.Columns && s.atColumn == neither
	alongColumns = s.rows < l.Rows && s.atRow == neither
	for i, c := range s.cells {
		if c&outside != 0 {
			alongRows = alongRows && s.atRow.has(i/s.columns, s.rows)
			alongColumns = alongColumns && s.atColumn.has(i%s.columns, s.columns)
		}
	}
	return alongRows, alongColumns
}

// has reports whether the edge is row (or column) i of n.
func (e edge) has(i, n int) bool {
	return e&first != 0 && i == 0 || e&last != 0 && i == n-1
}

// home returns where the shape is shown on a board: where edges hold it, else in the middle.
func (s *shape) home(l *games.Layout) (left, top int) {
	middle := func(e edge, end int) int {
		from, to := 0, end
		if s.overEdge {
			from, to = e.places(end)
		}
		return (from + to) / 2
	}
	return middle(s.atColumn, l.Columns-s.columns), middle(s.atRow, l.Rows-s.rows)
}

// Moved returns the name of the first cell of a pattern that Line moves; "" if it leaves the pattern where it is.
func (p *Pattern) Moved(l *games.Layout) string {
	s := &p.shapes[0]
	if alongRows, alongColumns := s.free(l); !alongRows && !alongColumns {
		return ""
	}
	left, top := s.home(l)
	return l.Names[max(top, 0)*l.Columns+max(left, 0)]
}

// near returns the halves of the board that a shape at a place is in.
func (s *shape) near(l *games.Layout, left, top int) (columns, rows [2]int) {
	columns, rows = [2]int{l.Columns, -1}, [2]int{l.Rows, -1}
	for i, c := range s.cells {
		if c != anything && c != outside {
			column, row := left+i%s.columns, top+i/s.columns
			columns = [2]int{min(columns[0], column), max(columns[1], column)}
			rows = [2]int{min(rows[0], row), max(rows[1], row)}
		}
	}
	return half(columns, l.Columns), half(rows, l.Rows)
}

// half returns the half of n columns or rows that has all from the first to the last; both have the middle one.
func half(of [2]int, n int) [2]int {
	switch {
	case of[1] < 0:
	case of[1] < (n+1)/2:
		return [2]int{0, (n + 1) / 2}
	case of[0] >= n/2:
		return [2]int{n / 2, n}
	}
	return [2]int{0, n}
}

// line writes the moves in a region, and returns the index of the first of them.
func (s *shape) line(l *games.Layout, in region, to []int, other bool, played []Played) (text string, begins int) {
	var words []string
	begins = math.MaxInt
	for i, m := range played {
		cell, side := to[m.Cell], m.Side
		column, row := cell%l.Columns+in.right, cell/l.Columns+in.down
		if !in.has(column, row) {
			continue
		}
		if other {
			side ^= 1
		}
		begins = min(begins, i)
		words = append(words, l.Sides[side][:1]+l.Names[row*l.Columns+column])
		if len(words) == nearMoves {
			break
		}
	}
	return strings.Join(words, " "), begins
}

// Cells returns the pieces that the pattern names, on a board that is empty otherwise: at the edges that hold the pattern,
// else in the middle.
func (p *Pattern) Cells(l *games.Layout) []uint8 {
	s := &p.shapes[0]
	left, top := s.home(l)
	cells := make([]uint8, l.Columns*l.Rows)
	for i, c := range s.cells {
		column, row := left+i%s.columns, top+i/s.columns
		if bits.OnesCount32(uint32(c)) == 1 && column >= 0 && column < l.Columns && row >= 0 && row < l.Rows {
			cells[row*l.Columns+column] = uint8(bits.TrailingZeros32(uint32(c &^ outside)))
		}
	}
	return cells
}
