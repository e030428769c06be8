package learn

import (
	"math"

	"kifu/games"
	"kifu/search"
)

// choice is a noisy choice: with the chance lapse the player draws any legal move, else
// move i with a chance in proportion to exp(value i / temperature).
type choice struct {
	temperature   float64 // in the evaluator's unit
	lapse         float64
	logLikelihood float64 // of the decisions it was fitted to
	evidence      float64 // logarithm of the mean likelihood over the grid
}

// The evidence of a depth is the mean of the likelihood over a grid of temperatures and
// lapses, each as probable as the others: it takes no optimiser, has no local maximum, and
// is the same everywhere. The temperatures go from the grain of values by doubling, which
// is from "always the best" to "any" in discs, men and centipawns alike. No lapse is 0, so
// that no single move makes a depth impossible.
const temperatures = 21

func temperature(k int) float64 { return math.Ldexp(1/float64(search.Grain), k) }

func lapses() []float64 { return []float64{0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.4, 0.7, 1} }

// fitChoice finds the likeliest choice at a depth and the evidence of the depth.
func fitChoice[P games.Position[P]](decisions []*decision[P], depth int) choice {
	best := choice{logLikelihood: math.Inf(-1)}
	var all []float64
	chosen := make([]float64, len(decisions)) // the chance of the move without lapse
	for k := range temperatures {
		c := choice{temperature: temperature(k)}
		for i, d := range decisions {
			chosen[i] = math.Exp(c.log(d.values[depth-1], d.chosen))
		}
		for _, c.lapse = range lapses() {
			c.logLikelihood = 0
			for i, d := range decisions {
				c.logLikelihood += math.Log(c.lapse/float64(d.moves) + (1-c.lapse)*chosen[i])
			}
			all = append(all, c.logLikelihood)
			if c.logLikelihood > best.logLikelihood {
				best = c
			}
		}
	}
	sum := 0.0
	for _, l := range all {
		sum += math.Exp(l - best.logLikelihood)
	}
	best.evidence = best.logLikelihood + math.Log(sum/float64(len(all)))
	return best
}

// log is the logarithm of the chance that the choice falls on a move.
func (c choice) log(values []int32, chosen int) float64 {
	best := values[0]
	for _, v := range values {
		best = max(best, v)
	}
	sum, t := 0.0, c.temperature*search.Grain
	for _, v := range values {
		sum += math.Exp(float64(v-best) / t)
	}
	p := math.Exp(float64(values[chosen]-best)/t) / sum
	return math.Log(c.lapse/float64(len(values)) + (1-c.lapse)*p)
}
