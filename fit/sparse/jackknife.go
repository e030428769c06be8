package sparse

import (
	"context"
	"fmt"
	"math"
	"slices"

	"kifu/fit/rows"
)

const (
	// Groups is the number of groups of games for Jackknife: more would be slower, fewer need larger weights to be sure.
	Groups = 50
	// jackknifeTolerance is the share of the norm that the step without a group may leave.
	jackknifeTolerance = 1e-4
)

// Spread is the standard error of a weight and its degrees of freedom: those of so many games that weigh alike, one less
// than groups at most. SE is NaN for a weight that was not fitted.
type Spread struct{ SE, Degrees float64 }

// Jackknife returns the errors of all weights. Games are dealt into groups; a step of Newton's without each of them says what
// it moves the weights by. These sums hold with as many weights as there are: a game draws the weights to itself, and so
// makes its own score smaller, which a sandwich of scores takes for certainty (CR3 of Bell and McCaffrey 2002, by groups). The
// degrees of freedom are Satterthwaite's (rows.Fourths). The ridge counts as it is: the error is that of the shrunk weight about its
// own mean. Fewer than two games are an error, and iterations that do not suffice; after is called after each group.
func (e *Estimate) Jackknife(ctx context.Context, groups int, after func()) ([]Spread, error) {
	n := e.n
	if groups = min(groups, n.Games); groups < 2 {
		return nil, fmt.Errorf("errors need two games or more: there are %d", n.Games)
	}
	iterations, passed := e.Iterations, e.Passes
	curves, scores := slices.Clone(n.q), make([]float64, n.Rows)
	defer func() {
		e.Iterations, e.Passes = iterations, passed
		copy(n.q, curves)
	}()
	sums := rows.NewFourths(make([][]rows.Entry, n.Weights))
	for group := range groups {
		n.leave(group, groups, curves, scores)
		e.Iterations = 0
		if err := n.conjugate(ctx, jackknifeTolerance, func(float64) {}); err != nil {
			return nil, err
		}
		if e.Iterations >= n.set.Iterations {
			return nil, fmt.Errorf("errors are not available: %d iterations do not determine them", n.set.Iterations)
		}
		for j, v := range n.dir {
			sums.Squares[j] += v * v
			sums.Fourths[j] += v * v * v * v
		}
		after()
	}
	all := make([]Spread, n.Weights)
	for j, df := range sums.Degrees() {
		all[j] = Spread{math.Sqrt(sums.Squares[j] * float64(groups-1) / float64(groups)), min(df, float64(groups-1))}
		if n.held[j] || !(all[j].SE > 0) {
			all[j].SE = math.NaN()
		}
	}
	return all, nil
}

// leave takes the rows of a group's games out of the curvature, and sets residual to their gradient.
func (n *newton) leave(group, groups int, curves, scores []float64) {
	n.overLanes(func(_ int, b *block) {
		for i, g := range b.game {
			row := b.first + i
			if scores[row], n.q[row] = 0, curves[row]; int(g)%groups == group {
				scores[row], n.q[row] = n.d[row], 0
			}
		}
	})
	n.transpose(scores, n.residual)
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
