// Package clogit fits the conditional logit (McFadden, "Conditional Logit Analysis of
// Qualitative Choice Behavior", 1974) to many decisions with few sparse features:
//
//	P(move i) = exp(β·x_i) / Σ_j exp(β·x_j)
//
// by Newton's method, with errors that know which decisions belong to one game. Decisions
// are adjacent in memory and are summed by several workers in a fixed order.
//
// A decision may have a context z of a few numbers (who decides, with how much time). Every feature then has a weight for
// each of them: β·x_i is Σ_f Σ_c β_fc z_c x_if, and β_fc is unknown f·C+c of C numbers. Pairs of features may add to it (Pairs).
//
// The method choice of fit has the same likelihood (losses.ChoiceLogit; a test there compares them) for
// other data: billions of rows on disk, of terms that share weights and have prior ones, whose sums
// cannot be kept as features in memory. No other stage may import it.
package clogit

import (
	"cmp"
	"math"
	"slices"
)

// Number is how features are kept: as float32 where there are many, as float64 where they are no
// whole numbers and few.
type Number interface{ float32 | float64 }

// Data are decisions: rows of features, one row per move.
type Data[X Number] struct {
	columns int
	numbers int // of a context
	context []float32
	group   []int64 // of each decision
	chosen  []int32 // among its rows
	rows    []int   // where the rows of each decision end
	cells   []int   // where the cells of each row end
	column  []uint16
	x       []X
	pairs   Pairs // nil: none
}

// New returns decisions with features in so many columns, and no decision.
func New[X Number](columns int) *Data[X] { return NewIn[X](columns, 1) }

// NewIn is New with contexts of so many numbers.
func NewIn[X Number](columns, numbers int) *Data[X] {
	return &Data[X]{columns: columns, numbers: numbers}
}

// With returns the same decisions, with log-odds to which pairs add (nil: none do). What is added to either may be seen in both.
func (d *Data[X]) With(pairs Pairs) *Data[X] {
	o := *d
	o.pairs = pairs
	return &o
}

// Unknowns returns the number of weights.
func (d *Data[X]) Unknowns() int { return d.columns * d.numbers }

// Add adds a feature to the row that is being written.
func (d *Data[X]) Add(column int, x float64) {
	if x != 0 {
		d.column, d.x = append(d.column, uint16(column)), append(d.x, X(x))
	}
}

// EndRow ends the row of a move. Its columns ascend then; features added to one column are one feature.
func (d *Data[X]) EndRow() {
	from := d.cellsFrom(len(d.cells))
	for i := from + 1; i < len(d.column); i++ {
		if d.column[i] <= d.column[i-1] {
			d.tidy(from)
			break
		}
	}
	d.cells = append(d.cells, len(d.column))
}

// tidy sorts the cells from one on, and joins those of one column.
func (d *Data[X]) tidy(from int) {
	columns, x := slices.Clone(d.column[from:]), slices.Clone(d.x[from:])
	order := make([]int, len(columns))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(columns[a], columns[b]) })
	d.column, d.x = d.column[:from], d.x[:from]
	for _, i := range order {
		if n := len(d.column); n > from && d.column[n-1] == columns[i] {
			d.x[n-1] += x[i]
			continue
		}
		d.column, d.x = append(d.column, columns[i]), append(d.x, x[i])
	}
}

// End ends a decision of a group (a game), in which the move of row chosen was played.
func (d *Data[X]) End(group int64, chosen int) {
	d.group, d.chosen, d.rows = append(d.group, group), append(d.chosen, int32(chosen)), append(d.rows, len(d.cells))
}

// EndIn is End of a decision in a context.
func (d *Data[X]) EndIn(context []float64, group int64, chosen int) {
	d.End(group, chosen)
	for _, z := range context {
		d.context = append(d.context, float32(z))
	}
}

// Append adds the decisions of another, with as many columns and numbers of a context.
func (d *Data[X]) Append(o *Data[X]) {
	cell, row := len(d.column), len(d.cells)
	d.column, d.x = append(d.column, o.column...), append(d.x, o.x...)
	for _, end := range o.cells {
		d.cells = append(d.cells, cell+end)
	}
	for _, end := range o.rows {
		d.rows = append(d.rows, row+end)
	}
	d.group, d.chosen, d.context = append(d.group, o.group...), append(d.chosen, o.chosen...), append(d.context, o.context...)
}

// Beside returns the decisions of the groups that keep accepts without their contexts, with one more column: the log-odds of a
// row by the weights beta.
func (d *Data[X]) Beside(beta []float64, keep func(group int64) bool) *Data[X] {
	o := New[X](d.columns + 1)
	var w []float64
	for i, group := range d.group {
		if !keep(group) {
			continue
		}
		w = d.in(i, beta, w)
		for r := d.from(i); r < d.rows[i]; r++ {
			columns, x := d.row(r)
			for c, column := range columns {
				o.Add(int(column), float64(x[c]))
			}
			o.Add(d.columns, d.odds(r, w))
			o.EndRow()
		}
		o.End(group, int(d.chosen[i]))
	}
	return o
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

// contextOf returns the context of decision i.
func (d *Data[X]) contextOf(i int) []float32 { return d.context[i*d.numbers : (i+1)*d.numbers] }

// in returns the weights of the columns in the context of decision i; w is for them.
func (d *Data[X]) in(i int, beta, w []float64) []float64 {
	if d.numbers == 1 && d.context == nil {
		return beta
	}
	z := d.contextOf(i)
	w = w[:0]
	for f := 0; f < len(beta); f += d.numbers {
		sum := 0.0
		for c, x := range z {
			sum += beta[f+c] * float64(x)
		}
		w = append(w, sum)
	}
	return w
}

// In returns the weights of the columns in the context of decision i.
func (d *Data[X]) In(i int, beta []float64) []float64 { return d.in(i, beta, nil) }

// Chances writes the probabilities of the moves of decision i to p, and returns them with the logarithm
// of the played move's.
func (d *Data[X]) Chances(i int, beta, p []float64) (log float64, _ []float64) {
	return d.chances(i, d.In(i, beta), p)
}

// chances is Chances by the weights of the columns in the decision's context.
func (d *Data[X]) chances(i int, beta, p []float64) (log float64, _ []float64) {
	p = p[:0]
	for r := d.from(i); r < d.rows[i]; r++ {
		p = append(p, d.odds(r, beta))
	}
	return softmax(p, int(d.chosen[i])), p
}

// odds returns the log-odds of a row by the weights of the columns.
func (d *Data[X]) odds(r int, beta []float64) (v float64) {
	columns, x := d.row(r)
	for c, column := range columns {
		v += beta[column] * float64(x[c])
	}
	if d.pairs != nil {
		add, _ := pairsOf(d.pairs, columns, x)
		v += add
	}
	return v
}

// softmax makes chances of log-odds, and returns the logarithm of one.
func softmax(p []float64, chosen int) float64 {
	most, sum := slices.Max(p), 0.0
	log := p[chosen] - most
	for j, v := range p {
		p[j] = math.Exp(v - most)
		sum += p[j]
	}
	for j := range p {
		p[j] /= sum
	}
	return log - math.Log(sum)
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

// Reset leaves no decision, and the memory for the next ones.
func (d *Data[X]) Reset() {
	d.context, d.group, d.chosen, d.rows, d.cells = d.context[:0], d.group[:0], d.chosen[:0], d.rows[:0], d.cells[:0]
	d.column, d.x = d.column[:0], d.x[:0]
}

// Row returns the features of row k of decision i.
func (d *Data[X]) Row(i, k int) (columns []uint16, x []X) { return d.row(d.from(i) + k) }

func (d *Data[X]) row(r int) (columns []uint16, x []X) {
	return d.column[d.cellsFrom(r):d.cells[r]], d.x[d.cellsFrom(r):d.cells[r]]
}
