package report

import (
	"context"
	"math"
	"math/bits"

	"gonum.org/v1/gonum/mat"

	"kifu/datasets"
)

// verdict is what one side's games say of a condition.
type verdict struct {
	Positions, Games int64
	Wald             float64
	P                float64
	Shift, Slope     float64    // of the logit: one Newton step from the total curve
	Gain             float64    // by which the step raises the log-likelihood, to second order
	df               float64    // of the variance, see decide
	score            [2]float64 // efficient
	info             square     // of shift and slope, beside f
	cross            *mat.Dense // with f's knots
	table            []outcomes // by part of the axis
}

// Tested reports whether there is a test.
func (v verdict) Tested() bool { return !math.IsNaN(v.Wald) }

// moments are sums over games of products of their scores: s of a condition and of the
// condition × value, t of the spline.
type moments struct {
	knots      int
	ss         []float64 // s·sᵀ: three a condition
	ts         []float64 // t·sᵀ: 2·knots a condition
	tt         []float64 // knots²
	t          []float64
	games      []int32   // with a position of the condition
	positions  []float64 // of the condition
	squares    []float64 // of its positions in each game
	totalGames int32
}

func newMoments(conditions, knots int) *moments {
	return &moments{knots: knots, ss: make([]float64, 3*conditions), ts: make([]float64, 2*knots*conditions),
		tt: make([]float64, knots*knots), t: make([]float64, knots), games: make([]int32, conditions), positions: make([]float64, conditions), squares: make([]float64, conditions)}
}

// addCondition adds a game's score of condition c.
func (m *moments) addCondition(c int, s0, s1 float64, n int32, t []float64) {
	ss := m.ss[3*c : 3*c+3]
	ss[0] += s0 * s0
	ss[1] += s0 * s1
	ss[2] += s1 * s1
	ts := m.ts[2*m.knots*c : 2*m.knots*(c+1)]
	for j, a := range t {
		ts[2*j] += a * s0
		ts[2*j+1] += a * s1
	}
	m.games[c]++
	m.positions[c] += float64(n)
	m.squares[c] += float64(n) * float64(n)
}

// addGame adds a game's score of the spline.
func (m *moments) addGame(t []float64) {
	for i, a := range t {
		m.t[i] += a
		for j, b := range t {
			m.tt[i*m.knots+j] += a * b
		}
	}
	m.totalGames++
}

func (m *moments) add(o *moments) {
	for _, pair := range [][2][]float64{{m.ss, o.ss}, {m.ts, o.ts}, {m.tt, o.tt}, {m.t, o.t}, {m.positions, o.positions}, {m.squares, o.squares}} {
		for i, x := range pair[1] {
			pair[0][i] += x
		}
	}
	for i, n := range o.games {
		m.games[i] += n
	}
	m.totalGames += o.totalGames
}

// scores are a game's, dense, for games that go on in the next row group.
type scores struct {
	id int64
	s  []float64 // two a condition
	n  []int32   // positions of a condition
	t  []float64
}

func (g *scores) add(o *scores) {
	for i, x := range o.s {
		g.s[i] += x
	}
	for i, n := range o.n {
		g.n[i] += n
	}
	for i, x := range o.t {
		g.t[i] += x
	}
}

func (m *moments) addScores(g *scores) {
	for c, n := range g.n {
		if n > 0 {
			m.addCondition(c, g.s[2*c], g.s[2*c+1], n, g.t)
		}
	}
	m.addGame(g.t)
}

// screened is what a row group gives: the moments of the games that lie in it as a
// whole, and its first and last game, which may go on beyond it. One game alone is the
// first.
type screened struct {
	whole       *moments
	first, last *scores
}

// mergedMoments puts row groups together, in their order.
type mergedMoments struct {
	total *moments
	open  *scores // of the last game so far
}

func newMergedMoments(conditions, knots int) *mergedMoments {
	return &mergedMoments{total: newMoments(conditions, knots)}
}

func (m *mergedMoments) take(g screened) {
	m.total.add(g.whole)
	for _, part := range []*scores{g.first, g.last} {
		switch {
		case part == nil:
		case m.open != nil && m.open.id == part.id:
			m.open.add(part)
		default:
			m.finish()
			m.open = part
		}
	}
}

// finish closes the last game.
func (m *mergedMoments) finish() {
	if m.open != nil {
		m.total.addScores(m.open)
		m.open = nil
	}
}

// screen tests every condition on the games of one side: the Wald test, robust to the
// dependence of positions of a game, of d = h = 0 in
//
//	logit P(win) = f(v) + d·c + h·c·v
//
// by one Newton step from the total curve f. Estimate and covariance are those of the
// efficient score: the sum over games of u = s - A·t, where s and t are the game's
// scores of (d, h) and of f's knots, and A takes out what f could explain. All that is
// needed are counts by parts of the axis and second moments of s and t, in one pass.
func (r *splitReader) screen(ctx context.Context, x *splitAxis, set *conditionSet, side int) ([]verdict, error) {
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
func (r *splitReader) reading(set *conditionSet) *splitReader {
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
	reader *splitReader
	axis   *splitAxis
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

func newScreener(r *splitReader, x *splitAxis, set *conditionSet, side int) *screener {
	return &screener{reader: r, axis: x, set: set, side: side, block: r.block(),
		table: make([]outcomes, len(set.all)*len(x.value)), words: make([][]uint64, len(set.atoms)), t: make([]float64, x.knots)}
}

// run is what the block's games of the side add.
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
	for a := range k.set.atoms {
		k.words[a] = k.holds(k.words[a][:0], &k.set.atoms[a], g)
	}
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
