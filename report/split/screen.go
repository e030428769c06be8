package split

import (
	"context"
	"math"
	"math/bits"

	"gonum.org/v1/gonum/mat"

	"kifu/internal/lists"
)

// verdict is the evidence of one side's games for a condition.
type verdict struct {
	Positions, Games int64
	Wald             float64
	P                float64
	Shift, Slope     float64    // of the logit: one Newton step from the total curve
	Gain             float64    // by which the step raises the log-likelihood, to second order
	SlopeP           float64    // of the slope given the shift, 1 without such a test
	SlopeGain        float64    // what the slope adds to the shift's gain
	slopeSquare      float64    // t² of the slope given the shift
	df               float64    // of the variance, see decide
	score            [2]float64 // efficient
	info             square     // of shift and slope, given f
	cross            *mat.Dense // with f's knots
	table            []outcomes // by part of the axis
}

// Tested reports whether there is a test.
func (v verdict) Tested() bool { return !math.IsNaN(v.Wald) }

// screen tests every condition on the games of one side: the Wald test, robust to the
// dependence of positions of a game, of d = h = 0 in
//
//	logit P(win) = f(v) + d·c + h·c·v
//
// by one Newton step from the total curve f. Estimate and covariance come from the efficient score: the
// sum over games of u = s - A·t, where s and t are the game's scores of (d, h) and of f's knots, and A
// removes the part that f could explain. It needs only counts by parts of the axis and second moments
// of s and t, in one pass.
func (r *reader) screen(ctx context.Context, x *axis, set *conditionSet, side int) ([]verdict, error) {
	only := r.reading(set)
	tasks := lists.N(only.workers()+1, func(int) *screener { return newScreener(only, x, set, side) })
	sums := newMoments(len(set.all), x.knots)
	err := eachBlock(ctx, only, "splits: "+[]string{"search", "confirm"}[side], func(w int, b *rowBlock) *moments {
		tasks[w].block = b
		return tasks[w].run()
	}, sums.add)
	if err != nil {
		return nil, err
	}
	table := tasks[0].outcomes()
	for _, t := range tasks[1:] {
		addCells(table, t.outcomes())
	}
	return lists.N(len(set.all), func(c int) verdict { return x.test(side, sums, c, table[c*len(x.value):(c+1)*len(x.value)]) }), nil
}

// reading is r with no more columns than the conditions need.
func (r *reader) reading(set *conditionSet) *reader {
	only := *r
	only.wanted = make([]bool, len(r.columns))
	for _, a := range set.atoms {
		if a.given < 0 {
			only.wanted[a.column] = true
		}
	}
	return &only
}

// screener is one worker of screen, or of another pass over the same conditions.
type screener struct {
	reader *reader
	axis   *axis
	set    *conditionSet
	side   int
	block  *rowBlock

	words [][]uint64 // of an atom: which rows of the game, or of the block's games, it holds for

	// Of a game that was made ready alone:
	table []outcomes // by condition and part
	part  []int32
	won   []uint32

	// Of all games of a block:
	games  []readyGame
	keys   []uint16 // of a row, at the place of its bit
	worth  []worth  // by key
	counts []uint32 // by condition and key, of all blocks
}

func newScreener(r *reader, x *axis, set *conditionSet, side int) *screener {
	k := &screener{reader: r, axis: x, set: set, side: side, words: make([][]uint64, len(set.atoms))}
	if r.dir != nil { // nil: tests bring a block
		k.block = r.block()
	}
	return k
}

// game makes one game's rows ready.
func (k *screener) game(g gameRows) {
	k.part, k.won = k.part[:0], k.won[:0]
	for i := g.from; i < g.to; i++ {
		k.part = append(k.part, int32(k.axis.part(fineOf(k.block.value[i], k.axis.bin))))
		k.won = append(k.won, uint32(k.block.won[i]))
	}
	k.atoms(g)
}

// atoms marks for every atom the game's rows in which it holds.
func (k *screener) atoms(g gameRows) {
	for a := range k.set.atoms {
		k.words[a] = k.holds(k.words[a][:0], &k.set.atoms[a], g)
	}
}

// holdsAt reports whether a condition holds in a row of the game that was made ready.
func (k *screener) holdsAt(c, row int) bool {
	for _, a := range k.set.all[c].atoms {
		if a >= 0 && k.words[a][row>>6]>>(row&63)&1 == 0 {
			return false
		}
	}
	return true
}

// holds appends the game's rows that a holds for, as bits. A value that is not a number
// fulfils no comparison.
func (k *screener) holds(words []uint64, a *atom, g gameRows) []uint64 {
	var values []float64
	if a.given < 0 {
		values = k.block.columns[a.column][g.from:g.to]
	}
	for from := g.from; from < g.to; from += 64 {
		word := uint64(0)
		to := min(from+64, g.to)
		if a.given >= 0 {
			for i, row := range k.block.number[from:to] {
				if k.reader.given[a.given].has(row) {
					word |= 1 << i
				}
			}
		} else {
			word = compare(values[from-g.from:to-g.from], a.op, a.at)
		}
		words = append(words, word)
	}
	return words
}

// compare has the bit of every value, at most 64, that the comparison holds for.
func compare(values []float64, op comparison, at float64) (word uint64) {
	bit := func(yes bool) uint64 {
		if yes {
			return 1
		}
		return 0
	}
	switch op {
	case atLeast:
		for i, x := range values {
			word |= bit(x >= at) << (i & 63)
		}
	case atMost:
		for i, x := range values {
			word |= bit(x <= at) << (i & 63)
		}
	default:
		for i, x := range values {
			word |= bit(x == at) << (i & 63)
		}
	}
	return word
}

// count counts the positions of every condition in the game that was made ready.
func (k *screener) count() {
	parts := len(k.axis.value)
	for c := range k.set.all {
		first, second := k.bits(c)
		table := k.table[c*parts : (c+1)*parts]
		for w, word := range first {
			for word &= second[w]; word != 0; word &= word - 1 {
				i := w<<6 + bits.TrailingZeros64(word)
				cell := &table[k.part[i]]
				cell.n++
				cell.won += k.won[i]
			}
		}
	}
}
