package pairs

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"kifu/internal/lists"
)

// leastSpread is the number of pairs from which their spread is shown, and leastJudged the number from
// which it is known well enough to mark pairs that stand out: Student's distribution has three degrees
// of freedom there.
const (
	leastSpread = 20
	leastJudged = 8
)

// spreadOf returns the spread of the pairs' z: the median of |z| over the normal distribution's. By
// chance it is 1. A few outlying pairs do not move it.
func spreadOf(pairs []*pairing) float64 {
	z := sizesOf(pairs)
	n := len(z)
	return (z[(n-1)/2] + z[n/2]) / 2 / distuv.UnitNormal.Quantile(0.75)
}

// sizesOf returns |z| of the pairs as the games have it, ascending.
func sizesOf(pairs []*pairing) []float64 {
	z := lists.Of(pairs, func(p *pairing) float64 { return math.Abs(p.Raw) })
	slices.Sort(z)
	return z
}

// scale holds the divisor of the pairs' z: changing strengths and wrong ratings move all pairs away
// from their expectation, and a pair stands out only among them (genomic control: B. Devlin and K.
// Roeder, 1999).
type scale struct {
	by float64 // 1: z is unchanged
	// degrees are the degrees of freedom of Student's distribution for z/by: 0.37 n for a median of n
	// numbers, by its efficiency.
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
