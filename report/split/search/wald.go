package search

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// test is the verdict of one side on condition c from what the pass has summed.
func (x *axis) test(side int, m *moments, c int, table []outcomes) verdict {
	v := verdict{Games: int64(m.games[c]), Wald: math.NaN(), P: math.NaN(), SlopeP: 1, table: table}
	k := x.knots
	u := mat.NewDense(2, 1, nil)
	info, cross := mat.NewDense(2, 2, nil), mat.NewDense(2, k, nil)
	add := func(to *mat.Dense, i, j int, a float64) { to.Set(i, j, to.At(i, j)+a) }
	for i, p := range x.chance[side] {
		n, won := float64(table[i].n), float64(table[i].won)/2
		v.Positions += int64(table[i].n)
		h := x.hats[i]
		basis := [2]float64{h.left, h.right}
		z := [2]float64{1, x.slope[i]}
		w := p * (1 - p)
		for a := range 2 {
			u.Set(a, 0, u.At(a, 0)+(won-n*p)*z[a])
			for b := range 2 {
				add(info, a, b, n*w*z[a]*z[b])
				add(cross, a, h.knot+b, n*w*z[a]*basis[b])
			}
		}
	}
	var project, efficient, t1 mat.Dense
	project.Mul(cross, x.inverse[side])
	t1.Mul(&project, mat.NewDense(k, 1, m.t))
	u.Sub(u, &t1)
	efficient.Mul(&project, cross.T())
	efficient.Sub(info, &efficient)
	// A condition on the value itself: the total curve has all of it.
	if efficient.At(0, 0) <= 1e-3*info.At(0, 0) {
		return v
	}
	v.score, v.info = [2]float64{u.At(0, 0), u.At(1, 0)}, square{{efficient.At(0, 0), efficient.At(0, 1)}, {efficient.At(1, 0), efficient.At(1, 1)}}
	v.cross = cross
	v.decide(u, &efficient, x.variance(m, c, &project), m.effective(c)-1)
	return v
}

// variance returns the variance of the efficient score: the sum over games of (s-A·t)(s-A·t)ᵀ.
func (x *axis) variance(m *moments, c int, project *mat.Dense) *mat.Dense {
	ss, k := m.ss[3*c:3*c+3], x.knots
	sum := mat.NewDense(2, 2, []float64{ss[0], ss[1], ss[1], ss[2]})
	ts := mat.NewDense(k, 2, m.ts[2*k*c:2*k*(c+1)])
	var mixed, spline, both mat.Dense
	mixed.Mul(project, ts)
	spline.Mul(project, mat.NewDense(k, k, m.tt))
	both.Mul(&spline, project.T())
	sum.Sub(sum, &mixed)
	sum.Sub(sum, mixed.T())
	sum.Add(sum, &both)
	n := float64(m.totalGames)
	sum.Scale(n/(n-float64(k)), sum)
	return sum
}

// effective is the number of games of equal size with as much information on condition c as its games.
func (m *moments) effective(c int) float64 {
	if m.squares[c] == 0 {
		return 0
	}
	return m.positions[c] * m.positions[c] / m.squares[c]
}

// decide computes the step and the statistic uᵀV⁻¹u: the Wald statistic of the step I⁻¹u with
// the covariance I⁻¹VI⁻¹. If the condition holds only in a narrow range of values, shift and
// slope are not separate, and it is the statistic of the shift alone. The variance is estimated
// from about df games. So the statistic is Hotelling's T²; χ² would be too sure for a condition
// that holds in few games.
func (v *verdict) decide(u, info, variance *mat.Dense, df float64) {
	v.df = df
	a, b, c := variance.At(0, 0), variance.At(0, 1), variance.At(1, 1)
	x, y := u.At(0, 0), u.At(1, 0)
	if !(a > 0) || df < 3 {
		return
	}
	det := a*c - b*b
	if !(det > 1e-9*a*c) {
		v.Wald = x * x / a
		v.P = distuv.F{D1: 1, D2: df}.Survival(v.Wald)
		v.Shift = x / info.At(0, 0)
		v.Gain = x * v.Shift / 2
		return
	}
	v.Wald = (c*x*x - 2*b*x*y + a*y*y) / det
	// F's upper tail with two degrees of freedom in closed form: it does not run out.
	v.P = math.Pow(1+v.Wald/df, -(df-1)/2)
	var step mat.Dense
	if step.Solve(info, u) == nil {
		v.Shift, v.Slope = step.At(0, 0), step.At(1, 0)
		v.Gain = (x*v.Shift + y*v.Slope) / 2
	}
	v.SlopeGain = slopeGain(v.score, v.info)
	if part := info.At(0, 1) / info.At(0, 0); v.SlopeGain > 0 {
		rest := y - part*x
		v.slopeSquare = rest * rest / (c - 2*part*b + part*part*a)
		v.SlopeP = distuv.F{D1: 1, D2: df}.Survival(v.slopeSquare)
	}
}

// slopeGain returns the gain of a slope beyond a shift's, by a step; 0 where the two are not separate.
func slopeGain(score [2]float64, info square) float64 {
	part := info[0][1] / info[0][0]
	rest := info[1][1] - part*info[1][0]
	if !(rest > 0.01*info[1][1]) {
		return 0
	}
	u := score[1] - part*score[0]
	return u * u / rest / 2
}
