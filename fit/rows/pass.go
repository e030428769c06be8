package rows

import (
	"slices"

	"kifu/fit/losses"
	"kifu/internal/panels"
)

// Tables holds, for every stage, a number for each atom: weight times value on the way
// in, and the sum of the rows' derivatives on the way out.
type Tables struct {
	columns [][]float64   // by stage; nil with up to two stages
	pairs   []panels.Pair // by atom: the numbers of two stages, of which the second may not be there
}

// NewTables returns tables of zeros.
func (r *Store) NewTables() (t Tables) {
	if r.Design.stages <= len(panels.Pair{}) {
		t.pairs = make([]panels.Pair, len(r.atoms))
		return t
	}
	t.columns = make([][]float64, r.Design.stages)
	for s := range t.columns {
		t.columns[s] = make([]float64, len(r.atoms))
	}
	return t
}

// set sets the number of an atom in a stage.
func (t Tables) set(stage int, code uint32, v float64) {
	if t.columns == nil {
		t.pairs[code][stage] = v
	} else {
		t.columns[stage][code] = v
	}
}

// weights fills t with each atom's part of a score under theta.
func (r *Store) weights(theta []float64, t Tables) {
	for code, a := range r.atoms {
		for s, param := range r.Design.slots[a.slot].params {
			t.set(s, uint32(code), theta[param]*a.value)
		}
	}
}

// pairRows is the number of rows whose pairs are made at a time.
const pairRows = 128

// denseWeights returns theta of the dense columns.
func (r *Store) denseWeights(theta []float64) []float64 {
	out := make([]float64, len(r.Design.dense))
	for i, s := range r.Design.dense {
		out[i] = theta[r.Design.slots[s].params[0]]
	}
	return out
}

// Scorer computes the scores z of rows under one theta.
type Scorer struct {
	r     *Store
	tab   Tables
	dense []float64
	scale float64
	alone bool // the weights of all codes are 0
}

// Scorer returns a scorer of the rows of r under theta.
func (r *Store) Scorer(theta []float64) *Scorer {
	s := &Scorer{r: r, tab: r.NewTables(), dense: r.denseWeights(theta), scale: theta[r.Design.Scale()]}
	s.alone = !slices.ContainsFunc(theta[:r.Design.Scale()], func(w float64) bool { return w != 0 })
	r.weights(theta, s.tab)
	return s
}

// Scores appends the score of each row of b to dst.
func (s *Scorer) Scores(b *Block, dst []float64) []float64 { return s.Some(b, Span{0, b.Rows()}, dst) }

// Some is Scores of some rows.
func (s *Scorer) Some(b *Block, some Span, dst []float64) []float64 {
	begun := len(dst)
	switch {
	case s.alone:
		for _, v := range b.Value[some.From:some.To] {
			dst = append(dst, s.scale*float64(v))
		}
	case s.tab.columns == nil:
		dst = s.pairScores(b, some, dst)
	default:
		dst = s.scores(b, some, dst)
	}
	if k := len(s.dense); k > 0 {
		for i := some.From; i < some.To; i++ {
			for j, v := range b.dense[i*k : (i+1)*k] {
				dst[begun+i-some.From] += s.dense[j] * float64(v)
			}
		}
	}
	return dst
}

func (s *Scorer) scores(b *Block, some Span, dst []float64) []float64 {
	for i := some.From; i < some.To; i++ {
		c := s.r.Design.classes[b.class[i]]
		ta := s.tab.columns[c.a]
		za := 0.0
		if c.mb == 0 {
			for code := range b.row(i) {
				za += ta[code]
			}
			za *= c.ma
		} else {
			tb := s.tab.columns[c.b][:len(ta)]
			zb := 0.0
			for code := range b.row(i) {
				za += ta[code]
				zb += tb[code]
			}
			za = c.ma*za + c.mb*zb
		}
		dst = append(dst, za+s.scale*float64(b.Value[i]))
	}
	return dst
}

// pairScores is scores with up to two stages.
func (s *Scorer) pairScores(b *Block, some Span, dst []float64) []float64 {
	var sums [pairRows]panels.Pair
	for from := some.From; from < some.To; from += pairRows {
		to := min(from+pairRows, some.To)
		panels.SumPairs(sums[:], b.start(from), b.ends[from:to], b.gaps, b.atoms, s.tab.pairs)
		for i := from; i < to; i++ {
			c, sum := &s.r.Design.classes[b.class[i]], &sums[i-from]
			z := sum[c.a&1] * c.ma
			if c.mb != 0 {
				z += c.mb * sum[c.b&1]
			}
			dst = append(dst, z+s.scale*float64(b.Value[i]))
		}
	}
	return dst
}

// Gather adds the derivatives d of b's rows by their scores to the tables, and to the
// parameters that have no atoms.
func (r *Store) Gather(b *Block, d []float64, t Tables, grad []float64) {
	if t.columns == nil {
		r.gatherPairs(b, d, t.pairs)
	} else {
		r.gather(b, d, t.columns)
	}
	k := len(r.Design.dense)
	sum := 0.0
	for i, di := range d {
		sum += di * float64(b.Value[i])
		for j, s := range r.Design.dense {
			grad[r.Design.slots[s].params[0]] += di * float64(b.dense[i*k+j])
		}
	}
	grad[r.Design.Scale()] += sum
}

func (r *Store) gather(b *Block, d []float64, t [][]float64) {
	for i := range d {
		c := r.Design.classes[b.class[i]]
		ta := t[c.a]
		da := d[i] * c.ma
		if c.mb == 0 {
			for code := range b.row(i) {
				ta[code] += da
			}
		} else {
			tb := t[c.b][:len(ta)]
			db := d[i] * c.mb
			for code := range b.row(i) {
				ta[code] += da
				tb[code] += db
			}
		}
	}
}

// gatherPairs is gather with up to two stages.
func (r *Store) gatherPairs(b *Block, d []float64, t []panels.Pair) {
	var rows [pairRows]panels.Pair
	for from := 0; from < len(d); from += pairRows {
		to := min(from+pairRows, len(d))
		for i := from; i < to; i++ {
			c, row := &r.Design.classes[b.class[i]], &rows[i-from]
			*row = panels.Pair{}
			row[c.b&1] = d[i] * c.mb
			row[c.a&1] = d[i] * c.ma // last: without a second stage b is a
		}
		panels.AddPairs(rows[:], b.start(from), b.ends[from:to], b.gaps, b.atoms, t)
	}
}

// Fold adds the tables' sums to grad and empties them. Atoms are added by slot and value: a
// store with some of the rows has other atoms, in other places, and the same sums.
func (r *Store) Fold(t Tables, grad []float64) {
	for s := range r.Design.stages {
		for _, code := range r.order {
			a := r.atoms[code]
			sum := 0.0
			if t.columns == nil {
				sum = t.pairs[code][s]
			} else {
				sum = t.columns[s][code]
			}
			grad[r.Design.slots[a.slot].params[s]] += sum * a.value
		}
	}
	clear(t.pairs)
	for _, column := range t.columns {
		clear(column)
	}
}

// Pass computes the sum over the rows of the weighted loss at theta and its gradient
// in one walk over the rows.
func (r *Store) Pass(l losses.Loss, theta []float64, workers int, grad []float64) (f float64) {
	r = r.Counted(workers)
	var total tree
	if !r.asked(l, theta, &total) {
		r.pass(l, theta, Span{0, len(r.Chunks)}, workers, &total)
	}
	sum := make([]float64, len(grad)+1)
	total.sum(sum)
	copy(grad, sum)
	return sum[len(grad)]
}

// pass adds the gradient of each of some chunks, and last its loss, to total.
func (r *Store) pass(l losses.Loss, theta []float64, chunks Span, workers int, total *tree) {
	s := r.Scorer(theta)
	type scratch struct {
		t    Tables
		grad []float64 // and last the loss
		z, d []float64
	}
	all, n := make([]scratch, max(1, workers)), len(theta)
	r.Merge(workers, chunks.To-chunks.From, func(w, i int) {
		x := &all[w]
		if x.grad == nil {
			x.t, x.grad = r.NewTables(), make([]float64, n+1)
		}
		clear(x.grad)
		chunk := r.Chunks[chunks.From+i]
		for _, b := range r.Blocks[chunk.From:chunk.To] {
			x.z = s.Scores(b, x.z[:0])
			x.d = slices.Grow(x.d[:0], len(x.z))[:len(x.z)]
			f, dt := l.Sum(x.z, b.Y, b.Weight, r.Design.Draw(theta), x.d)
			x.grad[n] += f
			if r.Design.Drawn {
				x.grad[r.Design.Width()] += dt
			}
			r.Gather(b, x.d, x.t, x.grad)
		}
		r.Fold(x.t, x.grad)
	}, func(w, i int) {
		total.add(all[w].grad)
	})
}

// tree adds up vectors as a binary tree whose leaves are the vectors in order. The chunks of each aligned
// stretch of 2^k are added to each other first, so a reader that has a whole stretch can add it up alone.
type tree struct {
	levels [][]float64 // the sum of 2^k vectors that wait for the next so many
	full   []bool
	carry  []float64
}

// add adds v, which is the caller's again.
func (t *tree) add(v []float64) { t.addAt(0, v) }

// addAt adds the sum of 2^k vectors, of which each earlier stretch of so many is full.
func (t *tree) addAt(k int, v []float64) {
	t.carry = append(t.carry[:0], v...)
	for ; ; k++ {
		for k >= len(t.levels) {
			t.levels, t.full = append(t.levels, make([]float64, len(v))), append(t.full, false)
		}
		if !t.full[k] {
			copy(t.levels[k], t.carry)
			t.full[k] = true
			return
		}
		for i, x := range t.levels[k] {
			t.carry[i] = x + t.carry[i]
		}
		t.full[k] = false
	}
}

// sum overwrites dst with the sum of all: what waits is added from the last stretch, which is
// the shortest, to the first.
func (t *tree) sum(dst []float64) {
	clear(dst)
	for k, full := range t.full {
		if !full {
			continue
		}
		for i, x := range t.levels[k] {
			dst[i] = x + dst[i]
		}
	}
}

// EachScore calls f for every block with the scores of its rows, block by block in
// order.
func (r *Store) EachScore(theta []float64, f func(b *Block, z []float64)) {
	s := r.Scorer(theta)
	var z []float64
	for _, b := range r.Blocks {
		z = s.Scores(b, z[:0])
		f(b, z)
	}
}

// Derivatives overwrites d with the derivatives of each row's weighted loss by its score, and with a draw width appends those
// by it to dt.
func (r *Store) Derivatives(l losses.Loss, b *Block, z []float64, t float64, d, dt []float64) (byScore, byWidth []float64) {
	d = slices.Grow(d[:0], len(z))[:len(z)]
	l.Sum(z, b.Y, b.Weight, t, d)
	if !r.Design.Drawn {
		return d, dt
	}
	for i, zi := range z {
		dt = append(dt, b.WeightOf(i)*l.At(zi, float64(b.Y[i]), t).T)
	}
	return d, dt
}
