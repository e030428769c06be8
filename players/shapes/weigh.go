package shapes

import (
	"math"
	"sync/atomic"

	"kifu/games"
	"kifu/internal/logit"
	"kifu/internal/ordered"
)

// Choices are decisions by the largest shape kept around each of their moves.
type Choices struct {
	largest []uint32 // of each move: number + 1, 0 for none
	ends    []int    // of the moves of each decision
	chosen  []int32
}

// Append adds the decisions of another.
func (c *Choices) Append(o *Choices) {
	for _, end := range o.ends {
		c.ends = append(c.ends, len(c.largest)+end)
	}
	c.largest, c.chosen = append(c.largest, o.largest...), append(c.chosen, o.chosen...)
}

// Choice adds a decision to those that Weigh is given, after Keep. It may be called by several goroutines.
func (c *Counter[P]) Choice(to *Choices, p P, moves []games.Move, chosen int) {
	from := len(to.largest)
	for range moves {
		to.largest = append(to.largest, 0)
	}
	eachKept(c.shapes, &c.numbers, c.sizes, p, moves, func(move int, n uint32) {
		atomic.StoreUint32(&c.within[n], to.largest[from+move])
		to.largest[from+move] = n + 1
	})
	to.ends, to.chosen = append(to.ends, len(to.largest)), append(to.chosen, int32(chosen))
}

const (
	// pull is the prior of each shape's difference from the next smaller one: as if it had so many decisions without any.
	pull = 2
	// pieces is into how many parts the decisions are summed, whatever the number of workers.
	pieces = 16
	// passes bounds the steps of the fit, whose strengths are a start: the weights of features correct them.
	passes = 80
	// memory is how many steps the fit remembers.
	memory = 8
	// even is the slope at which it ends, in units of about a standard error.
	even = 0.1
)

// Weigh fits the strengths to decisions: a conditional logit in which a shape adds a difference to the next smaller one, by
// logit.Climb. step is called after each pass.
func (c *Counter[P]) Weigh(of *Choices, workers int, step func() error) (*Strengths, error) {
	n := len(c.played)
	scale := make([]float64, n)
	for i, times := range c.played {
		scale[i] = 1 / math.Sqrt(float64(times)+pull)
	}
	w := &weigher{Choices: of, within: c.within, scale: scale, workers: workers, slope: make([]float64, n), strength: make([]float64, n+1)}
	if _, err := logit.Climb(n, memory, passes, even, func(x, slopes []float64) (float64, error) {
		w.move(x)
		for i, s := range w.slope {
			slopes[i] = s * scale[i]
		}
		return w.value, step()
	}); err != nil {
		return nil, err
	}
	s := &Strengths{numbers: c.numbers, sizes: c.sizes}
	for _, x := range w.strength[1:] {
		s.strength = append(s.strength, float32(x))
	}
	return s, nil
}

// weigher is the likelihood of decisions at some differences.
type weigher struct {
	*Choices
	within   []uint32 // of each shape: number + 1 of the next smaller one, which comes before it; 0 for none
	scale    []float64
	workers  int
	value    float64
	slope    []float64 // of the differences
	strength []float64 // by number + 1
}

// move computes value and slope at differences in units of scale.
func (w *weigher) move(x []float64) {
	w.value = 0
	for i, v := range x {
		d := v * w.scale[i]
		w.strength[i+1] = w.strength[w.within[i]] + d
		w.value -= pull * d * d / 2
		w.slope[i] = -pull * d
	}
	sums := make([]float64, len(w.strength))
	parts, values := make([][]float64, w.workers), make([]float64, w.workers)
	for k := range parts {
		parts[k] = make([]float64, len(sums))
	}
	ordered.Merge(w.workers, pieces, func(worker, piece int) {
		clear(parts[worker])
		values[worker] = w.sum(piece, parts[worker])
	}, func(worker, _ int) {
		w.value += values[worker]
		for i, g := range parts[worker] {
			sums[i] += g
		}
	})
	for i := len(x) - 1; i >= 0; i-- {
		w.slope[i] += sums[i+1]
		sums[w.within[i]] += sums[i+1]
	}
}

// sum adds to slopes, by number + 1 of the largest shape, those of a piece of the decisions, and returns its likelihood.
func (w *weigher) sum(piece int, slopes []float64) (value float64) {
	var p []float64
	for i := len(w.ends) * piece / pieces; i < len(w.ends)*(piece+1)/pieces; i++ {
		from := 0
		if i > 0 {
			from = w.ends[i-1]
		}
		moves := w.largest[from:w.ends[i]]
		p = p[:0]
		most, total := math.Inf(-1), 0.0
		for _, n := range moves {
			most = max(most, w.strength[n])
		}
		for _, n := range moves {
			x := math.Exp(w.strength[n] - most)
			p, total = append(p, x), total+x
		}
		chosen := moves[w.chosen[i]]
		value += w.strength[chosen] - most - math.Log(total)
		slopes[chosen]++
		for k, n := range moves {
			slopes[n] -= p[k] / total
		}
	}
	return value
}
