package rows

import (
	"math"
	"slices"

	"kifu/fit/losses"
)

// ValueColumn is the column of e(p), for FitScale.
func ValueColumn(b *Block) []float32 { return b.Value }

// targetColumn is the column of another value, for FitScale.
func targetColumn(b *Block) []float32 { return b.target }

// FitScale returns the w_0 that minimises the loss for the unchanged values of a column, with all
// weights at their present values. It reports false without one.
func (r *Store) FitScale(l losses.Loss, column func(*Block) []float32, workers int) (float64, bool) {
	sum := 0.0
	for _, b := range r.Blocks {
		for i, v := range column(b) {
			sum += b.WeightOf(i) * float64(v) * float64(v)
		}
	}
	if sum == 0 {
		return 0, false
	}
	rms := math.Sqrt(sum / r.Weight)
	// A grid in units of 1/rms first, since LS has more than one valley.
	grid := []float64{-1, 0, 0.25, 0.5, 1, 2, 4}
	if l.Convex() {
		grid = []float64{1}
	}
	best, bestF := 0.0, math.Inf(1)
	for _, t := range grid {
		if f, _, _ := r.Along(l, column, t/rms, workers); f < bestF {
			best, bestF = t/rms, f
		}
	}
	if l.Convex() && len(r.Chunks) > scaleShare {
		// Most of the way is found on some of the rows.
		some := *r
		some.Chunks = r.Chunks[:len(r.Chunks)/scaleShare]
		if s, ok := some.newton(l, column, best, rms, workers); ok {
			best = s
		}
	}
	return r.newton(l, column, best, rms, workers)
}

// scaleShare: FitScale begins on one row in this many.
const scaleShare = 16

// newton returns the scale of a column with the least loss near s, by Newton's method
// with halved steps. It reports false without one.
func (r *Store) newton(l losses.Loss, column func(*Block) []float32, s, rms float64, workers int) (float64, bool) {
	f, d, h := r.Along(l, column, s, workers)
	for range 100 {
		step := -d / h
		// A step this small changes no printed digit.
		if math.Abs(step)*rms <= 1e-10 {
			return s, true
		}
		if math.IsNaN(step) || math.IsInf(step, 0) {
			return s, false
		}
		next := s + step
		nf, nd, nh := r.Along(l, column, next, workers)
		for ; !(nf <= f); nf, nd, nh = r.Along(l, column, next, workers) {
			if step /= 2; math.Abs(step)*rms <= 1e-10 {
				return s, true
			}
			next = s + step
		}
		s, f, d, h = next, nf, nd, nh
		if l != (losses.Linear{}) && math.Abs(s)*rms > 1e4 {
			return s, false
		}
	}
	return s, true
}

// Along returns the loss at scale s of a column, with its first derivative by s and the
// positive part of the second.
func (r *Store) Along(l losses.Loss, column func(*Block) []float32, s float64, workers int) (f, d, h float64) {
	if d, of := l.(losses.Decisions); of {
		return r.alongDecisions(d, column, s, workers)
	}
	type sums struct {
		f, d, h float64
		z, dz   []float64
	}
	_, simple := l.(losses.Logistic)
	all := make([]sums, max(1, workers))
	r.Merge(workers, len(r.Chunks), func(w, i int) {
		x := &all[w]
		x.f, x.d, x.h = 0, 0, 0
		for _, b := range r.Blocks[r.Chunks[i].From:r.Chunks[i].To] {
			values := column(b)
			if !simple {
				for i, v := range values {
					e, weight := float64(v), b.WeightOf(i)
					at := l.At(s*e, float64(b.Y[i]), 0)
					x.f += weight * at.F
					x.d += weight * at.D * e
					x.h += weight * at.Positive * e * e
				}
				continue
			}
			// The same from Sum, which is faster: its d is w·(g-y).
			x.z = x.z[:0]
			for _, v := range values {
				x.z = append(x.z, s*float64(v))
			}
			x.dz = slices.Grow(x.dz[:0], len(x.z))[:len(x.z)]
			f, _ := l.Sum(x.z, b.Y, b.Weight, 0, x.dz)
			x.f += f
			for i, v := range values {
				e, weight := float64(v), b.WeightOf(i)
				g := x.dz[i]/weight + float64(b.Y[i])
				x.d += x.dz[i] * e
				x.h += weight * g * (1 - g) * e * e
			}
		}
	}, func(w, _ int) {
		f, d, h = f+all[w].f, d+all[w].d, h+all[w].h
	})
	return f, d, h
}

// DrawWidth returns the draw width of the ordered model at which equal positions are
// drawn as often as all positions are.
func (r *Store) DrawWidth() float64 {
	draws := 0.0
	for _, b := range r.Blocks {
		for i, y := range b.Y {
			if y == 0.5 {
				draws += b.WeightOf(i)
			}
		}
	}
	share := draws / r.Weight
	return math.Log((1 + share) / (1 - share))
}

// Mean returns the weighted mean of y.
func (r *Store) Mean() float64 {
	sum := 0.0
	for _, b := range r.Blocks {
		for i, y := range b.Y {
			sum += b.WeightOf(i) * float64(y)
		}
	}
	return sum / r.Weight
}

// Deviation returns the weighted standard deviation of y.
func (r *Store) Deviation() float64 {
	mean, sum := r.Mean(), 0.0
	for _, b := range r.Blocks {
		for i, y := range b.Y {
			sum += b.WeightOf(i) * (float64(y) - mean) * (float64(y) - mean)
		}
	}
	return math.Sqrt(sum / r.Weight)
}
