package pentanomial

import "math"

// sample holds shares of pairs by their points, for likelihood ratios. The formulas are those of
// fishtest (its LLRcalc and stat_util) and, for normalised Elo, of M. Van den Bergh, Comments on
// Normalized Elo. An empty count is taken as a thousandth, so there is a ratio even if all pairs
// ended alike.
type sample struct {
	pairs  float64
	counts [5]float64 // as shares
	mean   float64    // points per game, from 0 to 1
	dev    float64    // standard deviation of the mean points of a pair
}

const (
	emptyCount = 1e-3
	// perPair is a unit of normalised Elo in standard deviations of the mean points of a pair.
	perPair = math.Sqrt2 / unit
)

func newSample(pairs Pairs) sample {
	var s sample
	for i, n := range pairs {
		s.counts[i] = max(float64(n), emptyCount)
		s.pairs += s.counts[i]
	}
	for i := range s.counts {
		s.counts[i] /= s.pairs
	}
	var variance float64
	s.mean, variance = moments(s.counts)
	s.dev = math.Sqrt(variance)
	return s
}

// ratioNormalised returns the log likelihood ratio of two hypotheses in normalised Elo.
func (s sample) ratioNormalised(elo0, elo1 float64) float64 {
	return s.ratio(s.likeliestAt(elo0*perPair), s.likeliestAt(elo1*perPair))
}

// ratioLogistic returns the log likelihood ratio of two hypotheses in Elo.
func (s sample) ratioLogistic(elo0, elo1 float64) float64 {
	likeliest := func(elo float64) [5]float64 {
		mean := expected(elo)
		var g [5]float64
		for i := range g {
			g[i] = points(i) - mean
		}
		return s.constrained(g)
	}
	return s.ratio(likeliest(elo0), likeliest(elo1))
}

func (s sample) ratio(p0, p1 [5]float64) (sum float64) {
	for i, x := range s.counts {
		sum += s.pairs * x * math.Log(p1[i]/p0[i])
	}
	return sum
}

// likeliestAt returns the distribution of greatest likelihood whose mean is t standard
// deviations above one half. The condition is made linear around a distribution that
// fulfils it better each time.
func (s sample) likeliestAt(t float64) [5]float64 {
	p := [5]float64{0.2, 0.2, 0.2, 0.2, 0.2}
	for range 100 {
		mean, variance := moments(p)
		dev := math.Sqrt(variance)
		var g [5]float64
		for i := range g {
			d := (points(i) - mean) / dev
			g[i] = points(i) - 0.5 - t*dev*(1+d*d)/2
		}
		next, moved := s.constrained(g), 0.0
		for i := range p {
			moved = max(moved, math.Abs(next[i]-p[i]))
		}
		if p = next; moved < 1e-12 {
			break
		}
	}
	return p
}

// constrained returns the distribution p of greatest likelihood for which the sum of p g is
// 0: counts / (1 + x g), x being the root of a falling function between its poles. g has
// values on both sides of 0.
func (s sample) constrained(g [5]float64) (p [5]float64) {
	lowest, highest := g[0], g[0]
	for _, v := range g {
		lowest, highest = min(lowest, v), max(highest, v)
	}
	low, high := -1/highest, -1/lowest
	for range 200 {
		x, sum := (low+high)/2, 0.0
		for i, v := range g {
			p[i] = s.counts[i] / (1 + x*v)
			sum += p[i] * v
		}
		if sum > 0 {
			low = x
		} else {
			high = x
		}
	}
	return p
}
