package sparse

import (
	"context"
	"fmt"
	"math"
)

// Entry is a weight with its share in a sum of weights.
type Entry struct {
	Weight int
	Share  float64
}

// Error returns the standard error of Σ share·weight: the sandwich clustered by game,
// sqrt(G/(G-1)·aᵀH⁻¹MH⁻¹a) with M = Σ_g u_g u_gᵀ, u_g the summed score of game g. H⁻¹a is found
// by conjugate gradients until the share ErrorTolerance of its norm is left, so that the other
// weights are accounted for without a matrix. The
// ridge counts as part of H, so it is the error of the shrunk weight about its own mean. An
// error where a weight was not fitted, there are fewer than two games, or the iterations of the
// settings (as many again for each call) do not suffice.
func (e *Estimate) Error(ctx context.Context, sum []Entry) (float64, error) {
	n := e.n
	if n.Games < 2 {
		return 0, fmt.Errorf("errors need two games or more: there are %d", n.Games)
	}
	clear(n.residual)
	for _, x := range sum {
		if x.Weight < 0 || x.Weight >= n.Weights || n.held[x.Weight] {
			return 0, fmt.Errorf("weight %d was not fitted: its error is not available", x.Weight)
		}
		n.residual[x.Weight] += x.Share
	}
	tolerance := e.ErrorTolerance
	if tolerance == 0 {
		tolerance = ErrorTolerance
	}
	iterations, passed := e.Iterations, e.Passes
	defer func() { e.Iterations, e.Passes = iterations, passed }()
	e.Iterations = 0
	if err := n.conjugate(ctx, tolerance, func(float64) {}); err != nil {
		return 0, err
	}
	if e.Iterations >= n.set.Iterations {
		return 0, fmt.Errorf("the error is not available: %d iterations do not determine it", n.set.Iterations)
	}
	n.passes.scoresOf(n.dir)
	games := make([]float64, n.Games)
	for _, b := range n.blocks {
		for i, g := range b.game {
			games[g] += n.d[b.first+i] * n.u[b.first+i]
		}
	}
	variance := 0.0
	for _, v := range games {
		variance += v * v
	}
	return math.Sqrt(variance * float64(n.Games) / float64(n.Games-1)), nil
}

// scoresOf sets u to the rows' products with v.
func (p *passes) scoresOf(v []float64) {
	p.overLanes(func(_ int, b *block) { b.gather(v, p.u[b.first:][:b.rows()]) })
}

// Scores calls f for each row of s, a store of as many weights, with its game's number, its
// score under e, its target and its weight. Rows come by class, those of a class in order.
func (e *Estimate) Scores(s *Store, f func(game int, score, y, weight float64)) {
	var buffer [blockRows]float64
	for _, b := range s.blocks {
		z := buffer[:b.rows()]
		b.gather(e.Weights, z)
		for i, v := range z {
			if b.off != nil {
				v += float64(b.off[i])
			}
			f(int(b.game[i]), v, float64(b.y[i]), b.weightOf(i))
		}
	}
}
