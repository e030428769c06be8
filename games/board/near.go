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
// of the pattern but those with anything; the whole board where neither has them.
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
			text, begins := s.line(l, s.near(l, column, row), to, other, played)
			if !found || begins < earliest || begins == earliest && text < line {
				line, earliest, exchanged, found = text, begins, other, true
			}
		}
	}
	return line, exchanged
}

// region is a part of a board.
type region struct{ columns, rows [2]int } // from one up to another

func (r region) has(column, row int) bool {
	return column >= r.columns[0] && column < r.columns[1] && row >= r.rows[0] && row < r.rows[1]
}

// near returns the halves of the board that a shape at a place is in.
func (s *shape) near(l *games.Layout, left, top int) region {
	of := region{[2]int{l.Columns, -1}, [2]int{l.Rows, -1}}
	for i, c := range s.cells {
		if c != anything && c != outside {
			column, row := left+i%s.columns, top+i/s.columns
			of.columns = [2]int{min(of.columns[0], column), max(of.columns[1], column)}
			of.rows = [2]int{min(of.rows[0], row), max(of.rows[1], row)}
		}
	}
	return region{half(of.columns, l.Columns), half(of.rows, l.Rows)}
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
		if !in.has(cell%l.Columns, cell/l.Columns) {
			continue
		}
		if other {
			side ^= 1
		}
		begins = min(begins, i)
		words = append(words, l.Sides[side][:1]+l.Names[cell])
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
	middle := func(e edge, end int) int {
		from, to := 0, end
		if s.overEdge {
			from, to = e.places(end)
		}
		return (from + to) / 2
	}
	left, top := middle(s.atColumn, l.Columns-s.columns), middle(s.atRow, l.Rows-s.rows)
	cells := make([]uint8, l.Columns*l.Rows)
	for i, c := range s.cells {
		column, row := left+i%s.columns, top+i/s.columns
		if bits.OnesCount32(uint32(c)) == 1 && column >= 0 && column < l.Columns && row >= 0 && row < l.Rows {
			cells[row*l.Columns+column] = uint8(bits.TrailingZeros32(uint32(c &^ outside)))
		}
	}
	return cells
}
