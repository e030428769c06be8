package tune

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"kifu/internal/logit"
)

// Optimum is an interval of at least 95 % for a parameter's best value, within the parameter's bounds. It is
// estimated from the games of a run, with the other parameters where they were.
//
// The points of an iteration follow a logistic regression on x·s. x is the difference of the values that
// played, s the slope of the strength, in log-odds, at their mean m. The other parameters flip independently,
// so their effect is noise. β has the largest likelihood, with White's errors (1982), which allow for more or
// less noise than a coin's. The slope has three forms:
//
//	straight  β0 - β1 m: the strength is quadratic
//	drifting  β0 - β1 m + β2 (k/n - 1): the same, moved through the n iterations by the other parameters
//	bent      β0 - β1 m + β2 m²: the strength leans to one side
//
// The interval of the first two has all values at which the slope (drifting: at the end) does not
// differ from 0 (E. C. Fieller, 1954), if the strength has a maximum. If it is unbounded on one
// side, that end is the mean of all m, where the slope is known. The interval of bent is limited to
// the bounds. The interval is the union of all three; it is missing if straight has none, or
// neither of the others.
//
// m follows the noise of earlier iterations, like a series that is regressed on its own past, so β1 divided
// by its error is not normal. If nothing depends on the parameter, it is distributed as the statistic of D.
// A. Dickey and W. A. Fuller (1979) for a random walk with a mean. straight and drifting use its critical
// value.
type Optimum struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// Found means that the interval is not the whole range.
	Found bool `json:"found"`
}

const (
	// dickeyFuller is the critical value of 2.5 % of the statistic for many observations (W. A. Fuller,
	// Introduction to Statistical Time Series, 1976, table 8.5.2).
	dickeyFuller = 3.12
	// normal is the number of standard errors from which a bent slope differs from 0.
	normal = 1.96
	// steps divide the range in which a bent slope is examined.
	steps = 400
	// leastIterations are needed for an interval.
	leastIterations = 40
)

// shape is how the slope depends on the mean of the values that play.
type shape int

const (
	straight shape = iota
	drifting
	bent
)

// Optimum returns the interval of a parameter.
func (t *Trajectory) Optimum(i int) Optimum {
	q := t.params.Parameters[i]
	o := Optimum{Low: q.Min, High: q.Max}
	if len(t.Iterations) < leastIterations {
		return o
	}
	low, high := math.Inf(1), math.Inf(-1)
	var found [3]bool
	for _, of := range []shape{straight, drifting, bent} {
		s, ok := slopesOf(t.Iterations, i, of)
		if !ok {
			continue
		}
		var from, to float64
		if from, to, found[of] = s.zeroes(); of == bent {
			from, to, found[of] = s.undecided(q)
		}
		if found[of] {
			low, high = min(low, from), max(high, to)
		}
	}
	if found[straight] && (found[drifting] || found[bent]) {
		o.Low, o.High = q.clip(low), q.clip(high)
	}
	o.Found = o.Low > q.Min || o.High < q.Max
	return o
}

// slopes is β0 - β1 (m - middle) and the variances of β; drifting adds β2 (k/n - 1), bent β2 (m - middle)².
type slopes struct {
	middle float64
	b      []float64
	v      *mat.Dense
}

// slopesOf fits the line to the iterations. ok is false if the likelihood has no maximum: the values never
// changed, or one side won all games.
func slopesOf(all []Iteration, i int, of shape) (s slopes, ok bool) {
	games := 0.0
	for _, it := range all {
		n := float64(it.Result.Finished())
		s.middle += n * (it.Plus[i] + it.Minus[i]) / 2
		games += n
	}
	if games == 0 {
		return s, false
	}
	s.middle /= games
	scale := 0.0 // of m, so that the terms are of one size
	for _, it := range all {
		scale = max(scale, math.Abs((it.Plus[i]+it.Minus[i])/2-s.middle))
	}
	if scale == 0 {
		return s, false
	}
	rows := make([]logit.Row, len(all))
	units := []float64{scale, scale * scale}
	switch of {
	case drifting:
		units = append(units, scale)
	case bent:
		units = append(units, scale*scale*scale)
	}
	for k, it := range all {
		x, m := (it.Plus[i]-it.Minus[i])/scale, ((it.Plus[i]+it.Minus[i])/2-s.middle)/scale
		rows[k] = logit.Row{X: []float64{x, -x * m}, N: float64(it.Result.Finished()), Won: float64(it.Result.Wins) + float64(it.Result.Draws)/2}
		switch of {
		case drifting:
			rows[k].X = append(rows[k].X, x*(float64(k+1)/float64(len(all))-1))
		case bent:
			rows[k].X = append(rows[k].X, x*m*m)
		}
	}
	var err error
	if s.b, err = logit.Fit(rows, make([]float64, len(units))); err != nil {
		return s, false
	}
	if s.v, err = sandwich(rows, s.b); err != nil {
		return s, false
	}
	for j, unit := range units {
		s.b[j] /= unit
		for k, other := range units {
			s.v.Set(j, k, s.v.At(j, k)/(unit*other))
		}
	}
	return s, true
}

// sandwich returns the variances of a logistic regression's weights b, with the rows' variances as
// they are.
func sandwich(rows []logit.Row, b []float64) (*mat.Dense, error) {
	k := len(b)
	bread, meat := mat.NewDense(k, k, nil), mat.NewDense(k, k, nil)
	for _, r := range rows {
		eta := 0.0
		for j, x := range r.X {
			eta += x * b[j]
		}
		p := logit.Probability(eta)
		w, e := r.N*p*(1-p), r.Won-r.N*p
		for j, x := range r.X {
			for l, y := range r.X {
				bread.Set(j, l, bread.At(j, l)+w*x*y)
				meat.Set(j, l, meat.At(j, l)+e*e*x*y)
			}
		}
	}
	var inverse, v mat.Dense
	if err := inverse.Inverse(bread); err != nil {
		return nil, err
	}
	v.Product(&inverse, meat, &inverse)
	n := float64(len(rows))
	v.Scale(n/(n-float64(k)), &v)
	return &v, nil
}

// undecided returns the first and the last value of the range at which a bent slope does not differ from 0.
// ok is false if it differs nowhere or everywhere.
func (s slopes) undecided(q Parameter) (low, high float64, ok bool) {
	low, high = math.Inf(1), math.Inf(-1)
	told := false
	for k := range steps + 1 {
		at := q.Min + (q.Max-q.Min)*float64(k)/steps
		d := at - s.middle
		g := mat.NewVecDense(3, []float64{1, -d, d * d})
		if math.Abs(mat.Dot(g, mat.NewVecDense(3, s.b))) > normal*math.Sqrt(mat.Inner(g, s.v, g)) {
			told = true
		} else {
			low, high = min(low, at), max(high, at)
		}
	}
	return low, high, told && low <= high
}

// zeroes returns the interval of the values at which the slope may be 0 while it falls; ok is
// false when that may be anywhere.
func (s slopes) zeroes() (low, high float64, ok bool) {
	const z = dickeyFuller * dickeyFuller
	b0, b1 := s.b[0], s.b[1]
	a, b, c := b1*b1-z*s.v.At(1, 1), b0*b1-z*s.v.At(0, 1), b0*b0-z*s.v.At(0, 0)
	root := math.Sqrt(b*b - a*c)
	switch {
	case math.IsNaN(root) || a == 0:
		return 0, 0, false
	case a > 0 && b1 > 0:
		return s.middle + (b-root)/a, s.middle + (b+root)/a, true
	case a < 0 && c > 0 && b0 > 0: // it rises in the middle, for an unknown distance
		return s.middle, math.Inf(1), true
	case a < 0 && c > 0:
		return math.Inf(-1), s.middle, true
	}
	return 0, 0, false
}
