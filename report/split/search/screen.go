package search

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"kifu/internal/lists"
	"kifu/internal/panels"
	"kifu/report/split/conditions"
)

// verdict is the evidence of one side's games for a condition.
type verdict struct {
	Positions, Games int64
	Wald             float64
	P                float64
	Shift, Slope     float64    // of the logit: one Newton step from the total curve
	Gain             float64    // by which the step raises the log-likelihood, to second order
	SlopeP           float64    // of the slope given the shift, 1 without such a test
	SlopeGain        float64    // what the slope adds to the shift's gain
	slopeSquare      float64    // t² of the slope given the shift
	df               float64    // of the variance, see decide
	score            [2]float64 // efficient
	info             square     // of shift and slope, given f
	cross            *mat.Dense // with f's knots
	table            []outcomes // by part of the axis
}

// Tested reports whether there is a test.
func (v verdict) Tested() bool { return !math.IsNaN(v.Wald) }

// screen tests every condition on the games of one side. It is the Wald test, robust to the
// dependence of positions of a game, of d = h = 0 in
//
//	logit P(win) = f(v) + d·c + h·c·v
//
// by one Newton step from the total curve f. Estimate and covariance come from the efficient
// score, the sum over games of u = s - A·t. s and t are the game's scores of (d, h) and of f's
// knots, and A removes the part that f could explain. This needs only counts by parts of the
// axis and second moments of s and t, in one pass.
func (s *stored) screen(ctx context.Context, set *conditions.Set, side int) ([]verdict, error) {
	tasks := lists.N(s.workers(), func(int) *screener { return newScreener(s.axis, set, side) })
	sums := newMoments(len(set.All), s.axis.knots)
	err := eachBlock(ctx, s, "splits: "+[]string{"search", "confirm"}[side], set.All, func(w int, b *block) *moments { return tasks[w].run(b) }, sums.add)
	if err != nil {
		return nil, err
	}
	return s.axis.verdicts(side, sums, tasks), nil
}

// verdicts are the verdicts of a side on all conditions, from what the workers have summed up.
func (x *axis) verdicts(side int, sums *moments, tasks []*screener) []verdict {
	parts, table := len(x.value), tasks[0].outcomes()
	for _, t := range tasks[1:] {
		addCells(table, t.outcomes())
	}
	return lists.N(len(sums.games), func(c int) verdict { return x.test(side, sums, c, table[c*parts:(c+1)*parts]) })
}

// screener is one worker of screen.
type screener struct {
	axis   *axis
	set    *conditions.Set
	side   int
	worth  []panels.Pair  // by key: what a row adds to the scores of a condition, won - f, and the same times the slope's value
	counts []uint32       // by condition and key, of all blocks
	games  []panels.Words // words of the block's games of the side
	t      [][]float64    // their scores of the spline
	sums   []panels.Held  // their scores of a condition
}

func newScreener(x *axis, set *conditions.Set, side int) *screener {
	k := &screener{axis: x, set: set, side: side, counts: make([]uint32, len(set.All)*x.keys())}
	for part, chance := range x.chance[side] {
		for won := range 3 {
			rest := float64(won)/2 - chance
			k.worth = append(k.worth, panels.Pair{rest, rest * x.slope[part]})
		}
	}
	return k
}

// Run returns the sums of the block's games of the side.
func (k *screener) run(b *block) *moments {
	sum := newMoments(len(k.set.All), k.axis.knots)
	k.games, k.t = k.games[:0], k.t[:0]
	for _, g := range b.games {
		if g.side == k.side {
			t := k.spline(b.keys[64*g.from : 64*g.from+g.rows])
			k.games, k.t = append(k.games, panels.Words{From: uint32(g.from), To: uint32(g.to)}), append(k.t, t)
			sum.addGame(t)
		}
	}
	k.sums = slices.Grow(k.sums[:0], len(k.games))[:len(k.games)]
	for c := range k.set.All {
		k.condition(b, c, sum)
	}
	return sum
}

// spline returns the scores of the spline in a game's rows.
func (k *screener) spline(keys []uint16) []float64 {
	t := make([]float64, k.axis.knots)
	for _, key := range keys {
		h, rest := k.axis.hats[key/3], k.worth[key][0]
		t[h.knot] += h.left * rest
		t[h.knot+1] += h.right * rest
	}
	return t
}

// condition adds the scores of condition c in every game that has a position of it.
func (k *screener) condition(b *block, c int, to *moments) {
	first, second := b.holding(k.set.All[c])
	panels.SumHeld(k.sums, k.games, first, second, b.keys, k.worth, k.counts[c*k.axis.keys():(c+1)*k.axis.keys()])
	for i := range k.games {
		if s := &k.sums[i]; s.N > 0 {
			to.addCondition(c, s.Sum[0], s.Sum[1], int32(s.N), k.t[i])
		}
	}
}

// outcomes returns the counts by condition and part.
func (k *screener) outcomes() []outcomes {
	all := make([]outcomes, len(k.set.All)*len(k.axis.value))
	for i := range all {
		lost, drawn, won := k.counts[3*i], k.counts[3*i+1], k.counts[3*i+2]
		all[i] = outcomes{lost + drawn + won, drawn + 2*won}
	}
	return all
}
