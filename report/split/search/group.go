package search

import (
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/mat"

	"kifu/report/shape"
	"kifu/report/split/conditions"
)

// square is a matrix over shift and slope.
type square [2][2]float64

func (a square) times(b square) (c square) {
	for i := range 2 {
		for j := range 2 {
			c[i][j] = a[i][0]*b[0][j] + a[i][1]*b[1][j]
		}
	}
	return c
}

func (a square) minus(b square) square {
	for i := range 2 {
		for j := range 2 {
			a[i][j] -= b[i][j]
		}
	}
	return a
}

func (a square) transposed() square { return square{{a[0][0], a[1][0]}, {a[0][1], a[1][1]}} }

// inverse returns the inverse of a positive matrix; if it is nearly singular, the inverse of its first
// row and column alone.
func (a square) inverse() square {
	det := a[0][0]*a[1][1] - a[0][1]*a[1][0]
	if det <= 1e-6*a[0][0]*a[1][1] {
		return square{{1 / a[0][0], 0}, {0, 0}}
	}
	return square{{a[1][1] / det, -a[0][1] / det}, {-a[1][0] / det, a[0][0] / det}}
}

func (a square) apply(x [2]float64) [2]float64 {
	return [2]float64{a[0][0]*x[0] + a[0][1]*x[1], a[1][0]*x[0] + a[1][1]*x[1]}
}

// Same is the share of the gain in log-likelihood of a condition's slope that must remain, given the
// splits before it, for it to be another split.
const Same = 0.35

// left is the remaining gain of a step of the slope, given the splits so far; 0 where they have nearly
// all of the condition's information.
func (k *survivor) left() float64 {
	for i := range 2 {
		if k.info[i][i] <= 0.05*k.verdict.info[i][i] {
			return 0
		}
	}
	return slopeGain(k.score, k.info)
}

// grouping makes splits of what was found.
type grouping struct {
	*Result
	axis      *axis
	set       *conditions.Set
	found     []verdict // of the games of the search
	tested    []bool
	total     []shape.Bin // the total curve of the same, in bins and as a function
	curve     *risingTotal
	survey    *survey
	holding   []bitset
	mirror    *conditions.Mirror
	weights   []sampleWeight
	survivors []*survivor
	all       []*Split
}

func (s *Result) newGrouping(v *survey, x *axis, set *conditions.Set, found []verdict) *grouping {
	return &grouping{Result: s, axis: x, set: set, found: found, tested: s.testable(found), total: x.bins(x.total[Train], 0), curve: x.totalOf(x.total[Train], x.theta[Train]),
		survey: v, holding: v.holding(set), mirror: conditions.NewMirror(s.Columns, v.sample), weights: x.sampleWeights(v, s.Sides[Train].Positions)}
}

// group makes splits of slopes one by one: the first in order, or by fall the one with the
// largest gain given those before it. If a pair adds nothing to one of its conditions, this
// condition replaces it. Slopes with little gain left are then similar to it. The remaining
// gain comes from each condition's own score and the information common to two conditions,
// estimated on a sample of the rows.
func (g *grouping) group(passed []*survivor) {
	for _, k := range passed {
		k.rows = g.survey.rowsOf(k.condition, g.holding)
	}
	var leaders []*survivor
	for next := g.next(passed); next != nil; next = g.next(passed) {
		var pair *survivor
		if simpler := g.axis.parent(g.weights, g.holding, next, passed); simpler != nil {
			if simpler.split != nil {
				next.alike(simpler.split)
				continue
			}
			next, pair = simpler, next
		}
		image := g.image(next)
		if image == nil && len(g.all) == g.Params.Top {
			return
		}
		next.split = g.newSplit(next)
		if image != nil {
			image.Mirror = next.split
		} else {
			g.all = append(g.all, next.split)
		}
		if pair != nil {
			pair.alike(next.split)
		}
		g.axis.explain(g.weights, passed, leaders, next)
		leaders = append(leaders, next)
	}
}

// image returns the split that is k with the colours exchanged, or nil.
func (g *grouping) image(k *survivor) *Split {
	for _, one := range g.all {
		if one.Mirror == nil && g.mirror.Mirrored(g.set, one.Condition, k.condition) {
			return one
		}
	}
	return nil
}

// newSplit is k as a split, of which nothing is confirmed yet.
func (g *grouping) newSplit(k *survivor) *Split {
	return &Split{Condition: k.condition, Train: k.verdict, Ranks: k.ranks, At: k.at, Area: k.area, T: math.NaN(), ShiftP: math.NaN(), SlopeP: math.NaN(), Given: None, Atoms: g.set.Of(k.condition)}
}

// alike adds k to the conditions of a split.
func (k *survivor) alike(s *Split) {
	k.split = s
	s.Alike = append(s.Alike, k.condition)
}

// explain subtracts from the survivors the information of a new leader, given the leaders so far.
func (x *axis) explain(weights []sampleWeight, passed, leaders []*survivor, next *survivor) {
	inverse, score, cross := next.info.inverse(), next.score, next.cross
	for _, k := range passed {
		if k.split != nil {
			continue
		}
		common := x.common(weights, k, next)
		for m, leader := range leaders {
			common = common.minus(k.cross[m].times(leader.info.inverse()).times(cross[m].transposed()))
		}
		k.cross = append(k.cross, common)
		part := common.times(inverse)
		explained := part.apply(score)
		k.score[0], k.score[1] = k.score[0]-explained[0], k.score[1]-explained[1]
		k.info = k.info.minus(part.times(common.transposed()))
		if k.left() < Same*k.verdict.SlopeGain {
			k.alike(next.split)
		}
	}
}

// next is the survivor to become a split, nil when all are taken.
func (s *Result) next(passed []*survivor) (best *survivor) {
	by := slices.Index(Orders, s.Params.By)
	for _, k := range passed {
		switch {
		case k.split != nil:
		case best == nil:
			best = k
		case s.Params.By == byFall && k.left() > best.left(), s.Params.By != byFall && k.ranks[by] < best.ranks[by]:
			best = k
		}
	}
	return best
}

// sampleWeight is a sampled row's information on shift, shift and slope, and slope.
type sampleWeight [3]float64

// sampleWeights are scaled to a number of positions.
func (x *axis) sampleWeights(v *survey, positions int64) []sampleWeight {
	scale := float64(positions) / float64(len(v.rows))
	all := make([]sampleWeight, len(v.rows))
	for i, f := range v.at {
		part := x.part(f)
		p, z := x.chance[Train][part], x.slope[part]
		w := scale * p * (1 - p)
		all[i] = sampleWeight{w, w * z, w * z * z}
	}
	return all
}

// common is the information that two conditions have in common, given the total curve.
func (x *axis) common(weights []sampleWeight, a, b *survivor) square {
	var sum sampleWeight
	for i, word := range a.rows {
		for word &= b.rows[i]; word != 0; word &= word - 1 {
			for j, w := range weights[i<<6+bits.TrailingZeros64(word)] {
				sum[j] += w
			}
		}
	}
	var left, curve mat.Dense
	left.Mul(a.verdict.cross, x.inverse[Train])
	curve.Mul(&left, b.verdict.cross.T())
	return square{{sum[0] - curve.At(0, 0), sum[1] - curve.At(0, 1)}, {sum[1] - curve.At(1, 0), sum[2] - curve.At(1, 1)}}
}
