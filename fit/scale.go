package fit

import (
	"math"
	"slices"
)

// valueColumn and targetColumn are columns of a block to which a scale can be fitted.
func valueColumn(b *block) []float32  { return b.value }
func targetColumn(b *block) []float32 { return b.target }

// fitScale returns the w_0 that suits the values of a column as they are: the minimum
// of the loss over the scale alone, with all weights at what they are now. It reports
// false when there is none.
func (r *rows) fitScale(l loss, column func(*block) []float32, workers int) (float64, bool) {
	sum := 0.0
	for _, b := range r.blocks {
		for i, v := range column(b) {
			sum += b.weightOf(i) * float64(v) * float64(v)
		}
	}
	if sum == 0 {
		return 0, false
	}
	rms := math.Sqrt(sum / r.weight)
	// A grid in units of 1/rms first, since LS has more than one valley.
	grid := []float64{-1, 0, 0.25, 0.5, 1, 2, 4}
	if l.convex() {
		grid = []float64{1}
	}
	best, bestF := 0.0, math.Inf(1)
	for _, t := range grid {
		if f, _, _ := r.along(l, column, t/rms, workers); f < bestF {
			best, bestF = t/rms, f
		}
	}
	if l.convex() && len(r.chunks) > scaleShare {
		// Most of the way is found on some of the rows.
		some := *r
		some.chunks = r.chunks[:len(r.chunks)/scaleShare]
		if s, ok := some.newton(l, column, best, rms, workers); ok {
			best = s
		}
	}
	return r.newton(l, column, best, rms, workers)
}

// scaleShare is how many times the rows are those on which fitScale begins.
const scaleShare = 16

// newton returns the scale of a column with the least loss near s, by Newton's method
// with halved steps. It reports false when there is none.
func (r *rows) newton(l loss, column func(*block) []float32, s, rms float64, workers int) (float64, bool) {
	f, d, h := r.along(l, column, s, workers)
	for range 100 {
		step := -d / h
		// A step this small changes no digit that anybody prints.
		if math.Abs(step)*rms <= 1e-10 {
			return s, true
		}
		if math.IsNaN(step) || math.IsInf(step, 0) {
			return s, false
		}
		next := s + step
		nf, nd, nh := r.along(l, column, next, workers)
		for ; !(nf <= f); nf, nd, nh = r.along(l, column, next, workers) {
			if step /= 2; math.Abs(step)*rms <= 1e-10 {
				return s, true
			}
			next = s + step
		}
		s, f, d, h = next, nf, nd, nh
		if l != (linear{}) && math.Abs(s)*rms > 1e4 {
			return s, false
		}
	}
	return s, true
}

// along is the loss at scale s of a column, with its first derivative by s and the
// positive part of the second.
func (r *rows) along(l loss, column func(*block) []float32, s float64, workers int) (f, d, h float64) {
	if d, of := l.(decisionLoss); of {
		return r.alongDecisions(d, column, s, workers)
	}
	type sums struct {
		f, d, h float64
		z, dz   []float64
	}
	_, simple := l.(logistic)
	all := make([]sums, max(1, workers))
	inOrder(workers, len(r.chunks), func(w, i int) {
		x := &all[w]
		x.f, x.d, x.h = 0, 0, 0
		for _, b := range r.blocks[r.chunks[i].from:r.chunks[i].to] {
			values := column(b)
			if !simple {
				for i, v := range values {
					e, weight := float64(v), b.weightOf(i)
					at := l.at(s*e, float64(b.y[i]), 0)
					x.f += weight * at.f
					x.d += weight * at.d * e
					x.h += weight * at.positive * e * e
				}
				continue
			}
			// The same from what sum, which is faster, says of g: d is w·(g-y).
			x.z = x.z[:0]
			for _, v := range values {
				x.z = append(x.z, s*float64(v))
			}
			x.dz = slices.Grow(x.dz[:0], len(x.z))[:len(x.z)]
			f, _ := l.sum(x.z, b.y, b.weight, 0, x.dz)
			x.f += f
			for i, v := range values {
				e, weight := float64(v), b.weightOf(i)
				g := x.dz[i]/weight + float64(b.y[i])
				x.d += x.dz[i] * e
				x.h += weight * g * (1 - g) * e * e
			}
		}
	}, func(w, _ int) {
		f, d, h = f+all[w].f, d+all[w].d, h+all[w].h
	})
	return f, d, h
}

// drawWidth is the draw width of the ordered model that gives equal positions their
// share of draws.
func (r *rows) drawWidth() float64 {
	draws := 0.0
	for _, b := range r.blocks {
		for i, y := range b.y {
			if y == 0.5 {
				draws += b.weightOf(i)
			}
		}
	}
	share := draws / r.weight
	return math.Log((1 + share) / (1 - share))
}
