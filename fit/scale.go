package fit

import "math"

// fitScale returns the w_0 that suits the values e(p) as they are: the minimum of the
// loss over the scale alone, with all weights at what they are now. It reports false
// when there is none.
func (r *rows) fitScale(l loss, workers int) (float64, bool) {
	sum := 0.0
	for _, b := range r.blocks {
		for i, v := range b.value {
			sum += b.weightOf(i) * float64(v) * float64(v)
		}
	}
	if sum == 0 {
		return 0, false
	}
	rms := math.Sqrt(sum / r.weight)
	// A grid in units of 1/rms first: LS has more than one valley.
	best, bestF := 0.0, math.Inf(1)
	for _, t := range []float64{-1, 0, 0.25, 0.5, 1, 2, 4} {
		if f, _, _ := r.alongValue(l, t/rms, workers); f < bestF {
			best, bestF = t/rms, f
		}
	}
	s := best
	f, d, h := r.alongValue(l, s, workers)
	for range 100 {
		step := -d / h
		// A step this small changes no digit that anybody prints.
		if math.Abs(step)*rms <= 1e-10 {
			return s, true
		}
		next := s + step
		nf, nd, nh := r.alongValue(l, next, workers)
		for ; !(nf <= f); nf, nd, nh = r.alongValue(l, next, workers) {
			if step /= 2; math.Abs(step)*rms <= 1e-10 {
				return s, true
			}
			next = s + step
		}
		s, f, d, h = next, nf, nd, nh
		if math.Abs(s)*rms > 1e4 {
			return s, false
		}
	}
	return s, true
}

// alongValue is the loss at scale s, with its first derivative by s and the positive
// part of the second.
func (r *rows) alongValue(l loss, s float64, workers int) (f, d, h float64) {
	type sums struct{ f, d, h float64 }
	all := make([]sums, max(1, workers))
	ordered(workers, len(r.chunks), func(w, i int) {
		var x sums
		for _, b := range r.blocks[r.chunks[i].from:r.chunks[i].to] {
			for i, v := range b.value {
				e, y, weight := float64(v), float64(b.y[i]), b.weightOf(i)
				at := l.at(s*e, y)
				x.f += weight * at.f
				x.d += weight * at.d * e
				x.h += weight * at.positive * e * e
			}
		}
		all[w] = x
	}, func(w, _ int) {
		f, d, h = f+all[w].f, d+all[w].d, h+all[w].h
	})
	return f, d, h
}
