package forecast

import (
	"cmp"
	"slices"

	"kifu/eval"
	"kifu/fit/rows"
	"kifu/schemas"
)

// Evaluation measures forecasts of positions that they were not fitted to.
type Evaluation struct {
	method string
	total  tally
	plies  [len(plyStarts)]tally
	phases [phaseBands]tally
	points []point
}

// point is a position's score and result.
type point struct {
	z, y, w float64
	stratum uint8
}

// Add evaluates f on r.
func (v *Evaluation) Add(r *rows.Store, f Forecaster) {
	v.method = f.Method
	if r.Design.Decided != nil {
		v.addDecisions(r, f)
		return
	}
	eachForecast(r, f, func(b *rows.Block, z []float64) {
		for i, zi := range z {
			y, w, s := float64(b.Y[i]), b.WeightOf(i), b.Stratum[i]
			v.total.add(f, zi, y, w)
			if s != rows.NoStratum {
				v.plies[s/phaseBands].add(f, zi, y, w)
				v.phases[s%phaseBands].add(f, zi, y, w)
			}
			v.points = append(v.points, point{zi, y, w, s})
		}
	})
}

// Evaluate returns the quality of forecasts of r.
func Evaluate(r *rows.Store, f Forecaster) schemas.FitMetrics {
	var v Evaluation
	v.Add(r, f)
	return v.Metrics()
}

// Positions returns the number of positions evaluated.
func (v *Evaluation) Positions() int { return v.total.n }

// Metrics returns the quality of the forecasts of all positions.
func (v *Evaluation) Metrics() schemas.FitMetrics {
	m := v.total.metrics(v.method)
	if len(v.points) > 0 {
		m.Order = agreement(v.points)
	}
	return m
}

// Bands are the metrics by band of ply and of phase, those without a position left out.
func (v *Evaluation) Bands(m *eval.Model) []schemas.FitBand {
	plies, phases := bandNames(m)
	var out []schemas.FitBand
	add := func(by, name string, t *tally, in func(s uint8) bool) {
		if t.n == 0 {
			return
		}
		var some []point
		for _, p := range v.points {
			if p.stratum != rows.NoStratum && in(p.stratum) {
				some = append(some, p)
			}
		}
		metrics := t.metrics(v.method)
		if len(some) > 0 {
			metrics.Order = agreement(some)
		}
		out = append(out, schemas.FitBand{By: by, Band: name, Positions: t.n, FitMetrics: metrics})
	}
	for i := range v.plies {
		add("ply", plies[i], &v.plies[i], func(s uint8) bool { return int(s/phaseBands) == i })
	}
	for i := range v.phases {
		add("phase", phases[i], &v.phases[i], func(s uint8) bool { return int(s%phaseBands) == i })
	}
	return out
}

// agreement is the share of pairs of positions with different results whose scores have the same order; equal
// scores count half. For wins and losses it is the area under the ROC curve, in general (1 + Somers' D)/2
// (Somers 1962). It is nil without a pair.
//
// Points are taken in the order of their scores; a Fenwick tree has the weight of those
// taken by result.
func agreement(points []point) *float64 {
	levels := make([]float64, len(points))
	for i, p := range points {
		levels[i] = p.y
	}
	slices.Sort(levels)
	levels = slices.Compact(levels)
	points = slices.Clone(points)
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Or(cmp.Compare(a.z, b.z), cmp.Compare(a.y, b.y)) })
	tree := make([]float64, len(levels)+1)
	ofLevel := make([]float64, len(levels))
	var all, right, ties float64
	for from := 0; from < len(points); {
		to := from
		var group, before, same float64 // weights: the score's, of lower results in it, and of this result
		for ; to < len(points) && points[to].z == points[from].z; to++ {
			p := points[to]
			level, _ := slices.BinarySearch(levels, p.y)
			for i := level; i > 0; i -= i & -i {
				right += p.w * tree[i]
			}
			if to == from || points[to-1].y != p.y {
				before, same = before+same, 0
			}
			ties += p.w * before
			same += p.w
			group += p.w
		}
		for _, p := range points[from:to] {
			level, _ := slices.BinarySearch(levels, p.y)
			ofLevel[level] += p.w
			for i := level + 1; i < len(tree); i += i & -i {
				tree[i] += p.w
			}
		}
		all += group
		from = to
	}
	pairs := all * all
	for _, w := range ofLevel {
		pairs -= w * w
	}
	if pairs /= 2; pairs <= 1e-12*all*all {
		return nil
	}
	return schemas.Number((right + ties/2) / pairs)
}
