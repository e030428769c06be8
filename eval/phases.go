package eval

import (
	"fmt"
	"math"
)

// Phases holds the weights of a model at every phase, for evaluators that count all terms
// before adding up. The model's knots are evenly spaced and rise, so that an interpolated
// weight is a whole number of 1/spacing hundredths, and every value exact.
type Phases struct {
	spacing int64
	weights [][]int64 // by phase and term, in 1/spacing hundredths
}

// NewPhases computes the weights of m, rounded to hundredths, at the phases from 0 to last.
// Before the first knot and after the last the weights are constant. A weight beyond ±limit
// is an error; limit keeps the values of all positions within an int32.
func NewPhases(m *Model, last int, limit float64) (*Phases, error) {
	if len(m.Knots) < 2 {
		return nil, fmt.Errorf("knots %v: want at least two", m.Knots)
	}
	p := &Phases{spacing: int64(m.Knots[1] - m.Knots[0])}
	for i, k := range m.Knots {
		if k != m.Knots[0]+i*int(p.spacing) || p.spacing <= 0 {
			return nil, fmt.Errorf("knots %v do not rise evenly", m.Knots)
		}
	}
	for _, t := range m.Terms {
		for _, w := range t.Weights {
			if math.Abs(w) > limit {
				return nil, fmt.Errorf("term %q has weights %v: at most ±%.0f", t.Name, t.Weights, limit)
			}
		}
	}
	for phase := range last + 1 {
		row := make([]int64, len(m.Terms))
		for i := range row {
			row[i] = p.interpolate(m.Knots, m.Terms[i].Weights, phase)
		}
		p.weights = append(p.weights, row)
	}
	return p, nil
}

// interpolate returns the weight at a phase in 1/spacing hundredths.
func (p *Phases) interpolate(knots []int, w []float64, phase int) int64 {
	grains := func(i int) int64 { return int64(math.Round(w[i] * Grain)) }
	if len(w) == 1 {
		return p.spacing * grains(0)
	}
	past := int64(min(max(phase, knots[0]), knots[len(knots)-1]) - knots[0])
	i := min(int(past/p.spacing), len(knots)-2)
	share := past - int64(i)*p.spacing
	return grains(i)*(p.spacing-share) + grains(i+1)*share
}

// Value returns the sum of counts, one per term, times the weights at a phase, in
// hundredths, rounded to the nearest, halves away from zero.
func (p *Phases) Value(counts []int32, phase int) int32 {
	weights := p.weights[phase][:len(counts)]
	var n int64
	for i, count := range counts {
		n += int64(count) * weights[i]
	}
	if n < 0 {
		return int32(-((-n + p.spacing/2) / p.spacing))
	}
	return int32((n + p.spacing/2) / p.spacing)
}

// AppendCounts appends the non-zero counts, given one per term, as features.
func AppendCounts(dst []Feature, counts []int32) []Feature {
	for i, count := range counts {
		if count != 0 {
			dst = append(dst, Feature{Term: uint32(i), Count: int16(count)})
		}
	}
	return dst
}
