package solve

import (
	"math"

	"kifu/internal/dyads"
)

// intervals returns the ends of the 95 % intervals of the weights, of w_0 and of the
// draw width, from the covariance c of the unknowns; NaN without one.
//
// A weight is its value in e(p) plus θ_j/θ_0, a ratio of two normal estimates. Its interval has the
// ratios w for which θ_j - w·θ_0 is within 1.96 of its errors (Fieller 1954). If few players or
// games determine the errors, 1.96 is larger: df are the degrees of freedom of the variances, nil
// for known ones. If w_0 is well known, this is ± 1.96 standard errors by the delta method.
// Otherwise the interval extends further from zero, as it must: with 200 games the delta method's
// covers too often. If w_0 may be zero by its own errors, the ratio may be anything, and there is no
// interval.
//
// The interval of a weight ends at its bounds.
//
// z is the test that a weight is zero. It needs no ratio: it tests w_0 times the weight, in log-odds,
// converted to the normal quantile with the same tail probability. Its absolute value is above 1.96 if the
// interval excludes zero.
func (e *Estimate) intervals(se []float64, c covariance, df []float64) (low, high, z []float64) {
	k := e.Design.Scale()
	low, high, z = make([]float64, len(e.theta)), make([]float64, len(e.theta)), make([]float64, len(e.theta))
	for j := range e.theta {
		t := dyads.Quantile95(entry(df, j))
		at, reach := e.theta[j], t*se[j]
		if j < k {
			at = e.Design.Params[j].Initial + e.theta[j]/e.theta[k]
		}
		low[j], high[j], z[j] = at-reach, at+reach, at/se[j]
		if j < k && len(e.u.Of[k]) > 0 && !math.IsNaN(se[j]) {
			own, mixed, scale := product(e.u.Of[j], e.u.Of[j], c), product(e.u.Of[j], e.u.Of[k], c), product(e.u.Of[k], e.u.Of[k], c)
			initial := e.Design.Params[j].Initial
			a, b := fieller(e.theta[j], e.theta[k], own, mixed, scale, t)
			low[j], high[j] = initial+a, initial+b
			z[j] = (e.theta[j] + initial*e.theta[k]) / math.Sqrt(own+2*initial*mixed+initial*initial*scale)
		}
		if j < k {
			p := &e.Design.Params[j]
			low[j], high[j] = min(max(low[j], p.Low), p.High), min(max(high[j], p.Low), p.High)
		}
		z[j] = dyads.AsNormal(z[j], entry(df, j))
	}
	return low, high, z
}

// entry returns degrees of freedom, infinite ones of nil.
func entry(df []float64, j int) float64 {
	if df == nil {
		return math.Inf(1)
	}
	return df[j]
}

// fieller returns the interval of a/b by Fieller's theorem: the w for which a - w·b is within t of its
// errors; NaN if it has no end. a and b > 0 are normal estimates with the variances va and vb and the
// covariance vab.
func fieller(a, b, va, vab, vb, t float64) (low, high float64) {
	q := t * t
	square, middle, rest := b*b-q*vb, a*b-q*vab, a*a-q*va
	if square <= 0 {
		return math.NaN(), math.NaN()
	}
	reach := math.Sqrt(max(0, middle*middle-square*rest))
	return (middle - reach) / square, (middle + reach) / square
}
