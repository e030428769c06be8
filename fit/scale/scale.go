// Package scale finds the factor by which a column of numbers predicts results best: a fit of one weight.
//
// In go rows, a loss and a column of them, such as the value e(p), whose factor is w_0. Out comes the factor
// with the least loss, and whether there is one. Does not fit, nor change, other weights.
package scale

import (
	"math"
	"slices"

	"kifu/fit/losses"
	"kifu/fit/rows"
)

// Values is the column of e(p).
func Values(b *rows.Block) []float32 { return b.Value }

// Of returns the factor that minimises the loss for the unchanged values of a column, with all
// weights at their present values. It reports false without one.
func Of(r *rows.Store, l losses.Loss, column func(*rows.Block) []float32, workers int) (float64, bool) {
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
		if f, _, _ := along(r, l, column, t/rms, workers); f < bestF {
			best, bestF = t/rms, f
		}
	}
	if l.Convex() && len(r.Chunks) > scaleShare {
		// Most of the way is found on some of the rows.
		some := *r
		some.Chunks = r.Chunks[:len(r.Chunks)/scaleShare]
		if s, ok := newton(&some, l, column, best, rms, workers); ok {
			best = s
		}
	}
	return newton(r, l, column, best, rms, workers)
}

// scaleShare: the search begins on one row in this many.
const scaleShare = 16

// newton returns the scale of a column with the least loss near s, by Newton's method
// with halved steps. It reports false without one.
func newton(r *rows.Store, l losses.Loss, column func(*rows.Block) []float32, s, rms float64, workers int) (float64, bool) {
	f, d, h := along(r, l, column, s, workers)
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
		nf, nd, nh := along(r, l, column, next, workers)
		for ; !(nf <= f); nf, nd, nh = along(r, l, column, next, workers) {
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

// along returns the loss at scale s of a column, with its first derivative by s and the
// positive part of the second.
func along(r *rows.Store, l losses.Loss, column func(*rows.Block) []float32, s float64, workers int) (f, d, h float64) {
	add := (*sums).rows
	switch l.(type) {
	case losses.Decisions:
		add = (*sums).decisions
	case losses.Logistic:
		add = (*sums).logistic
	}
	all := make([]sums, max(1, workers))
	r.Merge(workers, len(r.Chunks), func(w, i int) {
		x := &all[w]
		x.f, x.d, x.h = 0, 0, 0
		for _, b := range r.Blocks[r.Chunks[i].From:r.Chunks[i].To] {
			add(x, b, l, column(b), s)
		}
	}, func(w, _ int) {
		f, d, h = f+all[w].f, d+all[w].d, h+all[w].h
	})
	return f, d, h
}

// sums are the loss at a scale s with its derivatives, as along returns them.
type sums struct {
	f, d, h float64
	z, dz   []float64
}

func (x *sums) rows(b *rows.Block, l losses.Loss, values []float32, s float64) {
	for i, v := range values {
		e, weight := float64(v), b.WeightOf(i)
		at := l.At(s*e, float64(b.Y[i]), 0)
		x.f += weight * at.F
		x.d += weight * at.D * e
		x.h += weight * at.Positive * e * e
	}
}

// logistic is rows from Sum, which is faster: its d is w·(g-y).
func (x *sums) logistic(b *rows.Block, l losses.Loss, values []float32, s float64) {
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

// decisions is rows for a loss of decisions.
func (x *sums) decisions(b *rows.Block, l losses.Loss, values []float32, s float64) {
	of := l.(losses.Decisions)
	for from, to := 0, 0; from < len(values); from = to {
		to = losses.DecisionEnd(b.Y, from)
		x.z = x.z[:0]
		for _, v := range values[from:to] {
			x.z = append(x.z, s*float64(v))
		}
		x.dz = append(x.dz[:0], x.z...)
		sign, weight := float64(b.Y[from])/losses.PlayedRow, b.WeightOf(from)
		x.f += weight * of.Of(x.z, sign, x.dz)
		for i, v := range values[from:to] {
			x.d += weight * x.dz[i] * float64(v)
		}
		centred := of.Curve(x.z, sign, x.dz)
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
