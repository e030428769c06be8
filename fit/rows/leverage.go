package rows

import (
	"math"
	"slices"

	"kifu/fit/losses"
)

// curvature computes vᵀA_g v of GameScores.
type curvature struct {
	at *Layout
	l  losses.Loss
	t  float64 // draw width
	un *Unknowns

	direction, dz, c []float64
}

// scored is a block with the scores of its rows.
type scored struct {
	b     *Block
	z     []float64
	exact []float64 // curvatures; empty until they are asked for
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

// along returns the second derivative of the loss of the rows in game, along v.
func (h *curvature) along(of *scored, game Span, v []float64) (sum float64) {
	b, z := of.b, of.z
	h.un.Direction(v, h.direction)
	h.dz = h.at.Dots(b, game, h.direction, h.dz)
	d := h.at.r.Design
	if d.Decided != nil {
		return h.decisions(d.Decided, b, game, z)
	}
	if !d.Drawn {
		if len(of.exact) == 0 {
			of.exact = slices.Grow(of.exact, len(z))[:len(z)]
			Curves(h.l, b, z, losses.Exact, of.exact)
		}
		for i, dz := range h.dz {
			sum += of.exact[game.From+i] * dz * dz
		}
		return sum
	}
	dt := h.direction[d.Width()]
	for i, dz := range h.dz {
		row := game.From + i
		at := h.l.At(z[row], float64(b.Y[row]), h.t)
		sum += b.WeightOf(row) * (at.Exact*dz*dz + 2*at.ZT*dz*dt + at.TT*dt*dt)
	}
	return sum
}

// decisions is along for a loss of decisions.
func (h *curvature) decisions(l losses.Decisions, b *Block, game Span, z []float64) (sum float64) {
	for from, to := game.From, 0; from < game.To; from = to {
		to = losses.DecisionEnd(b.Y[:game.To], from)
		h.c = append(h.c[:0], z[from:to]...)
		centred := l.Curve(z[from:to], float64(b.Y[from])/losses.PlayedRow, h.c)
		mean, squares := 0.0, 0.0
		for i, c := range h.c {
			contrast := h.dz[from-game.From+i] - h.dz[from-game.From]
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
