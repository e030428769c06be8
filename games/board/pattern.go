package board

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"kifu/games"
)

// Pattern is a rectangle of cells, each with the set of contents it allows. One as large as
// the board is compared with the whole board; a smaller one may be anywhere on it. Its
// methods may be called from many goroutines at once.
type Pattern struct {
	shapes []shape // the pattern itself, with Everywhere also its mirror images and exchanges
}

// shape is one form of a pattern.
type shape struct {
	columns, rows int
	cells         []set // row by row
	wanted        []wanted
	overEdge      bool // has cells that may be outside the board
	atColumn      edge // where those that must be hold it
	atRow         edge
}

// wanted is a cell to be compared, the rarest first.
type wanted struct {
	column, row int
	set         set
}

// edge names the columns (or rows) of a shape that must be outside the board: its first, its last or
// both.
type edge uint8

const (
	neither edge = iota
	first
	last
	both
)

// set holds the pieces that a cell of a pattern may have, as bits; bit 31 is a place outside the board.
type set uint32

const (
	outside  set = 1 << 31
	anything set = 1<<31 - 1
)

// ParsePattern reads a pattern of g, row by row from the top with / between:
//
//	N, +p, X   that piece, by its letter
//	3          that many empty cells; . and - are one
//	?          anything on the board; * the rest of the row, or a row of its own
//	A, a       any piece of the first player, of the second
//	[Nn.]      one of these; [^Pp] none of these
//	#          outside the board: ###/#../#.X is a corner
//
// Rows are as wide as the widest one; * fills them. If all end in *, they are as wide as the game's usual board.
func ParsePattern(g Game, text string) (*Pattern, error) {
	if strings.TrimSpace(text) == "" {
		return nil, errors.New("an empty pattern: want rows from the top, as in PP/.N")
	}
	rows := strings.Split(strings.TrimSpace(text), "/")
	parsed := make([][]set, len(rows))
	filled := make([]bool, len(rows))
	width, whole := 0, false // a row without * is
	for i, row := range rows {
		r := patternRow{game: g, rest: row}
		if err := r.parse(); err != nil {
			return nil, fmt.Errorf("pattern %q, row %d: %w", text, i+1, err)
		}
		parsed[i], filled[i] = r.cells, r.filled
		width, whole = max(width, len(r.cells)), whole || !r.filled
	}
	if !whole {
		width = max(width, g.Layout().Columns)
	}
	s := shape{columns: width, rows: len(rows)}
	for i, cells := range parsed {
		if len(cells) != width && !filled[i] {
			return nil, fmt.Errorf("pattern %q: row %d has %d cells, another %d; * at its end fills it", text, i+1, len(cells), width)
		}
		for len(cells) < width {
			cells = append(cells, anything)
		}
		s.cells = append(s.cells, cells...)
	}
	s.order()
	return &Pattern{[]shape{s}}, nil
}

// ParseCells reads a board written as a pattern that leaves nothing open: columns by rows cells as
// Board.AppendCells has them.
func ParseCells(g Game, text string, columns, rows int) ([]uint8, error) {
	p, err := ParsePattern(g, text)
	if err != nil {
		return nil, err
	}
	s := p.shapes[0]
	if s.columns != columns || s.rows != rows {
		return nil, fmt.Errorf("a board of %d by %d cells, want %d by %d", s.columns, s.rows, columns, rows)
	}
	cells := make([]uint8, len(s.cells))
	for i, c := range s.cells {
		if bits.OnesCount32(uint32(c)) != 1 || c == outside {
			return nil, fmt.Errorf("cell %d of %q may have several things: want one piece, or nothing", i+1, text)
		}
		cells[i] = uint8(bits.TrailingZeros32(uint32(c)))
	}
	return cells, nil
}

// patternRow is a row while it is read.
type patternRow struct {
	game   Game
	rest   string
	cells  []set
	filled bool // ends in *
}

func (r *patternRow) parse() error {
	for r.rest != "" {
		if r.filled {
			return fmt.Errorf("%q after *, which takes the rest of a row", r.rest)
		}
		switch c := r.rest[0]; {
		case c == '*':
			r.filled, r.rest = true, r.rest[1:]
		case c >= '1' && c <= '9':
			n := 0
			for r.rest != "" && r.rest[0] >= '0' && r.rest[0] <= '9' && n < 100 {
				n, r.rest = 10*n+int(r.rest[0]-'0'), r.rest[1:]
			}
			for range n {
				r.cells = append(r.cells, 1)
			}
		default:
			s, err := r.item()
			if err != nil {
				return err
			}
			r.cells = append(r.cells, s)
		}
	}
	return nil
}

// item reads what one cell may have, or [...].
func (r *patternRow) item() (set, error) {
	if r.rest[0] == '[' {
		return r.class()
	}
	return r.one()
}

// class reads [...].
func (r *patternRow) class() (all set, err error) {
	r.rest = r.rest[1:]
	none := strings.HasPrefix(r.rest, "^")
	r.rest = strings.TrimPrefix(r.rest, "^")
	for {
		switch {
		case r.rest == "":
			return 0, fmt.Errorf("[ without ]")
		case r.rest[0] == ']' && none:
			r.rest = r.rest[1:]
			return anything &^ all, nil
		case r.rest[0] == ']':
			r.rest = r.rest[1:]
			return all, nil
		}
		s, err := r.one()
		if err != nil {
			return 0, err
		}
		all |= s
	}
}

// one reads what one cell may have.
func (r *patternRow) one() (set, error) {
	pieces := r.game.Pieces()
	best := 0
	for i, p := range pieces {
		if p.Letter != "" && strings.HasPrefix(r.rest, p.Letter) && len(p.Letter) > len(pieces[best].Letter) {
			best = i
		}
	}
	if best > 0 {
		r.rest = r.rest[len(pieces[best].Letter):]
		return 1 << best, nil
	}
	c := r.rest[0]
	r.rest = r.rest[1:]
	switch c {
	case '.', '-':
		return 1, nil
	case '?':
		return anything, nil
	case '#':
		return outside, nil
	case 'A':
		return piecesOf(pieces, games.First), nil
	case 'a':
		return piecesOf(pieces, games.Second), nil
	}
	return 0, fmt.Errorf("no piece %q; %s has %s", c, r.game.Name(), strings.Join(letters(pieces), " "))
}

func piecesOf(pieces []games.Piece, side games.Side) (all set) {
	for i, p := range pieces {
		if i > 0 && p.Side == side {
			all |= 1 << i
		}
	}
	return all
}

func letters(pieces []games.Piece) (all []string) {
	for _, p := range pieces[1:] {
		all = append(all, p.Letter)
	}
	return all
}

// order finds the cells to be compared, those that few pieces fit first. One that takes
// anything must be on the board, which needs no check where no cell is outside it.
func (s *shape) order() {
	s.wanted = nil
	s.overEdge = slices.ContainsFunc(s.cells, func(c set) bool { return c&outside != 0 })
	s.atColumn, s.atRow = neither, neither
	for i, c := range s.cells {
		column, row := i%s.columns, i/s.columns
		if c != anything || s.overEdge {
			s.wanted = append(s.wanted, wanted{column, row, c})
		}
		if c == outside {
			s.hold(column, row)
		}
	}
	slices.SortStableFunc(s.wanted, func(a, b wanted) int { return rank(a.set) - rank(b.set) })
}

// hold notes that a cell is outside the board. One on a single side of the shape, not in its corner, decides which
// side of the board the shape reaches over; no shape reaches further than by one cell.
func (s *shape) hold(column, row int) {
	acrossColumns := column == 0 || column == s.columns-1
	acrossRows := row == 0 || row == s.rows-1
	switch {
	case acrossColumns && !acrossRows && s.columns > 1:
		s.atColumn |= side(column)
	case acrossRows && !acrossColumns && s.rows > 1:
		s.atRow |= side(row)
	}
}

func side(i int) edge {
	if i == 0 {
		return first
	}
	return last
}

// rank puts pieces before empty cells, and those before sets of many.
func rank(s set) int {
	switch {
	case s&1 != 0:
		return 2
	case s&outside != 0:
		return 1
	}
	return 0
}

// Everywhere returns the pattern with the board's symmetries and with the sides exchanged: it
// matches where one of all these forms does.
func (p *Pattern) Everywhere(g Game) *Pattern {
	l := g.Layout()
	forms := slices.Clone(p.shapes)
	if l.Symmetric {
		for i := range 3 {
			forms = append(forms, forms[i].turn())
		}
		for i := range 4 {
			forms = append(forms, forms[i].mirror())
		}
	}
	kinds := (len(g.Pieces()) - 1) / 2
	for _, f := range forms[:len(forms):len(forms)] {
		forms = append(forms, f.exchange(l.Exchange, kinds))
	}
	var all []shape
	for _, f := range forms {
		if !slices.ContainsFunc(all, func(s shape) bool { return s.columns == f.columns && slices.Equal(s.cells, f.cells) }) {
			f.order()
			all = append(all, f)
		}
	}
	return &Pattern{all}
}

// turn returns the shape turned by a quarter, mirror with its columns in reverse order.
func (s shape) turn() shape {
	t := shape{columns: s.rows, rows: s.columns, cells: make([]set, len(s.cells))}
	for i, c := range s.cells {
		column, row := i%s.columns, i/s.columns
		t.cells[column*t.columns+s.rows-1-row] = c
	}
	return t
}

func (s shape) mirror() shape {
	t := shape{columns: s.columns, rows: s.rows, cells: make([]set, len(s.cells))}
	for i, c := range s.cells {
		t.cells[i/s.columns*s.columns+s.columns-1-i%s.columns] = c
	}
	return t
}

// exchange returns the shape with each piece as the other side's.
func (s shape) exchange(e games.Exchange, kinds int) shape {
	t := shape{columns: s.columns, rows: s.rows, cells: make([]set, len(s.cells))}
	for i, c := range s.cells {
		own := (set(1)<<kinds - 1) << 1
		if c != anything {
			c = c&^(own|own<<kinds) | c&own<<kinds | c>>kinds&own
		}
		switch e {
		case games.UpsideDown:
			i = (s.rows-1-i/s.columns)*s.columns + i%s.columns
		case games.HalfTurned:
			i = len(s.cells) - 1 - i
		}
		t.cells[i] = c
	}
	return t
}

// Match reports whether the pattern is on a board of that many columns; cells are the cells of
// Board.AppendCells.
func (p *Pattern) Match(cells []uint8, columns int) bool {
	for i := range p.shapes {
		if _, _, ok := p.shapes[i].on(cells, columns); ok {
			return true
		}
	}
	return false
}

// on returns where the shape is on a board, by its first column and row; ok is false if it is nowhere. It may reach one
// cell over the edge, with cells outside the board.
func (s *shape) on(cells []uint8, columns int) (column, row int, ok bool) {
	rows := len(cells) / columns
	if !s.overEdge {
		return s.within(cells, columns, rows)
	}
	left, right := s.atColumn.places(columns - s.columns)
	top, bottom := s.atRow.places(rows - s.rows)
	for row := top; row <= bottom; row++ {
		for column := left; column <= right; column++ {
			if s.fits(cells, columns, rows, column, row) {
				return column, row, true
			}
		}
	}
	return 0, 0, false
}

// places returns the first and the last column (or row) where a shape may begin; at end its own last one
// is on the board's last. For a shape that is too large the first is after the last.
func (e edge) places(end int) (from, to int) {
	from, to = -1, end+1
	switch e {
	case first:
		to = min(from, to)
	case last:
		from = max(from, to)
	}
	return from, to
}

// within is on for a shape that is wholly on the board.
func (s *shape) within(cells []uint8, columns, rows int) (column, row int, ok bool) {
	for row := range rows - s.rows + 1 {
	next:
		for column := range columns - s.columns + 1 {
			corner := row*columns + column
			for _, w := range s.wanted {
				if w.set>>cells[corner+w.row*columns+w.column]&1 == 0 {
					continue next
				}
			}
			return column, row, true
		}
	}
	return 0, 0, false
}

func (s *shape) fits(cells []uint8, columns, rows, left, top int) bool {
	for _, w := range s.wanted {
		column, row := left+w.column, top+w.row
		if column < 0 || row < 0 || column >= columns || row >= rows {
			if w.set&outside == 0 {
				return false
			}
			continue
		}
		if w.set>>cells[row*columns+column]&1 == 0 {
			return false
		}
	}
	return true
}
