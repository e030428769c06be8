package fit

import (
	"gonum.org/v1/gonum/mat"
)

// hessian returns Σ w·c·x·xᵀ over the rows, x being a row of the design with the value
// e(p) last, w its weight, and c the chosen curvature of l at theta.
//
// Rows of one stage mix are summed slot by slot, as if there were no stages; the mix
// is multiplied in once at the end. That makes one addition of a pair of features
// where summing by parameter makes four.
func (r *rows) hessian(theta []float64, l loss, curvature func(local) float64, workers int) *mat.SymDense {
	k := r.d.scale() + 1
	h := mat.NewSymDense(k, nil)
	n := len(r.d.slots) + 1 // the value is a slot too, the last
	s := r.scorer(theta)
	curve := make([][]float64, len(r.blocks)) // of each row
	ordered(workers, len(r.chunks), func(_, i int) {
		var z []float64
		for j := r.chunks[i].from; j < r.chunks[i].to; j++ {
			b := r.blocks[j]
			z = s.scores(b, z[:0])
			curve[j] = make([]float64, len(z))
			for row, zi := range z {
				curve[j][row] = b.weightOf(row) * curvature(l.at(zi, float64(b.y[row])))
			}
		}
	}, func(_, _ int) {})

	units := r.units()
	sums := make([][]float64, max(1, workers))
	ordered(workers, len(units), func(w, i int) {
		if sums[w] == nil {
			sums[w] = make([]float64, n*n)
		}
		clear(sums[w])
		r.pairs(units[i], curve, n, sums[w])
	}, func(w, i int) {
		r.spread(r.d.classes[units[i].class], sums[w], n, h)
	})
	return h
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

// pairs adds curve·x_i·x_j of the unit's rows to the upper half of the n by n matrix.
func (r *rows) pairs(u unit, curve [][]float64, n int, sum []float64) {
	var at []int32
	var x []float64
	for j := u.blocks.from; j < u.blocks.to; j++ {
		b := r.blocks[j]
		for i, class := range b.class {
			if class != u.class {
				continue
			}
			at, x = r.counts(b, i, at[:0], x[:0])
			c := curve[j][i]
			for p, s := range at {
				line := sum[int(s)*n : (int(s)+1)*n]
				cx := c * x[p]
				rest := x[p:]
				for q, t := range at[p:] {
					line[t] += cx * rest[q]
				}
			}
		}
	}
}

// spread adds a sum by slots to the sum by parameters, under the stage mix c.
func (r *rows) spread(c class, sum []float64, n int, h *mat.SymDense) {
	d := r.d
	each := func(s int, f func(param int, share float64)) {
		if s == n-1 {
			f(d.scale(), 1)
			return
		}
		d.each(s, c, f)
	}
	raw := h.RawSymmetric()
	for s := range n {
		for t := s; t < n; t++ {
			v := sum[s*n+t]
			if v == 0 {
				continue
			}
			each(s, func(p int, mp float64) {
				each(t, func(q int, mq float64) {
					if p <= q {
						raw.Data[p*raw.Stride+q] += v * mp * mq
					}
				})
			})
		}
	}
}
