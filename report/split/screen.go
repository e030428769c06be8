package split

import (
	"context"
	"math"
	"math/bits"

	"gonum.org/v1/gonum/mat"

	"kifu/datasets"
)

// verdict is the evidence of one side's games for a condition.
type verdict struct {
	Positions, Games int64
	Wald             float64
	P                float64
	Shift, Slope     float64    // of the logit: one Newton step from the total curve
	Gain             float64    // by which the step raises the log-likelihood, to second order
	SlopeP           float64    // of the slope beside the shift, 1 without such a test
	SlopeGain        float64    // what the slope adds to the shift's gain
	slopeSquare      float64    // t² of the slope beside the shift
	df               float64    // of the variance, see decide
	score            [2]float64 // efficient
	info             square     // of shift and slope, beside f
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
// by one Newton step from the total curve f. Estimate and covariance are those of the
// efficient score: the sum over games of u = s - A·t, where s and t are the game's
// scores of (d, h) and of f's knots, and A takes out what f could explain. All that is
// needed are counts by parts of the axis and second moments of s and t, in one pass.
func (r *reader) screen(ctx context.Context, x *axis, set *conditionSet, side int) ([]verdict, error) {
	only := r.reading(set)
	workers := only.workers()
	tasks := make([]*screener, workers)
	for w := range tasks {
		tasks[w] = newScreener(only, x, set, side)
	}
	sums := newMergedMoments(len(set.all), x.knots)
	err := datasets.Each(ctx, r.dir, workers, "splits: "+[]string{"search", "confirm"}[side], "positions", func(w int, g datasets.Group, emit func(screened) error) error {
		if err := only.read(g, tasks[w].block); err != nil {
			return err
		}
		return emit(tasks[w].run())
	}, func(g screened) error {
		sums.take(g)
		return nil
	})
	if err != nil {
		return nil, err
	}
	sums.finish()
	table := tasks[0].table
	for _, t := range tasks[1:] {
		for i, c := range t.table {
			table[i].n, table[i].won = table[i].n+c.n, table[i].won+c.won
		}
	}
	verdicts := make([]verdict, len(set.all))
	for c := range verdicts {
		verdicts[c] = x.test(side, sums.total, c, table[c*len(x.value):(c+1)*len(x.value)])
	}
	return verdicts, nil
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

// screener is one worker of screen.
type screener struct {
	reader *reader
	axis   *axis
	set    *conditionSet
	side   int
	block  *rowBlock
	table  []outcomes // by condition and part, of all its row groups

	words [][]uint64 // of an atom: which rows of the game it holds for
	rest  []float64  // of a row: won - f
	slope []float64  // the same times the slope's value
	part  []int32
	won   []uint32
	t     []float64
}

func newScreener(r *reader, x *axis, set *conditionSet, side int) *screener {
	k := &screener{reader: r, axis: x, set: set, side: side, table: make([]outcomes, len(set.all)*len(x.value)), words: make([][]uint64, len(set.atoms)), t: make([]float64, x.knots)}
	if r.dir != nil { // nil: tests bring a block
		k.block = r.block()
	}
	return k
}

// run returns the sums of the block's games of the side.
func (k *screener) run() screened {
	out := screened{whole: newMoments(len(k.set.all), k.axis.knots)}
	last := len(k.block.games) - 1
	for i, g := range k.block.games {
		if g.side != k.side {
			continue
		}
		k.game(g)
		if i > 0 && i < last {
			k.eachCondition(func(c int, s0, s1 float64, n int32) { out.whole.addCondition(c, s0, s1, n, k.t) })
			out.whole.addGame(k.t)
			continue
		}
		open := &scores{id: g.id, s: make([]float64, 2*len(k.set.all)), n: make([]int32, len(k.set.all)), t: append([]float64(nil), k.t...)}
		k.eachCondition(func(c int, s0, s1 float64, n int32) { open.s[2*c], open.s[2*c+1], open.n[c] = s0, s1, n })
		if i == 0 {
			out.first = open
		} else {
			out.last = open
		}
	}
	return out
}

// game makes the game's rows ready: what is left of their results, and the atoms.
func (k *screener) game(g gameRows) {
	k.rest, k.slope, k.part, k.won = k.rest[:0], k.slope[:0], k.part[:0], k.won[:0]
	clear(k.t)
	chance := k.axis.chance[k.side]
	for i := g.from; i < g.to; i++ {
		part := k.axis.part(fineOf(k.block.value[i], k.axis.bin))
		rest := float64(k.block.won[i])/2 - chance[part]
		h := k.axis.hats[part]
		k.t[h.knot] += h.left * rest
		k.t[h.knot+1] += h.right * rest
		k.rest, k.slope = append(k.rest, rest), append(k.slope, rest*k.axis.slope[part])
		k.part, k.won = append(k.part, int32(part)), append(k.won, uint32(k.block.won[i]))
	}
	k.atoms(g)
}

// atoms says of every atom in which of the game's rows it holds.
func (k *screener) atoms(g gameRows) {
	for a := range k.set.atoms {
		k.words[a] = k.holds(k.words[a][:0], &k.set.atoms[a], g)
	}
}

// holdsAt says whether a condition holds in a row of the game that was made ready.
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

// eachCondition calls f with the game's score of every condition that holds anywhere in
// it, and counts its positions.
func (k *screener) eachCondition(f func(c int, s0, s1 float64, n int32)) {
	parts := len(k.axis.value)
	for c := range k.set.all {
		atoms := k.set.all[c].atoms
		words := k.words[atoms[0]]
		var others []uint64
		if atoms[1] >= 0 {
			others = k.words[atoms[1]]
		}
		table := k.table[c*parts : (c+1)*parts]
		s0, s1, n := 0.0, 0.0, 0
		for w, word := range words {
			if others != nil {
				word &= others[w]
			}
			n += bits.OnesCount64(word)
			for ; word != 0; word &= word - 1 {
				i := w<<6 + bits.TrailingZeros64(word)
				s0 += k.rest[i]
				s1 += k.slope[i]
				cell := &table[k.part[i]]
				cell.n++
				cell.won += k.won[i]
			}
		}
		if n > 0 {
			f(c, s0, s1, int32(n))
		}
	}
}
