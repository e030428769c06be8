package pentanomial

import (
	"math"

	"gonum.org/v1/gonum/mathext"

	"kifu/internal/dyads"
)

// Interval holds the estimates of a match that was not stopped by its result.
//
// A score near 0 or 1 leaves little variance to estimate an error from: 43 pairs won 2–0 have none
// at all. Intervals are therefore Wilson's (1927) for a share, at an effective number of pairs. A
// pair whose points have the variance f μ(1-μ) counts as 1/f trials of a coin (E. L. Korn and B. I.
// Graubard, Confidence intervals for proportions with small expected number of positive counts
// estimated from survey data, 1998). f is at most 1, its value if every pair has 0 or 2 points. f =
// 1 is also the prior, with the weight of priorPairs pairs off the shut-out. A shut-out of n pairs
// then has the bound n/(n+z²); the exact one is 0.025^(1/n).
//
// If openings repeat, the pairs count as no more trials than their openings. Each opening is then a trial
// like a pair: errors are clustered by opening, and Student's t has one degree of freedom less than there are
// openings.
type Interval struct {
	score  float64 // mean points per game, from 0 to 1
	factor float64 // f, of the variance of pairs
	trials float64 // effective ones
	widen  float64 // of the interval of normalised Elo, for what is unknown of f
}

// priorPairs is the weight of f = 1, in pairs off the shut-out. By the simulation of
// bench/simulation/matches half a pair keeps coverage nearest to 95 %.
const priorPairs = 0.5

// Measure returns the estimates of pairs, of which there is at least one, from these openings.
func Measure(p Pairs, o Openings) Interval {
	n := float64(p.N())
	var shares [5]float64
	for i, k := range p {
		shares[i] = float64(k) / n
	}
	mean, variance := moments(shares)
	m := Interval{score: mean, factor: 1, widen: 1}
	if most := mean * (1 - mean); most > 0 && n > 1 {
		off := n - float64(max(p[0], p[4]))
		f := min(1, variance*n/(n-1)/most)
		m.factor = (off*f + priorPairs) / (off + priorPairs)
		m.widen = widening(p, mean, variance)
	}
	m.trials = n / m.factor
	if o.Repeat(p.N()) {
		m.trials = min(m.trials, o.trials(n, mean))
	}
	return m
}

// widening returns the ratio of the standard error of normalised Elo to the error with known f, which follows
// from the influence z/(4μ(1-μ)) of points x, z = (x-μ)/σ. With few pairs the error by the influence of
// points on d = (μ-½)/σ is too small, and the jackknife's over pairs too large. The result is their geometric
// mean.
func widening(p Pairs, mean, variance float64) float64 {
	if variance == 0 {
		return 1
	}
	known := 4 * mean * (1 - mean)
	return math.Sqrt(widened(known*byInfluence(p, mean, variance)) * widened(known*byJackknife(p)))
}

// widened keeps a ratio of errors within what few pairs off a shut-out can show.
func widened(ratio float64) float64 { return max(1, min(2, ratio)) }

// byInfluence returns √n times the standard error of d by the influence of points on it, z - d(z²-1)/2.
func byInfluence(p Pairs, mean, variance float64) float64 {
	dev := math.Sqrt(variance)
	d, full := (mean-0.5)/dev, 0.0
	for i, k := range p {
		z := (points(i) - mean) / dev
		influence := z - d*(z*z-1)/2
		full += float64(k) / float64(p.N()) * influence * influence
	}
	return math.Sqrt(full)
}

// byJackknife returns √n times the standard error of d by what it is without each pair; infinity where the
// others are all alike.
func byJackknife(p Pairs) float64 {
	n, middle := float64(p.N()), 0.0
	var without [5]float64
	for i, k := range p {
		if k == 0 {
			continue
		}
		var shares [5]float64
		for j, of := range p {
			shares[j] = float64(of) / (n - 1)
		}
		shares[i] -= 1 / (n - 1)
		mean, variance := moments(shares)
		if variance <= 1e-12 {
			return math.Inf(1)
		}
		without[i] = (mean - 0.5) / math.Sqrt(variance)
		middle += float64(k) / n * without[i]
	}
	full := 0.0
	for i, k := range p {
		full += (n - 1) * float64(k) * (without[i] - middle) * (without[i] - middle)
	}
	return math.Sqrt(full)
}

// Score returns the mean points per game, from 0 to 1.
func (m Interval) Score() Estimate {
	n, z := m.trials, dyads.Normal95*dyads.Normal95
	middle := (m.score + z/(2*n)) / (1 + z/n)
	half := dyads.Normal95 * math.Sqrt(m.score*(1-m.score)/n+z/(4*n*n)) / (1 + z/n)
	return Estimate{m.score, max(0, middle-half), min(1, middle+half)}
}

// Elo returns the difference of ratings at which the score is expected. Bounds are cut
// off at mostElo.
func (m Interval) Elo() Estimate { return m.scaled(Logistic) }

// NormalisedElo returns the distance of the score from one half, in standard deviations of a game's points,
// in units near Elo's (M. Van den Bergh, Comments on Normalized Elo). It is cut off at mostElo.
func (m Interval) NormalisedElo() Estimate {
	e := m.scaled(func(score float64) float64 {
		dev := math.Sqrt(2 * m.factor * score * (1 - score))
		if dev == 0 {
			return Logistic(score)
		}
		return cut(unit * (score - 0.5) / dev)
	})
	e.Low, e.High = cut(e.Value-m.widen*(e.Value-e.Low)), cut(e.Value+m.widen*(e.High-e.Value))
	return e
}

func (m Interval) scaled(to func(score float64) float64) Estimate {
	s := m.Score()
	return Estimate{to(s.Value), to(s.Low), to(s.High)}
}

// Superiority returns the probability that the first player is better: with Jeffreys' prior, that the share
// of the effective trials is above one half.
func (m Interval) Superiority() float64 {
	n := m.trials
	if n > 1e4 { // as the normal distribution has it, where the sum for the other loses its precision
		return math.Erfc((0.5-m.score)*math.Sqrt(n/(2*m.score*(1-m.score)))) / 2
	}
	return 1 - mathext.RegIncBeta(m.score*n+0.5, (1-m.score)*n+0.5, 0.5)
}
