package meat

import (
	"math"
	"slices"

	"kifu/fit/losses"
	"kifu/fit/rows"
)

// curvature computes vᵀA_g v of GameScores.
type curvature struct {
	d  *rows.Design
	at *rows.Layout
	l  losses.Loss
	t  float64 // draw width
	un *rows.Unknowns

	tables           rows.Tables
	direction, dz, c []float64
}

// scored is a game whose rows' scores begin at some place among others.
type scored struct {
	b    *rows.Block
	rows rows.Span
	at   int
}

// mostLeverage keeps the score of a game finite that alone determines a direction.
const mostLeverage = 0.99

// Leverage returns h within 0 and a limit below 1; a loss that is not convex can have one
// beyond. It is 0 for a game without a score.
func Leverage(h float64) float64 {
	if math.IsNaN(h) {
		return 0
	}
	return min(mostLeverage, max(0, h))
}

// along returns the second derivative of the loss of the game's rows along v. z has their scores, and others.
func (h *curvature) along(game scored, z, v []float64) (sum float64) {
	h.un.Direction(v, h.direction)
	h.dz = h.at.Dots(game.b, game.rows, h.direction, h.tables, h.dz)
	b, z := game.b.Only(game.rows), z[game.at:game.at+len(h.dz)]
	d := h.d
	if d.Decided != nil {
		return h.decisions(d.Decided, b, z)
	}
	if !d.Drawn {
		h.c = slices.Grow(h.c[:0], len(z))[:len(z)]
		rows.Curves(h.l, b, z, losses.Exact, h.c)
		for i, dz := range h.dz {
			sum += h.c[i] * dz * dz
		}
		return sum
	}
	dt := h.direction[d.Width()]
	for i, dz := range h.dz {
		at := h.l.At(z[i], float64(b.Y[i]), h.t)
		sum += b.WeightOf(i) * (at.Exact*dz*dz + 2*at.ZT*dz*dt + at.TT*dt*dt)
	}
	return sum
}

// decisions is along for a loss of decisions.
func (h *curvature) decisions(l losses.Decisions, b *rows.Block, z []float64) (sum float64) {
	for from, to := 0, 0; from < len(z); from = to {
		to = losses.DecisionEnd(b.Y, from)
		h.c = append(h.c[:0], z[from:to]...)
		centred := l.Curve(z[from:to], float64(b.Y[from])/losses.PlayedRow, h.c)
		mean, squares := 0.0, 0.0
		for i, c := range h.c {
			contrast := h.dz[from+i] - h.dz[from]
			mean += c * contrast
			squares += c * contrast * contrast
		}
		if centred {
			squares -= mean * mean
		}
		sum += b.WeightOf(from) * squares
	}
	return sum
}
