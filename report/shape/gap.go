package shape

import (
	"math"
	"sort"
)

// Gap is how far a conditioned curve is from the total. Horizontally, in evaluation units at equal win
// probability: a positive gap means that the positions are worth that much more to the first player
// than their value.
type Gap struct {
	Compared int64      // positions of the bins that the horizontal gap is read at, see flat
	Mean     float64    // over them
	Largest  float64    // of a bin, by absolute value
	At       float64    // the bin
	Levels   [3]float64 // at the win probabilities of gapLevels; NaN where a curve does not reach
	Area     float64    // mean vertical distance over the positions of the condition, 0 to 1
	Signed   float64    // the same with its sign: positive above the total
	// Noise is the mean of Area if the condition made no difference: for a normal error of a bin the
	// mean absolute value. The condition's positions are among the total's, so the variance of the
	// difference is the condition's less the total's (Hausman 1978).
	Noise float64
}

// Flat is the win probability below which, and beyond 1-flat, a curve is too flat to be
// read from the side.
const Flat = 0.1

var gapLevels = [3]float64{0.25, 0.5, 0.75}

// GapBetween returns how far the curve of a condition is from the total one.
func GapBetween(total, condition []Bin) *Gap {
	g := &Gap{Mean: math.NaN(), Largest: math.NaN(), At: math.NaN(), Area: math.NaN(), Signed: math.NaN(), Noise: math.NaN()}
	whole, part := RisingCurve(total), RisingCurve(condition)
	for i, level := range gapLevels {
		a, okA := whole.Invert(level)
		b, okB := part.Invert(level)
		g.Levels[i] = math.NaN()
		if okA && okB {
			g.Levels[i] = a - b
		}
	}
	var sum, area, signed, noise, positions float64
	for _, b := range condition {
		n := float64(b.Positions)
		if p, ok := interpolate(total, b.V); ok {
			area += n * math.Abs(b.P-p)
			signed += n * (b.P - p)
			noise += n * math.Sqrt(2/math.Pi*max(0, b.SE*b.SE-variance(total, b.V)))
			positions += n
		}
		v, ok := whole.Invert(b.P)
		if !ok || b.P < Flat || b.P > 1-Flat {
			continue
		}
		g.Compared += b.Positions
		sum += n * (v - b.V)
		if !(math.Abs(v-b.V) <= math.Abs(g.Largest)) {
			g.Largest, g.At = v-b.V, b.V
		}
	}
	if g.Compared > 0 {
		g.Mean = sum / float64(g.Compared)
	}
	if positions > 0 {
		g.Area, g.Signed, g.Noise = area/positions, signed/positions, noise/positions
	}
	return g
}

// interpolate is the curve's height at v, between the centres of its bins.
func interpolate(bins []Bin, v float64) (float64, bool) {
	i := sort.Search(len(bins), func(i int) bool { return bins[i].V >= v })
	switch {
	case i == len(bins):
		return 0, false
	case bins[i].V == v:
		return bins[i].P, true
	case i == 0:
		return 0, false
	}
	a, b := bins[i-1], bins[i]
	return a.P + (b.P-a.P)*(v-a.V)/(b.V-a.V), true
}

// variance returns the variance of the bin nearest to v.
func variance(bins []Bin, v float64) float64 {
	i := sort.Search(len(bins), func(i int) bool { return bins[i].V >= v })
	if i == len(bins) || i > 0 && v-bins[i-1].V < bins[i].V-v {
		i--
	}
	return bins[i].SE * bins[i].SE
}
