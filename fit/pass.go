package fit

import (
	"slices"
	"sync"
	"sync/atomic"
)

// inOrder runs work(worker, i) for every i below n on some goroutines, and merge for
// each i in ascending order, one at a time. Sums that are taken in merge are therefore
// the same to the bit for any number of workers.
func inOrder(workers, n int, work, merge func(worker, i int)) {
	workers = max(1, min(workers, n))
	var next atomic.Int64
	var mu sync.Mutex
	turn := 0
	moved := sync.NewCond(&mu)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				work(w, i)
				mu.Lock()
				for turn != i {
					moved.Wait()
				}
				merge(w, i)
				turn++
				moved.Broadcast()
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

// tables holds, for every stage, a number for each atom: weight times value on the way
// in, and the sum of the rows' derivatives on the way out.
type tables [][]float64

func (r *rows) newTables() tables {
	t := make(tables, r.d.stages)
	for s := range t {
		t[s] = make([]float64, len(r.atoms))
	}
	return t
}

// weights fills t with each atom's part of a score under theta.
func (r *rows) weights(theta []float64, t tables) {
	for s, column := range t {
		for code, a := range r.atoms {
			column[code] = theta[r.d.slots[a.slot].params[s]] * a.value
		}
	}
}

// denseWeights is theta for the dense columns.
func (r *rows) denseWeights(theta []float64) []float64 {
	out := make([]float64, len(r.d.dense))
	for i, s := range r.d.dense {
		out[i] = theta[r.d.slots[s].params[0]]
	}
	return out
}

// scorer computes the scores z of rows under one theta.
type scorer struct {
	r     *rows
	tab   tables
	dense []float64
	scale float64
}

func (r *rows) scorer(theta []float64) *scorer {
	s := &scorer{r: r, tab: r.newTables(), dense: r.denseWeights(theta), scale: theta[r.d.scale()]}
	r.weights(theta, s.tab)
	return s
}

// scores appends the score of each row of b to dst.
func (s *scorer) scores(b *block, dst []float64) []float64 {
	if b.narrow != nil {
		dst = scores(s, b, b.narrow, dst)
	} else {
		dst = scores(s, b, b.wide, dst)
	}
	if k := len(s.dense); k > 0 {
		for i := range dst {
			for j, v := range b.dense[i*k : (i+1)*k] {
				dst[i] += s.dense[j] * float64(v)
			}
		}
	}
	return dst
}

func scores[C uint16 | uint32](s *scorer, b *block, codes []C, dst []float64) []float64 {
	from := uint32(0)
	for i, end := range b.ends {
		c := s.r.d.classes[b.class[i]]
		ta := s.tab[c.a]
		za := 0.0
		if c.mb == 0 {
			for _, code := range codes[from:end] {
				za += ta[code]
			}
			za *= c.ma
		} else {
			tb := s.tab[c.b][:len(ta)]
			zb := 0.0
			for _, code := range codes[from:end] {
				za += ta[code]
				zb += tb[code]
			}
			za = c.ma*za + c.mb*zb
		}
		dst = append(dst, za+s.scale*float64(b.value[i]))
		from = end
	}
	return dst
}

// gather adds the derivatives d of b's rows by their scores to the tables, and to the
// parameters that have no atoms.
func (r *rows) gather(b *block, d []float64, t tables, grad []float64) {
	if b.narrow != nil {
		gather(r, b, b.narrow, d, t)
	} else {
		gather(r, b, b.wide, d, t)
	}
	k := len(r.d.dense)
	sum := 0.0
	for i, di := range d {
		sum += di * float64(b.value[i])
		for j, s := range r.d.dense {
			grad[r.d.slots[s].params[0]] += di * float64(b.dense[i*k+j])
		}
	}
	grad[r.d.scale()] += sum
}

func gather[C uint16 | uint32](r *rows, b *block, codes []C, d []float64, t tables) {
	from := uint32(0)
	for i, end := range b.ends {
		c := r.d.classes[b.class[i]]
		ta := t[c.a]
		da := d[i] * c.ma
		if c.mb == 0 {
			for _, code := range codes[from:end] {
				ta[code] += da
			}
		} else {
			tb := t[c.b][:len(ta)]
			db := d[i] * c.mb
			for _, code := range codes[from:end] {
				ta[code] += da
				tb[code] += db
			}
		}
		from = end
	}
}

// fold adds the tables' sums to grad and empties them.
func (r *rows) fold(t tables, grad []float64) {
	for s, column := range t {
		for code, a := range r.atoms {
			grad[r.d.slots[a.slot].params[s]] += column[code] * a.value
		}
		clear(column)
	}
}

// pass computes the sum over the rows of the weighted loss at theta and its gradient
// in one walk over the rows.
func (r *rows) pass(l loss, theta []float64, workers int, grad []float64) (f float64) {
	s := r.scorer(theta)
	type scratch struct {
		t    tables
		grad []float64
		f    float64
		z, d []float64
	}
	all := make([]scratch, max(1, workers))
	clear(grad)
	inOrder(workers, len(r.chunks), func(w, i int) {
		x := &all[w]
		if x.t == nil {
			x.t, x.grad = r.newTables(), make([]float64, len(grad))
		}
		clear(x.grad)
		x.f = 0
		for _, b := range r.blocks[r.chunks[i].from:r.chunks[i].to] {
			x.z = s.scores(b, x.z[:0])
			x.d = slices.Grow(x.d[:0], len(x.z))[:len(x.z)]
			f, dt := l.sum(x.z, b.y, b.weight, r.d.draw(theta), x.d)
			x.f += f
			if r.d.drawn {
				x.grad[r.d.width()] += dt
			}
			r.gather(b, x.d, x.t, x.grad)
		}
		r.fold(x.t, x.grad)
	}, func(w, i int) {
		f += all[w].f
		for j, g := range all[w].grad {
			grad[j] += g
		}
	})
	return f
}

// eachScore calls f for every block with the scores of its rows, block by block in
// order.
func (r *rows) eachScore(theta []float64, f func(b *block, z []float64)) {
	s := r.scorer(theta)
	var z []float64
	for _, b := range r.blocks {
		z = s.scores(b, z[:0])
		f(b, z)
	}
}
