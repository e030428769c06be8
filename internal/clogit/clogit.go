// Package clogit fits the conditional logit (McFadden, "Conditional Logit Analysis of
// Qualitative Choice Behavior", 1974) to many decisions with few sparse features:
//
//	P(move i) = exp(β·x_i) / Σ_j exp(β·x_j)
//
// by Newton's method, with errors that know which decisions belong to one game. Decisions
// are adjacent in memory and are summed by several workers in a fixed order.
//
// The method choice of fit has the same likelihood (rows.ChoiceLogit; a test there compares them) for
// other data: billions of rows on disk, of terms that share weights and have prior ones, whose sums
// cannot be kept as features in memory. No other stage may import it.
package clogit

import "math"

// Number is how features are kept: as float32 where there are many, as float64 where they are no
// whole numbers and few.
type Number interface{ float32 | float64 }

// Data are decisions: rows of features, one row per move.
type Data[X Number] struct {
	columns int
	group   []int64 // of each decision
	chosen  []int32 // among its rows
	rows    []int   // where the rows of each decision end
	cells   []int   // where the cells of each row end
	column  []uint16
	x       []X
}

// New returns decisions with features in so many columns, and no decision.
func New[X Number](columns int) *Data[X] { return &Data[X]{columns: columns} }

// Add adds a feature to the row that is being written.
func (d *Data[X]) Add(column int, x float64) {
	if x != 0 {
		d.column, d.x = append(d.column, uint16(column)), append(d.x, X(x))
	}
}

// EndRow ends the row of a move.
func (d *Data[X]) EndRow() { d.cells = append(d.cells, len(d.column)) }

// End ends a decision of a group (a game), in which the move of row chosen was played.
func (d *Data[X]) End(group int64, chosen int) {
	d.group, d.chosen, d.rows = append(d.group, group), append(d.chosen, int32(chosen)), append(d.rows, len(d.cells))
}

// Append adds the decisions of another, with as many columns.
func (d *Data[X]) Append(o *Data[X]) {
	cell, row := len(d.column), len(d.cells)
	d.column, d.x = append(d.column, o.column...), append(d.x, o.x...)
	for _, end := range o.cells {
		d.cells = append(d.cells, cell+end)
	}
	for _, end := range o.rows {
		d.rows = append(d.rows, row+end)
	}
	d.group, d.chosen = append(d.group, o.group...), append(d.chosen, o.chosen...)
}

// Len returns the number of decisions.
func (d *Data[X]) Len() int { return len(d.rows) }

// from returns the first row of decision i, cellsFrom the first cell of row r.
func (d *Data[X]) from(i int) int {
	if i == 0 {
		return 0
	}
	return d.rows[i-1]
}

func (d *Data[X]) cellsFrom(r int) int {
	if r == 0 {
		return 0
	}
	return d.cells[r-1]
}

// Chances writes the probabilities of the moves of decision i to p, and returns them with the logarithm
// of the played move's.
func (d *Data[X]) Chances(i int, beta, p []float64) (log float64, _ []float64) {
	p = p[:0]
	most := math.Inf(-1)
	for r := d.from(i); r < d.rows[i]; r++ {
		v := 0.0
		for c := d.cellsFrom(r); c < d.cells[r]; c++ {
			v += beta[d.column[c]] * float64(d.x[c])
		}
		p, most = append(p, v), max(most, v)
	}
	log, sum := p[d.chosen[i]]-most, 0.0
	for j, v := range p {
		p[j] = math.Exp(v - most)
		sum += p[j]
	}
	for j := range p {
		p[j] /= sum
	}
	return log - math.Log(sum), p
}

// Squares returns the mean over all rows of the squares of each column, about its mean in the decision:
// the scale of a ridge.
func (d *Data[X]) Squares() []float64 {
	squares, mean := make([]float64, d.columns), make([]float64, d.columns)
	for i := range d.rows {
		clear(mean)
		n := float64(d.rows[i] - d.from(i))
		for c := d.cellsFrom(d.from(i)); c < d.cells[d.rows[i]-1]; c++ {
			x := float64(d.x[c])
			mean[d.column[c]] += x / n
			squares[d.column[c]] += x * x
		}
		for j, x := range mean {
			squares[j] -= x * x * n
		}
	}
	for j := range squares {
		squares[j] /= float64(max(len(d.cells), 1))
	}
	return squares
}
