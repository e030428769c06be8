package match

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// pairStats are the statistics of the five counts of Tally.Pairs. The formulas are those
// of fishtest (its LLRcalc and stat_util) and, for normalised Elo, of M. Van den Bergh,
// Comments on Normalized Elo: an empty count is taken for a thousandth, so that there
// is an answer even when all pairs ended alike.
type pairStats struct {
	pairs  float64
	counts [5]float64 // as shares
	mean   float64    // points of a game, from 0 to 1
	dev    float64    // standard deviation of the mean points of a pair
}

const (
	emptyCount = 1e-3
	// A unit of normalised Elo, in standard deviations of the points of a game.
	normalised = 800 / math.Ln10
	// z of a two-sided interval of 95 %.
	z95 = 1.959963984540054
)

func newPairStats(pairs [5]int64) pairStats {
	var s pairStats
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

// points are what the games of a pair that counts as i are worth, on the average.
func points(i int) float64 { return float64(i) / 4 }

func moments(p [5]float64) (mean, variance float64) {
	for i, x := range p {
		mean += x * points(i)
	}
	for i, x := range p {
		variance += x * (points(i) - mean) * (points(i) - mean)
	}
	return mean, variance
}

// Estimate is a value with its interval of 95 %.
type Estimate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// spread returns the standard error of the mean.
func (s pairStats) spread() float64 { return s.dev / math.Sqrt(s.pairs) }

// score returns the mean points of a game.
func (s pairStats) score() Estimate {
	return Estimate{s.mean, max(0, s.mean-z95*s.spread()), min(1, s.mean+z95*s.spread())}
}

// elo returns the difference of ratings that the score stands for; a bound is cut off where
// the score would be next to 0 or 1.
func (s pairStats) elo() Estimate {
	e := s.score()
	return Estimate{logistic(e.Value), logistic(e.Low), logistic(e.High)}
}

// mostElo is the difference of ratings at which a score of 1 or 0 is cut off.
const mostElo = 2400

// logistic returns the difference of ratings at which a score is expected.
func logistic(score float64) float64 {
	switch {
	case score <= 0:
		return -mostElo
	case score >= 1:
		return mostElo
	}
	return max(-mostElo, min(mostElo, -400*math.Log10(1/score-1)))
}

// normalisedElo returns the distance of the score from one half in standard deviations of a
// game, in units that are near those of Elo.
func (s pairStats) normalisedElo() Estimate {
	unit := normalised / (math.Sqrt2 * s.dev)
	v, error95 := unit*(s.mean-0.5), unit*z95*s.spread()
	return Estimate{v, v - error95, v + error95}
}

// superiority returns the likelihood that the first player is the better one.
func (s pairStats) superiority() float64 {
	return distuv.UnitNormal.CDF((s.mean - 0.5) / s.spread())
}

// ratioNormalised returns the log likelihood ratio of two hypotheses in normalised Elo.
func (s pairStats) ratioNormalised(elo0, elo1 float64) float64 {
	unit := math.Sqrt2 / normalised
	return s.ratio(s.likeliestAt(elo0*unit), s.likeliestAt(elo1*unit))
}

// ratioLogistic returns the log likelihood ratio of two hypotheses in Elo.
func (s pairStats) ratioLogistic(elo0, elo1 float64) float64 {
	likeliest := func(elo float64) [5]float64 {
		expected := 1 / (1 + math.Pow(10, -elo/400))
		var g [5]float64
		for i := range g {
			g[i] = points(i) - expected
		}
		return s.constrained(g)
	}
	return s.ratio(likeliest(elo0), likeliest(elo1))
}

func (s pairStats) ratio(p0, p1 [5]float64) (sum float64) {
	for i, x := range s.counts {
		sum += s.pairs * x * math.Log(p1[i]/p0[i])
	}
	return sum
}

// likeliestAt returns the distribution of greatest likelihood whose mean is t standard
// deviations above one half. The condition is made linear around a distribution that
// fulfils it better each time.
func (s pairStats) likeliestAt(t float64) [5]float64 {
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
func (s pairStats) constrained(g [5]float64) (p [5]float64) {
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
