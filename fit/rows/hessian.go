package rows

import (
	"gonum.org/v1/gonum/mat"

	"kifu/fit/losses"
	"kifu/internal/panels"
)

// Hessian returns Σ w·c·x·xᵀ over the rows. x is a row of the design with the value e(p) last, w
// its weight, and c the chosen curvature of l at theta. With a draw width there is one more line,
// of the second derivatives by it.
//
// Rows of one stage mix are summed slot by slot, as if there were no stages; the mix
// is multiplied in once at the end. A pair of features then costs one product instead
// of the four of a sum by parameter. Spans of chunks are summed each for itself, and then as
// tree has it, so that others can have them.
func (r *Store) Hessian(theta []float64, l losses.Loss, curvature func(losses.Local) float64, workers int) *mat.SymDense {
	if d, of := l.(losses.Decisions); of {
		return r.decisionHessian(theta, d, workers)
	}
	r = r.Counted(workers)
	if h := r.askedHessian(theta, l, curvature); h != nil {
		return h
	}
	if r.spans() <= 1 {
		return r.spanHessian(theta, l, curvature, Span{0, len(r.Chunks)}, workers)
	}
	var total tree
	for i := range r.spans() {
		total.add(r.spanHessian(theta, l, curvature, r.span(i), workers).RawSymmetric().Data)
	}
	return r.symmetric(&total)
}

// spanHessian is Hessian of the rows of some chunks.
func (r *Store) spanHessian(theta []float64, l losses.Loss, curvature func(losses.Local) float64, chunks Span, workers int) *mat.SymDense {
	h := mat.NewSymDense(r.Design.Size(), nil)
	s := r.Scorer(theta)
	cross := make([][]float64, max(1, workers))
	r.products(chunks, func(chunks Span, curve [][]float64) {
		r.Merge(workers, chunks.To-chunks.From, func(w, i int) {
			i += chunks.From
			var t Tables
			if r.Design.Drawn {
				t, cross[w] = r.NewTables(), make([]float64, r.Design.Size())
			}
			var z, zt []float64
			for j := r.Chunks[i].From; j < r.Chunks[i].To; j++ {
				b := r.Blocks[j]
				z = s.Scores(b, z[:0])
				curve[j] = make([]float64, len(z))
				if !r.Design.Drawn {
					Curves(l, b, z, curvature, curve[j])
					continue
				}
				zt = zt[:0]
				for row, zi := range z {
					at, weight := l.At(zi, float64(b.Y[row]), r.Design.Draw(theta)), b.WeightOf(row)
					curve[j][row] = weight * curvature(at)
					zt = append(zt, weight*at.ZT)
					cross[w][r.Design.Width()] += weight * at.TT
				}
				r.Gather(b, zt, t, cross[w])
			}
			if r.Design.Drawn {
				r.Fold(t, cross[w])
			}
		}, func(w, _ int) {
			for p, v := range cross[w] {
				h.SetSym(p, r.Design.Width(), h.At(p, r.Design.Width())+v)
			}
		})
	}, workers, h)
	return h
}

// spanChunks is the number of chunks whose curvatures are in memory at a time.
const spanChunks = 64

// Products adds Σ c·x·xᵀ over the rows to the upper half of h. curves writes the c of the rows: it gets some
// chunks at a time, and makes curve[j] for each of their blocks j.
func (r *Store) Products(curves func(chunks Span, curve [][]float64), workers int, h *mat.SymDense) {
	r.products(Span{0, len(r.Chunks)}, curves, workers, h)
}

// products is Products of some chunks.
func (r *Store) products(all Span, curves func(chunks Span, curve [][]float64), workers int, h *mat.SymDense) {
	sums := make([]*panels.Squares, max(1, workers))
	curve := make([][]float64, len(r.Blocks))
	for from := all.From; from < all.To; from += spanChunks {
		chunks := Span{from, min(from+spanChunks, all.To)}
		curves(chunks, curve)
		units := r.units(chunks)
		r.Merge(workers, len(units), func(w, i int) {
			if sums[w] == nil { // the value is a slot too, the last
				sums[w] = panels.NewSquares(len(r.Design.slots)+1, len(r.Design.dense)+1)
			}
			r.pairs(units[i], curve, sums[w])
		}, func(w, i int) {
			r.spread(r.Design.classes[units[i].class], sums[w], h)
		})
		clear(curve)
	}
}

// Curves overwrites dst with the weighted curvature of each row, whose scores are z.
func Curves(l losses.Loss, b *Block, z []float64, curvature func(losses.Local) float64, dst []float64) {
	_, squares := l.(losses.Squares)
	if _, simple := l.(losses.Logistic); simple || squares {
		// Of Logistic the derivative is w·(g-y), which Sum computes faster than At.
		losses.Logistic{}.Sum(z, b.Y, b.Weight, 0, dst)
		for i, d := range dst {
			w := b.WeightOf(i)
			r := d / w
			g := r + float64(b.Y[i])
			q := g * (1 - g)
			if squares {
				q = curvature(losses.Local{Exact: 2*q*q + 2*r*q*(1-2*g), Positive: 2 * q * q})
			}
			dst[i] = w * q
		}
		return
	}
	for i, zi := range z {
		dst[i] = b.WeightOf(i) * curvature(l.At(zi, float64(b.Y[i]), 0))
	}
}

// unit is one piece of the work: the rows of one class in some blocks.
type unit struct {
	class  uint16
	blocks Span
}

// unitRows is the number of rows of a class after which a unit ends with a chunk.
const unitRows = 1 << 16

// units cuts the rows that every class has in some chunks into stretches of about equal work.
func (r *Store) units(chunks Span) (out []unit) {
	open := make([]unit, len(r.Design.classes)) // of each class
	rows := make([]int, len(open))
	for c := range open {
		open[c] = unit{uint16(c), Span{From: r.Chunks[chunks.From].From}}
	}
	end := func(c, at int) {
		open[c].blocks.To = at
		out = append(out, open[c])
		open[c].blocks.From, rows[c] = at, 0
	}
	for _, chunk := range r.Chunks[chunks.From:chunks.To] {
		for _, b := range r.Blocks[chunk.From:chunk.To] {
			for _, c := range b.class {
				rows[c]++
			}
		}
		for c := range open {
			if rows[c] >= unitRows {
				end(c, chunk.To)
			}
		}
	}
	for c := range open {
		if rows[c] > 0 {
			end(c, r.Chunks[chunks.To-1].To)
		}
	}
	return out
}

// pairs adds curve·x_i·x_j of the unit's rows to sum, by slots.
func (r *Store) pairs(u unit, curve [][]float64, sum *panels.Squares) {
	at, x := make([]int32, len(r.Design.slots)+1), make([]float64, len(r.Design.slots)+1)
	for j := u.blocks.From; j < u.blocks.To; j++ {
		b := r.Blocks[j]
		for i, class := range b.class {
			if class == u.class {
				n := r.counts(b, i, at, x)
				sum.Add(curve[j][i], at[:n], x[:n])
			}
		}
	}
}

// spread takes a sum by slots to the sum by parameters, under the stage mix c.
func (r *Store) spread(c class, sum *panels.Squares, h *mat.SymDense) {
	type part struct {
		param int
		share float64
	}
	// Each slot's parameters; the value is a slot with one parameter.
	parts := make([][]part, len(r.Design.slots)+1)
	for s := range r.Design.slots {
		r.Design.eachShare(s, c, func(p int, share float64) { parts[s] = append(parts[s], part{p, share}) })
	}
	parts[len(r.Design.slots)] = []part{{r.Design.Scale(), 1}}
	raw := h.RawSymmetric()
	sum.Take(func(t, s int, v float64) {
		for _, q := range parts[s] {
			for _, p := range parts[t] {
				if p.param <= q.param {
					raw.Data[p.param*raw.Stride+q.param] += v * p.share * q.share
				}
			}
		}
	})
}
