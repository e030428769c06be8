package pairs

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// leastSpread is the number of pairs from which their spread is shown, and leastJudged that from which it is known
// well enough that pairs are told to stand out among them: Student's distribution has three degrees of freedom there.
const (
	leastSpread = 20
	leastJudged = 8
)

// spreadOf returns how far the pairs' z lie apart: the median of |z| in those of the normal
// distribution. By chance it is 1. A few pairs that stand out do not move it.
func spreadOf(pairs []*pairing) float64 {
	z := sizesOf(pairs)
	n := len(z)
	return (z[(n-1)/2] + z[n/2]) / 2 / distuv.UnitNormal.Quantile(0.75)
}

// sizesOf returns |z| of the pairs as the games have it, ascending.
func sizesOf(pairs []*pairing) []float64 {
	var z []float64
	for _, p := range pairs {
		z = append(z, math.Abs(p.Raw))
	}
	slices.Sort(z)
	return z
}

// scale holds the divisor of the pairs' z: strengths that change and ratings that are wrong move
// all pairs away from what is expected, and one that stands out has to do so among them
// (genomic control: B. Devlin and K. Roeder, 1999).
type scale struct {
	by float64 // 1: z stays as it is
	// degrees are those of Student's distribution that z/by is taken from: of a median of n
	// numbers 0.37 n, by its efficiency.
	degrees float64
}

const efficiency = 0.37 // of the median of |z| as a measure of the spread of normal numbers

func scaleOf(pairs []*pairing) scale {
	if s := spreadOf(pairs); len(pairs) >= leastJudged && s > 1 {
		return scale{s, efficiency * float64(len(pairs))}
	}
	return scale{by: 1}
}

// student returns the distribution of z/by.
func (s scale) student() distuv.StudentsT { return distuv.StudentsT{Sigma: s.by, Nu: s.degrees} }

// raw returns the tail probability of independent games that is a tempered one of 2.5 %.
func (s scale) raw() float64 {
	if s.by == 1 {
		return 0.025
	}
	return distuv.UnitNormal.CDF(s.student().Quantile(0.025))
}

// temper divides z by the scale, in all probabilities of the pair.
func (p *pairing) temper(s scale) {
	if s.by == 1 {
		return
	}
	tail := func(p float64) float64 {
		if p <= 0 || p >= 1 {
			return p
		}
		return s.student().CDF(distuv.UnitNormal.Quantile(p))
	}
	p.Z = math.Copysign(-distuv.UnitNormal.Quantile(s.student().CDF(-math.Abs(p.Raw))), p.Raw)
	p.P = min(1, 2*tail(p.P/2))
	for i := range p.Beyond {
		p.Beyond[i], p.Stronger[i] = tail(p.Beyond[i]), tail(p.Stronger[i])
	}
}
