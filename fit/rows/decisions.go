package rows

import (
	"kifu/fit/losses"
)

// Decisions returns the number of decisions.
func (r *Store) Decisions() (n int) {
	for _, b := range r.Blocks {
		for _, y := range b.Y {
			if y == losses.PlayedRow || y == -losses.PlayedRow {
				n++
			}
		}
	}
	return n
}

// Positions returns the number of positions: rows or decisions.
func (r *Store) Positions() int {
	if r.Design.Decided != nil {
		return r.Decisions()
	}
	return r.N
}

// WeighDecisions sets the sum of the weights, the divisor of means, to the sum of the
// sizes of all decisions. With byGame, every game has the same share of it.
func (r *Store) WeighDecisions(byGame bool) {
	r.Weight = 0
	for _, b := range r.Blocks {
		r.Weight += r.gameSize(b, 0, b.Rows())
	}
	if !byGame || r.Weight == 0 {
		return
	}
	r.WeighGames(r.Weight / float64(r.Games))
}

// weighDecisions is WeighGames for decisions.
func (r *Store) weighDecisions(each float64) {
	for _, b := range r.Blocks {
		weight := make([]float32, b.Rows())
		from := 0
		for _, run := range b.Games {
			w := float32(each / r.gameSize(b, from, run.End))
			for i := from; i < run.End; i++ {
				weight[i] = w
			}
			from = run.End
		}
		b.Weight = weight
	}
	r.WeighDecisions(false)
}

// gameSize returns the sum of the sizes of the decisions in from..to-1, times their weights.
func (r *Store) gameSize(b *Block, from, to int) (sum float64) {
	for end := from; from < to; from = end {
		end = losses.DecisionEnd(b.Y[:to], from)
		sum += b.WeightOf(from) * r.Design.Decided.Size(end-from)
	}
	return sum
}

// alongDecisions is Along for a loss of decisions.
func (r *Store) alongDecisions(l losses.Decisions, column func(*Block) []float32, s float64, workers int) (f, d, h float64) {
	type sums struct {
		f, d, h float64
		z, dz   []float64
	}
	all := make([]sums, max(1, workers))
	r.Merge(workers, len(r.Chunks), func(w, i int) {
		x := &all[w]
		x.f, x.d, x.h = 0, 0, 0
		for _, b := range r.Blocks[r.Chunks[i].From:r.Chunks[i].To] {
			values := column(b)
			for from, to := 0, 0; from < len(values); from = to {
				to = losses.DecisionEnd(b.Y, from)
				x.z = x.z[:0]
				for _, v := range values[from:to] {
					x.z = append(x.z, s*float64(v))
				}
				x.dz = append(x.dz[:0], x.z...)
				sign, weight := float64(b.Y[from])/losses.PlayedRow, b.WeightOf(from)
				x.f += weight * l.Of(x.z, sign, x.dz)
				for i, v := range values[from:to] {
					x.d += weight * x.dz[i] * float64(v)
				}
				centred := l.Curve(x.z, sign, x.dz)
				mean, squares := 0.0, 0.0
				for i, v := range values[from:to] {
					u := float64(v) - float64(values[from])
					mean += x.dz[i] * u
					squares += x.dz[i] * u * u
				}
				if centred {
					squares -= mean * mean
				}
				x.h += weight * squares
			}
		}
	}, func(w, _ int) {
		f, d, h = f+all[w].f, d+all[w].d, h+all[w].h
	})
	return f, d, h
}
