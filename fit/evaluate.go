package fit

import (
	"cmp"
	"fmt"
	"slices"

	"kifu/eval"
	"kifu/schemas"
)

// Positions are told apart by their ply and by their phase, in bands. A stratum is a
// band of either.
const (
	phaseBands = 3
	noStratum  = 255 // the labels have no ply
)

// plyStarts are the first plies of the bands.
var plyStarts = [...]int32{0, 20, 40, 60, 80, 120}

// stratumOf returns the stratum of a position whose phase has the share in the way from
// the first knot to the last.
func stratumOf(m *eval.Model, ply int32, phase int) uint8 {
	band := 0
	for band+1 < len(plyStarts) && ply >= plyStarts[band+1] {
		band++
	}
	return uint8(band*phaseBands + phaseBand(m, phase))
}

func phaseBand(m *eval.Model, phase int) int {
	first, last := m.Knots[0], m.Knots[len(m.Knots)-1]
	if first == last {
		return 0
	}
	return min(phaseBands-1, max(0, phaseBands*(phase-first)/(last-first)))
}

// bandNames name the bands of ply and phase, as "20-39".
func bandNames(m *eval.Model) (plies, phases []string) {
	for i, from := range plyStarts {
		if i+1 == len(plyStarts) {
			plies = append(plies, fmt.Sprintf("%d-", from))
		} else {
			plies = append(plies, fmt.Sprintf("%d-%d", from, plyStarts[i+1]-1))
		}
	}
	first, last := m.Knots[0], m.Knots[len(m.Knots)-1]
	for band := range phaseBands {
		var in []int
		for phase := min(first, last); phase <= max(first, last); phase++ {
			if phaseBand(m, phase) == band {
				in = append(in, phase)
			}
		}
		if first > last {
			slices.Reverse(in)
		}
		if len(in) == 0 {
			phases = append(phases, "")
			continue
		}
		phases = append(phases, fmt.Sprintf("%d-%d", in[0], in[len(in)-1]))
	}
	return plies, phases
}

// evaluation is what forecasts make of positions that they were not fitted to.
type evaluation struct {
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

// add evaluates f on r.
func (v *evaluation) add(r *rows, f forecaster) {
	v.method = f.method
	if r.d.decided != nil {
		v.addDecisions(r, f)
		return
	}
	r.eachForecast(f, func(b *block, z []float64) {
		for i, zi := range z {
			y, w, s := float64(b.y[i]), b.weightOf(i), b.stratum[i]
			v.total.add(f, zi, y, w)
			if s != noStratum {
				v.plies[s/phaseBands].add(f, zi, y, w)
				v.phases[s%phaseBands].add(f, zi, y, w)
			}
			v.points = append(v.points, point{zi, y, w, s})
		}
	})
}

func (v *evaluation) metrics() schemas.FitMetrics {
	m := v.total.metrics(v.method)
	if len(v.points) > 0 {
		m.Order = agreement(v.points)
	}
	return m
}

// bands are the metrics by band of ply and of phase, those without a position left out.
func (v *evaluation) bands(m *eval.Model) []schemas.FitBand {
	plies, phases := bandNames(m)
	var out []schemas.FitBand
	add := func(by, name string, t *tally, in func(s uint8) bool) {
		if t.n == 0 {
			return
		}
		var some []point
		for _, p := range v.points {
			if p.stratum != noStratum && in(p.stratum) {
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

// agreement is the share of the pairs of positions with different results whose scores
// are in the same order, equal scores counting half: for wins and losses the area under
// the ROC curve, in general (1 + Somers' D)/2 (Somers 1962). It is nil without a pair.
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
		var group, before, same float64 // weights: of the score, of lower results in it, of this result
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
	return known((right + ties/2) / pairs)
}
