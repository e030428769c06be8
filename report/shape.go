package report

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// sigmoid is 1/(1+exp(-W0·v)), fitted to a curve.
type sigmoid struct {
	W0 float64 // in 1/unit; 0 with OK false
	OK bool    // false: no finite maximum, the wins and losses do not overlap
}

// Scale is the evaluation at which the odds are e to 1: 1/W0.
func (s sigmoid) Scale() float64 { return 1 / s.W0 }

// At is the win probability at v.
func (s sigmoid) At(v float64) float64 { return 1 / (1 + math.Exp(-s.W0*v)) }

// fitSigmoid maximises the likelihood of the bins' wins and losses at their centres by
// iteratively reweighted least squares, which for one unknown is Newton's method. The
// log-likelihood is concave.
func fitSigmoid(bins []bin) sigmoid {
	w := 0.0
	for range 100 {
		gradient, curvature := 0.0, 0.0
		for _, b := range bins {
			n := float64(b.Positions)
			p := 1 / (1 + math.Exp(-w*b.V))
			gradient += b.V * (b.won - n*p)
			curvature += b.V * b.V * n * p * (1 - p)
		}
		if curvature < 1e-12 {
			return sigmoid{}
		}
		step := gradient / curvature
		// Far from the maximum a full step can overshoot to where everything is certain.
		if limit := math.Max(math.Abs(w), 1/spread(bins)); math.Abs(step) > limit {
			step = math.Copysign(limit, step)
		}
		w += step
		if math.Abs(step) <= 1e-13*math.Abs(w) {
			return sigmoid{w, true}
		}
	}
	return sigmoid{}
}

func spread(bins []bin) float64 {
	widest := 0.0
	for _, b := range bins {
		widest = math.Max(widest, math.Abs(b.V))
	}
	return widest
}

// steps says how a curve goes from bin to bin. A good evaluation's goes up.
type steps struct {
	All    int
	Down   int // the next bin is below
	Beyond int // and by more than its error
	Worst  float64
	At     float64 // where the worst of these ends
}

// stepsOf looks at neighbouring bins. A step down is beyond its error when a curve that
// nowhere falls would show one like it, at any of its steps, in one of twenty samples at
// most (one-sided, Bonferroni). The errors of the two bins are added as if they had no
// game in common; with common games the true error is smaller.
func stepsOf(bins []bin) steps {
	s := steps{All: max(0, len(bins)-1)}
	if s.All == 0 {
		return s
	}
	z := distuv.UnitNormal.Quantile(1 - 0.05/float64(s.All))
	for i := 1; i < len(bins); i++ {
		a, b := bins[i-1], bins[i]
		fall := a.P - b.P
		if fall <= 0 {
			continue
		}
		s.Down++
		if fall > z*math.Hypot(a.error(), b.error()) {
			s.Beyond++
			if fall > s.Worst {
				s.Worst, s.At = fall, b.V
			}
		}
	}
	return s
}

// error is the half width of the bin's interval in standard errors of the normal
// distribution: it allows for few games, and is not 0 where all were won.
func (b bin) error() float64 { return (b.High - b.Low) / 2 / distuv.UnitNormal.Quantile(0.975) }

// gap is how far a conditioned curve is from the total. Horizontally, in evaluation
// units at equal win probability: a positive gap says that the positions are worth so
// much more to the first player than their value says.
type gap struct {
	Compared int64      // positions of the bins that the horizontal gap is read at, see flat
	Mean     float64    // over them
	Largest  float64    // of a bin, by absolute value
	At       float64    // the bin
	Levels   [3]float64 // at the win probabilities of gapLevels; NaN where a curve does not reach
	Area     float64    // mean vertical distance over the positions of the condition, 0 to 1
	Signed   float64    // the same with its sign: positive above the total
}

// flat is the win probability below which, and beyond 1-flat, a curve is too flat to be
// read from the side.
const flat = 0.1

var gapLevels = [3]float64{0.25, 0.5, 0.75}

func gapBetween(total, condition []bin) *gap {
	g := &gap{Mean: math.NaN(), Largest: math.NaN(), At: math.NaN(), Area: math.NaN(), Signed: math.NaN()}
	whole, part := risingCurve(total), risingCurve(condition)
	for i, level := range gapLevels {
		a, okA := whole.invert(level)
		b, okB := part.invert(level)
		g.Levels[i] = math.NaN()
		if okA && okB {
			g.Levels[i] = a - b
		}
	}
	var sum, area, signed, positions float64
	for _, b := range condition {
		n := float64(b.Positions)
		if p, ok := interpolate(total, b.V); ok {
			area += n * math.Abs(b.P-p)
			signed += n * (b.P - p)
			positions += n
		}
		v, ok := whole.invert(b.P)
		if !ok || b.P < flat || b.P > 1-flat {
			continue
		}
		g.Compared += b.Positions
		sum += n * (v - b.V)
		if !(math.Abs(v-b.V) <= math.Abs(g.Largest)) {
			g.Largest, g.At = v-b.V, b.V
		}
	}
	if g.Compared > 0 {
		g.Mean = sum / float64(g.Compared)
	}
	if positions > 0 {
		g.Area, g.Signed = area/positions, signed/positions
	}
	return g
}

// interpolate is the curve's height at v, between the centres of its bins.
func interpolate(bins []bin, v float64) (float64, bool) {
	i := sort.Search(len(bins), func(i int) bool { return bins[i].V >= v })
	switch {
	case i == len(bins):
		return 0, false
	case bins[i].V == v:
		return bins[i].P, true
	case i == 0:
		return 0, false
	}
	a, b := bins[i-1], bins[i]
	return a.P + (b.P-a.P)*(v-a.V)/(b.V-a.V), true
}

// rising is a curve that does not fall, so that it can be read from the side.
type rising struct{ v, p []float64 }

// risingCurve is the nearest one that does not fall, by least squares weighted with the
// positions (isotonic regression: neighbours that violate the order are pooled). A
// pool stands at the mean of its centres.
func risingCurve(bins []bin) rising {
	type pool struct{ v, p, n float64 }
	var pools []pool
	for _, b := range bins {
		n := float64(b.Positions)
		pools = append(pools, pool{b.V, b.P, n})
		for len(pools) > 1 && pools[len(pools)-2].p >= pools[len(pools)-1].p {
			a, z := pools[len(pools)-2], pools[len(pools)-1]
			n := a.n + z.n
			pools = append(pools[:len(pools)-2], pool{(a.v*a.n + z.v*z.n) / n, (a.p*a.n + z.p*z.n) / n, n})
		}
	}
	var r rising
	for _, k := range pools {
		r.v, r.p = append(r.v, k.v), append(r.p, k.p)
	}
	return r
}

// invert is the value at which the curve has the win probability p.
func (r rising) invert(p float64) (float64, bool) {
	i := sort.SearchFloat64s(r.p, p)
	switch {
	case i == len(r.p):
		return 0, false
	case r.p[i] == p:
		return r.v[i], true
	case i == 0:
		return 0, false
	}
	return r.v[i-1] + (r.v[i]-r.v[i-1])*(p-r.p[i-1])/(r.p[i]-r.p[i-1]), true
}
