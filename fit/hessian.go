package fit

import (
	"gonum.org/v1/gonum/mat"
)

// hessian returns Σ w·c·x·xᵀ over the rows, x being a row of the design with the value
// e(p) last, w its weight, and c the chosen curvature of l at theta. With a draw width
// there is one more line, of the second derivatives by it.
//
// Rows of one stage mix are summed slot by slot, as if there were no stages; the mix
// is multiplied in once at the end. That makes one addition of a pair of features
// where summing by parameter makes four.
func (r *rows) hessian(theta []float64, l loss, curvature func(local) float64, workers int) *mat.SymDense {
	if d, of := l.(decisionLoss); of {
		return r.decisionHessian(theta, d, workers)
	}
	h := mat.NewSymDense(r.d.size(), nil)
	s := r.scorer(theta)
	curve := make([][]float64, len(r.blocks)) // of each row
	cross := make([][]float64, max(1, workers))
	inOrder(workers, len(r.chunks), func(w, i int) {
		var t tables
		if r.d.drawn {
			t, cross[w] = r.newTables(), make([]float64, r.d.size())
		}
		var z, zt []float64
		for j := r.chunks[i].from; j < r.chunks[i].to; j++ {
			b := r.blocks[j]
			z = s.scores(b, z[:0])
			curve[j] = make([]float64, len(z))
			if !r.d.drawn {
				curves(l, b, z, curvature, curve[j])
				continue
			}
			zt = zt[:0]
			for row, zi := range z {
				at, weight := l.at(zi, float64(b.y[row]), r.d.draw(theta)), b.weightOf(row)
				curve[j][row] = weight * curvature(at)
				zt = append(zt, weight*at.zt)
				cross[w][r.d.width()] += weight * at.tt
			}
			r.gather(b, zt, t, cross[w])
		}
		if r.d.drawn {
			r.fold(t, cross[w])
		}
	}, func(w, _ int) {
		for p, v := range cross[w] {
			h.SetSym(p, r.d.width(), h.At(p, r.d.width())+v)
		}
	})

	r.products(curve, workers, h)
	return h
}

// products adds Σ c·x·xᵀ over the rows to the upper half of h, c being the row's number
// in curve.
func (r *rows) products(curve [][]float64, workers int, h *mat.SymDense) {
	n := len(r.d.slots) + 1 // the value is a slot too, the last
	units := r.units()
	sums := make([][]float64, max(1, workers))
	inOrder(workers, len(units), func(w, i int) {
		if sums[w] == nil {
			sums[w] = make([]float64, n*(n+1)/2)
		}
		clear(sums[w])
		r.pairs(units[i], curve, sums[w])
	}, func(w, i int) {
		r.spread(r.d.classes[units[i].class], sums[w], n, h)
	})
}

// curves overwrites dst with the weighted curvature of each row, whose scores are z.
func curves(l loss, b *block, z []float64, curvature func(local) float64, dst []float64) {
	if _, simple := l.(logistic); simple {
		// The derivative is w·(g-y), and is made faster than at.
		l.sum(z, b.y, b.weight, 0, dst)
		for i, d := range dst {
			w := b.weightOf(i)
			g := d/w + float64(b.y[i])
			dst[i] = w * g * (1 - g)
		}
		return
	}
	for i, zi := range z {
		dst[i] = b.weightOf(i) * curvature(l.at(zi, float64(b.y[i]), 0))
	}
}

// unit is a share of the work: the rows of one class in some blocks.
type unit struct {
	class  uint16
	blocks span
}

// units cuts the rows of every class into stretches of about equal work.
func (r *rows) units() []unit {
	const parts = 16
	count := make([]int, len(r.d.classes))
	for _, b := range r.blocks {
		for _, c := range b.class {
			count[c]++
		}
	}
	var out []unit
	for c, n := range count {
		if n == 0 {
			continue
		}
		pieces := max(1, min(len(r.blocks), parts*n/r.n))
		for i := range pieces {
			out = append(out, unit{uint16(c), span{i * len(r.blocks) / pieces, (i + 1) * len(r.blocks) / pieces}})
		}
	}
	return out
}

// triangle is the place of line s in a lower triangle that is stored line by line.
func triangle(s int32) int { return int(s) * int(s+1) / 2 }

// pairs adds curve·x_i·x_j of the unit's rows to a triangle of slots.
func (r *rows) pairs(u unit, curve [][]float64, sum []float64) {
	at, x := make([]int32, len(r.d.slots)+1), make([]float64, len(r.d.slots)+1)
	for j := u.blocks.from; j < u.blocks.to; j++ {
		b := r.blocks[j]
		for i, class := range b.class {
			if class != u.class {
				continue
			}
			n := r.counts(b, i, at, x)
			c := curve[j][i]
			for p, s := range at[:n] {
				cx := c * x[p]
				from := triangle(s)
				line := sum[from : from+int(s)+1]
				// Slots ascend, so that those up to p are the ones in the line.
				xs := x[:p+1]
				for q, t := range at[:p+1] {
					line[t] += cx * xs[q]
				}
			}
		}
	}
}

// spread adds a sum by slots to the sum by parameters, under the stage mix c.
func (r *rows) spread(c class, sum []float64, n int, h *mat.SymDense) {
	type part struct {
		param int
		share float64
	}
	// Each slot's parameters; the value is a slot with one parameter.
	parts := make([][]part, n)
	for s := range r.d.slots {
		r.d.each(s, c, func(p int, share float64) { parts[s] = append(parts[s], part{p, share}) })
	}
	parts[n-1] = []part{{r.d.scale(), 1}}
	raw := h.RawSymmetric()
	for s := range n {
		line := sum[triangle(int32(s)):][:s+1]
		for t, v := range line {
			if v == 0 {
				continue
			}
			for _, q := range parts[s] {
				for _, p := range parts[t] {
					if p.param <= q.param {
						raw.Data[p.param*raw.Stride+q.param] += v * p.share * q.share
					}
				}
			}
		}
	}
}
