package panels

import (
	"cmp"
	"math"
	"slices"
)

// batch is the number of lines that are multiplied at once, fullBatch that of lines with few zeros, whose panels the caches have to hold.
const (
	batch     = 512
	fullBatch = 128
)

// Squares sums c·x·xᵀ over lines x, of which most numbers are 0. The numbers of each column are put together first: a column's are
// then multiplied with panels of the columns that have more numbers, so that few products are by 0.
type Squares struct {
	fixed   int
	columns []column
	factors []float64 // of the lines of this batch
	order   []int     // of the columns; nil: none is chosen yet
	sum     []Line    // of the panels in this order: each has the lines from its own columns on
	panel   []Line
}

type column struct {
	n  int
	at [batch]uint16
	x  [batch]float64
}

// NewSquares returns an empty sum of lines of n numbers.
func NewSquares(n, fixed int) *Squares {
	s := &Squares{fixed: fixed, columns: make([]column, n), panel: make([]Line, 2*batch)}
	s.sum = make([]Line, s.start(panelsOf(n)))
	return s
}

// start is the place of panel c's sums.
func (s *Squares) start(c int) int { return c*len(s.columns) - c*(c-1)/2*width }

// Add adds a line: x at some of its places, which ascend, and 0 elsewhere. All but the last fixed numbers are counts of up to 16
// bits: then the sums do not depend on which lines were in the first batch.
func (s *Squares) Add(c float64, at []int32, x []float64) {
	line := uint16(len(s.factors))
	x = x[:len(at)]
	for i, j := range at {
		col := &s.columns[j]
		k := col.n % batch
		col.at[k], col.x[k] = line, x[i]
		col.n = k + 1
	}
	s.end(counted(c), batch)
}

// AddLine adds a line with all its numbers, any ones.
func (s *Squares) AddLine(c float64, u []float64) {
	line := uint16(len(s.factors))
	for j, v := range u {
		if v != 0 {
			col := &s.columns[j]
			col.at[col.n], col.x[col.n] = line, v
			col.n++
		}
	}
	s.end(c, fullBatch)
}

// counted cuts a factor to so many digits that its product with a count is exact: then the sum does not depend on the order of columns.
func counted(c float64) float64 { return math.Float64frombits(math.Float64bits(c) &^ (1<<16 - 1)) }

// end ends a line, and the batch after so many of them.
func (s *Squares) end(c float64, lines int) {
	if s.factors = append(s.factors, c); len(s.factors) >= lines {
		s.flush()
	}
}

// flush multiplies the batch.
func (s *Squares) flush() {
	if s.order == nil {
		s.choose()
	}
	left, right := s.panel[:batch], s.panel[batch:]
	for c := 0; c < panelsOf(len(s.columns)); c += 2 {
		next := min((c+1)*width, len(s.order)) // the first column after those of panel c
		own, others := s.order[c*width:next], s.order[next:min((c+2)*width, len(s.order))]
		isLeft, isRight := s.fill(left, own), s.fill(right, others)
		for i, j := range s.order[c*width:] {
			col := &s.columns[j]
			x, at := col.x[:col.n], col.at[:col.n]
			switch {
			case isRight && isLeft && i >= width:
				both(&s.sum[s.start(c)+i], &s.sum[s.start(c+1)+i-width], x, at, left, right)
			case isLeft:
				add(&s.sum[s.start(c)+i], x, at, left)
			case isRight && i >= width:
				add(&s.sum[s.start(c+1)+i-width], x, at, right)
			}
		}
		s.empty(left, own)
		s.empty(right, others)
	}
	for j := range s.columns {
		s.columns[j].n = 0
	}
	s.factors = s.factors[:0]
}

// fill writes the numbers of some columns, times their lines' factors, to an empty panel. It reports whether there are any.
func (s *Squares) fill(panel []Line, own []int) (some bool) {
	for k, j := range own {
		col := &s.columns[j]
		some = some || col.n > 0
		for i, line := range col.at[:col.n] {
			panel[line][k] = s.factors[line] * col.x[i]
		}
	}
	return some
}

// empty undoes fill.
func (s *Squares) empty(panel []Line, own []int) {
	for k, j := range own {
		col := &s.columns[j]
		for _, line := range col.at[:col.n] {
			panel[line][k] = 0
		}
	}
}

// choose orders the columns: the fixed ones, and the others by their numbers in this batch.
func (s *Squares) choose() {
	n := len(s.columns)
	for j := range n {
		s.order = append(s.order, n-1-j)
	}
	slices.SortStableFunc(s.order[s.fixed:], func(a, b int) int { return cmp.Compare(s.columns[b].n, s.columns[a].n) })
}

// Take calls do with every sum that is not 0, of columns i <= j in their order, and empties s.
func (s *Squares) Take(do func(i, j int, v float64)) {
	if len(s.factors) > 0 {
		s.flush()
	}
	if s.order == nil {
		return
	}
	place := make([]int, len(s.order))
	for at, j := range s.order {
		place[j] = at
	}
	for i, a := range place {
		for j, b := range place[i:] {
			low, high := min(a, b), max(a, b)
			c := low / width
			if v := s.sum[s.start(c)+high-c*width][low%width]; v != 0 {
				do(i, i+j, v)
			}
		}
	}
	clear(s.sum)
	s.order = nil
}
