package sparse

import (
	"kifu/fit/losses"
	"kifu/internal/ordered"
)

// passes walks over the rows of a store, lane by lane.
type passes struct {
	*Store
	loss    losses.Loss
	workers int
	sums    [][]float64 // by lane, a number per weight
	z, d, q []float64   // by row: the score, and the first and second derivative of the loss
	step    []float64   // by row: how the score changes
	u       []float64   // by row: scratch
}

func newPasses(s *Store, l losses.Loss, workers int) *passes {
	p := &passes{Store: s, loss: l, workers: max(1, workers)}
	for range s.lanes {
		p.sums = append(p.sums, make([]float64, s.Weights))
	}
	for _, column := range []*[]float64{&p.z, &p.d, &p.q, &p.step, &p.u} {
		*column = make([]float64, s.Rows)
	}
	return p
}

// overLanes runs work for every block, the blocks of a lane in their order.
func (p *passes) overLanes(work func(lane int, b *block)) {
	ordered.Each(p.workers, len(p.lanes), func(_, lane int) {
		for _, b := range p.blocks[p.lanes[lane].from:p.lanes[lane].to] {
			work(lane, b)
		}
	})
}

// total adds the lanes' sums up into dst and empties them.
func (p *passes) total(dst []float64) {
	const stretch = 1 << 14
	ordered.Each(p.workers, (len(dst)+stretch-1)/stretch, func(_, i int) {
		from, to := i*stretch, min(len(dst), (i+1)*stretch)
		clear(dst[from:to])
		for _, sum := range p.sums {
			for j, v := range sum[from:to] {
				dst[from+j] += v
			}
			clear(sum[from:to])
		}
	})
}

// scores sets z to the scores at theta.
func (p *passes) scores(theta []float64) {
	p.overLanes(func(_ int, b *block) {
		z := p.z[b.first:][:b.rows()]
		b.gather(theta, z)
		for i, v := range b.off {
			z[i] += float64(v)
		}
	})
}

// curve sets d and q to the derivatives at z, and returns the loss.
func (p *passes) curve() float64 {
	return p.sumRows(func(b *block, i, row int) float64 {
		at, w := p.loss.At(p.z[row], float64(b.y[i]), 0), b.weightOf(i)
		p.d[row], p.q[row] = w*at.D, w*at.Positive
		return w * at.F
	})
}

// lossAt returns the loss at z + t·step.
func (p *passes) lossAt(t float64) float64 {
	return p.sumRows(func(b *block, i, row int) float64 {
		return b.weightOf(i) * p.loss.At(p.z[row]+t*p.step[row], float64(b.y[i]), 0).F
	})
}

// sumRows adds up f of all rows.
func (p *passes) sumRows(f func(b *block, i, row int) float64) float64 {
	sums := make([]float64, len(p.lanes))
	p.overLanes(func(lane int, b *block) {
		sum := 0.0
		for i := range b.y {
			sum += f(b, i, b.first+i)
		}
		sums[lane] += sum
	})
	total := 0.0
	for _, v := range sums {
		total += v
	}
	return total
}

// diagonal sets dst to Σ_i q_i x_ij²: the curvature in each weight, where a row has it once;
// else what serves as one.
func (p *passes) diagonal(dst []float64) {
	p.overLanes(func(lane int, b *block) { b.squares(p.q[b.first:][:b.rows()], p.sums[lane]) })
	p.total(dst)
}

// transpose sets dst to Σ_i v_i x_i.
func (p *passes) transpose(v, dst []float64) {
	p.overLanes(func(lane int, b *block) { b.scatter(v[b.first:][:b.rows()], p.sums[lane]) })
	p.total(dst)
}

// product sets dst to Σ_i q_i (x_i·v) x_i and u to x_i·v.
func (p *passes) product(v, dst []float64) {
	p.overLanes(func(lane int, b *block) {
		u, q := p.u[b.first:][:b.rows()], p.q[b.first:][:b.rows()]
		b.gather(v, u)
		var scaled [blockRows]float64
		for i, ui := range u {
			scaled[i] = q[i] * ui
		}
		b.scatter(scaled[:len(u)], p.sums[lane])
	})
	p.total(dst)
}

func (b *block) weightOf(i int) float64 {
	if b.weight == nil {
		return 1
	}
	return float64(b.weight[i])
}

// gather sets z to the products of the rows with theta.
func (b *block) gather(theta, z []float64) {
	from := uint32(0)
	for i, end := range b.ends {
		at := b.at[from:end]
		if b.x != nil {
			x, sum := b.x[from:end], 0.0
			for k, j := range at {
				sum += float64(x[k]) * theta[j]
			}
			z[i], from = sum, end
			continue
		}
		var s0, s1, s2, s3 float64 // four sums do not wait for each other
		for ; len(at) >= 4; at = at[4:] {
			s0 += theta[at[0]]
			s1 += theta[at[1]]
			s2 += theta[at[2]]
			s3 += theta[at[3]]
		}
		for _, j := range at {
			s0 += theta[j]
		}
		z[i], from = (s0+s1)+(s2+s3), end
	}
}

// scatter adds v_i times row i to sum.
func (b *block) scatter(v, sum []float64) {
	from := uint32(0)
	for i, end := range b.ends {
		at, vi := b.at[from:end], v[i]
		if b.x != nil {
			for k, j := range at {
				sum[j] += vi * float64(b.x[int(from)+k])
			}
		} else {
			for _, j := range at {
				sum[j] += vi
			}
		}
		from = end
	}
}

// squares adds v_i times the squares of row i's values to sum.
func (b *block) squares(v, sum []float64) {
	from := uint32(0)
	for i, end := range b.ends {
		for k, j := range b.at[from:end] {
			x := 1.0
			if b.x != nil {
				x = float64(b.x[int(from)+k])
			}
			sum[j] += v[i] * x * x
		}
		from = end
	}
}
