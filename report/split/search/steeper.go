package search

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"kifu/report/split/conditions"
)

// A slope's score is skewed: at large values nearly all positions are won, and a lost one
// weighs much. By chance a sample has too few such games, or too many. So an error estimated
// from the sample is too small just when the score is large: t-tests reject 50 times too often
// at 1e-4. The model gives the frequency of such games better. Under it the win probability p
// of successive positions of a game is a martingale (p is the best forecast of the next p), so
// that for positions s before t
//
//	E (y-p_s)(y-p_t) = p_t(1-p_t).
//
// x is the regressor, free of the null model. The variance of a game's score Σ x_t(y-p_t) then
// has the mean Σ p_t(1-p_t) x_t (x_t + 2 Σ x_s), without the result in it. The third moment is
// similar. Pearson's type III has the tail of a sum with these moments. If evaluations are no
// such martingale, the variance of the condition's shift, whose score is not skewed, is larger
// by games than by the model. The variance of the slope is then enlarged by the same factor.

// slopeScore is the score of a condition's slope next to its shift, and its moments.
type slopeScore struct {
	sum, variance, third float64
	shiftSquares         float64 // of the games' scores of the shift
	shiftVariance        float64 // by the model
	players              float64 // times larger is the shift's variance by player than by game; 0: unknown
}

func (s *slopeScore) add(o slopeScore) {
	s.sum, s.variance, s.third = s.sum+o.sum, s.variance+o.variance, s.third+o.third
	s.shiftSquares, s.shiftVariance = s.shiftSquares+o.shiftSquares, s.shiftVariance+o.shiftVariance
}

// p is the p-value of the slope being 0, against both sides.
func (s slopeScore) p() float64 {
	if !(s.variance > 0 && s.shiftVariance > 0) {
		return math.NaN()
	}
	wider := math.Max(1, math.Max(1, s.players)*s.shiftSquares/s.shiftVariance)
	z, skew := s.sum/math.Sqrt(wider*s.variance), s.third/math.Pow(s.variance, 1.5)
	return math.Min(1, 2*math.Min(typeThree(z, skew), typeThree(-z, -skew)))
}

// typeThree returns the upper tail at z of Pearson's type III distribution (Pearson 1895): a
// shifted and mirrored gamma distribution with mean 0, variance 1 and this skewness.
func typeThree(z, skew float64) float64 {
	if math.Abs(skew) < 1e-3 {
		return distuv.UnitNormal.Survival(z)
	}
	alpha := 4 / skew / skew
	g := distuv.Gamma{Alpha: alpha, Beta: 1}
	if skew > 0 {
		return g.Survival(math.Max(0, alpha+math.Sqrt(alpha)*z))
	}
	return g.CDF(math.Max(0, alpha-math.Sqrt(alpha)*z))
}

// path is a position: its result and win probability, and its regressors of the slope and of
// the shift, a pair a condition.
type path struct {
	won, p float64
	x      []float64
}

// pathMoments are the scores of one game, the positions of which are in their order.
func pathMoments(game []path, conditions int) []slopeScore {
	all := make([]slopeScore, conditions)
	for c := range all {
		s := &all[c]
		var before, chance, shiftBefore, shift float64 // sums of x, of x·p, of the shift's regressor, of its score
		for _, t := range game {
			x, d, w := t.x[2*c], t.x[2*c+1], t.p*(1-t.p)
			third := w * (1 - 2*t.p)
			s.sum += x * (t.won - t.p)
			s.variance += w * x * (x + 2*before)
			drift := t.p*before - chance
			s.third += x * (third*(x*x+3*x*before+3*before*before) + 3*w*drift*(x+2*before))
			before, chance = before+x, chance+x*t.p
			shift += d * (t.won - t.p)
			s.shiftVariance += w * d * (d + 2*shiftBefore)
			shiftBefore += d
		}
		s.shiftSquares = shift * shift
	}
	return all
}

// slopes are the scores of all conditions' slopes in the games of a side, of which verdicts
// know the information.
func (s *stored) slopes(ctx context.Context, set *conditions.Set, side int, verdicts []verdict) ([]slopeScore, error) {
	k := &sloper{axis: s.axis, set: set, side: side, lift: s.axis.lift(side, verdicts)}
	total := make([]slopeScore, len(set.All))
	return total, eachBlock(ctx, s, "splits: slopes", set.All, func(_ int, b *block) []slopeScore { return k.run(b) }, func(sums []slopeScore) {
		for c, s := range sums {
			total[c].add(s)
		}
	})
}

// sloper makes the scores of slopes.
type sloper struct {
	axis *axis
	set  *conditions.Set
	side int
	lift []lift
}

// Run returns the sums of the block's games of the side.
func (k *sloper) run(b *block) []slopeScore {
	sums := make([]slopeScore, len(k.set.All))
	for i := range b.games {
		if b.games[i].side != k.side {
			continue
		}
		for c, s := range pathMoments(k.game(b, &b.games[i]), len(sums)) {
			sums[c].add(s)
		}
	}
	return sums
}

// lift makes regressors free of the total curve, and the slope's of the shift's.
type lift struct {
	slope, shift []float64 // what f's knots explain, by part of the axis
	beta         float64
	ok           bool
}

// lift returns the lift of each condition by the information on a side.
func (x *axis) lift(side int, verdicts []verdict) []lift {
	all := make([]lift, len(verdicts))
	for c, v := range verdicts {
		if v.cross == nil || !(v.info[0][0] > 0) {
			continue
		}
		l := lift{beta: v.info[1][0] / v.info[0][0], ok: true}
		var project mat.Dense
		project.Mul(v.cross, x.inverse[side])
		for _, h := range x.hats {
			shift := h.left*project.At(0, h.knot) + h.right*project.At(0, h.knot+1)
			slope := h.left*project.At(1, h.knot) + h.right*project.At(1, h.knot+1)
			l.shift, l.slope = append(l.shift, shift), append(l.slope, slope-l.beta*shift)
		}
		all[c] = l
	}
	return all
}

// game is the path of a game.
func (k *sloper) game(b *block, g *blockGame) []path {
	rows, n := make([]path, g.rows), 2*len(k.set.All)
	x := make([]float64, len(rows)*n)
	keys := b.keys[64*g.from:][:len(rows)]
	for i, key := range keys {
		rows[i] = path{won: float64(key%3) / 2, p: k.axis.chance[k.side][key/3], x: x[i*n : (i+1)*n]}
	}
	for c, one := range k.set.All {
		l := &k.lift[c]
		if !l.ok {
			continue
		}
		first, second := b.holding(one)
		for i, key := range keys {
			part := key / 3
			slope, shift := -l.slope[part], -l.shift[part]
			if inBoth(first, second, 64*g.from+i) {
				slope, shift = slope+k.axis.slope[part]-l.beta, shift+1
			}
			rows[i].x[2*c], rows[i].x[2*c+1] = slope, shift
		}
	}
	return rows
}
