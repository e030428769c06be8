package learn

import (
	"math"

	"kifu/internal/lists"
	"kifu/players/decide"
	"kifu/search"
)

// choice is a noisy choice: with probability lapse the player plays a random legal move,
// else move i with probability proportional to exp(value i / temperature).
type choice struct {
	temperature   float64 // in the evaluator's unit
	lapse         float64
	logLikelihood float64 // log-likelihood of the decisions fitted to
	evidence      float64 // logarithm of the mean likelihood over the grid
}

// The evidence of a depth is the mean likelihood over a grid of temperatures and lapses, with equal
// weights. It needs no optimiser, has no local maximum, and is reproducible. The temperatures
// double from the grain of values on, which covers "always the best" to "any" in discs, men and
// centipawns alike. No lapse is 0, so that no single move makes a depth impossible.
const temperatures = 21

func temperature(k int) float64 { return math.Ldexp(1/float64(search.Grain), k) }

func lapses() []float64 { return []float64{0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.4, 0.7, 1} }

// fitChoice returns the likeliest choice by the values and its evidence.
func fitChoice(decisions []ranked) choice {
	best := choice{logLikelihood: math.Inf(-1)}
	var all []float64
	for k := range temperatures {
		c := choice{temperature: temperature(k)}
		chosen := c.without(decisions)
		for _, c.lapse = range lapses() {
			c.logLikelihood = c.with(decisions, chosen)
			all = append(all, c.logLikelihood)
			if c.logLikelihood > best.logLikelihood {
				best = c
			}
		}
	}
	sum := lists.Sum(all, func(l float64) float64 { return math.Exp(l - best.logLikelihood) })
	best.evidence = best.logLikelihood + math.Log(sum/float64(len(all)))
	return best
}

// without returns the probabilities of the moves played without lapses.
func (c choice) without(decisions []ranked) []float64 {
	c.lapse = 0
	return lists.Of(decisions, func(d ranked) float64 { return math.Exp(c.log(d.values, d.chosen)) })
}

// with returns the log-likelihood, given the probabilities of the moves without lapse.
func (c choice) with(decisions []ranked, chosen []float64) (l float64) {
	for i, d := range decisions {
		l += math.Log(c.lapse/float64(len(d.values)) + (1-c.lapse)*chosen[i])
	}
	return l
}

// refine moves temperature and lapse from the best grid point to the maximum near it, by
// golden-section searches of both in turn.
func (c choice) refine(decisions []ranked) choice {
	const rounds = 3
	least := lapses()[0]
	for range rounds {
		at := math.Log(c.temperature)
		c.temperature = math.Exp(golden(at-math.Ln2, at+math.Ln2, func(x float64) float64 {
			d := c
			d.temperature = math.Exp(x)
			return d.with(decisions, d.without(decisions))
		}))
		chosen := c.without(decisions)
		at = math.Log(c.lapse)
		c.lapse = math.Exp(golden(max(at-1.5, math.Log(least)), min(at+1.5, 0), func(x float64) float64 {
			d := c
			d.lapse = math.Exp(x)
			return d.with(decisions, chosen)
		}))
		c.logLikelihood = c.with(decisions, chosen)
	}
	return c
}

// golden returns the point at which f, which has one maximum from low to high, is greatest,
// to a thousandth.
func golden(low, high float64, f func(float64) float64) float64 {
	ratio := (math.Sqrt(5) - 1) / 2
	a, b := high-ratio*(high-low), low+ratio*(high-low)
	fa, fb := f(a), f(b)
	for high-low > 1e-3 {
		if fa >= fb {
			high, b, fb = b, a, fa
			a = high - ratio*(high-low)
			fa = f(a)
		} else {
			low, a, fa = a, b, fb
			b = low + ratio*(high-low)
			fb = f(b)
		}
	}
	return (low + high) / 2
}

// log returns the logarithm of the probability of choosing a move.
func (c choice) log(values []int32, chosen int) float64 {
	return decide.LogChance(values, chosen, c.temperature, c.lapse)
}
