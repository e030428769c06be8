package tune

import (
	"math"
	"strconv"
	"strings"

	"kifu/internal/elo"
	"kifu/internal/splitmix"
	"kifu/search/engine"
)

// Iteration is one step of SPSA: all slices are by parameter.
type Iteration struct {
	Number      int       // from 1
	Value       []float64 // θ before it
	C           []float64 // c_k
	R           []float64 // a_k/c_k²
	Flip        []int     // Δ, 1 or -1
	Plus, Minus []float64 // values that played: rounded at random where the option is whole, within bounds
	Result      elo.Tally // of Plus
	Next        []float64 // θ after it
}

// Trajectory is a run of SPSA so far.
type Trajectory struct {
	params     Params
	value      []float64
	Iterations []Iteration
}

// NewTrajectory begins at the starts of the parameters of p, which are valid.
func NewTrajectory(p Params) *Trajectory {
	t := &Trajectory{params: p}
	for _, q := range p.Parameters {
		t.value = append(t.value, q.Start)
	}
	return t
}

// gains returns c_k and a_k/c_k² of a parameter in iteration k, from 1. A whole number is moved by
// one half at least, which rounding at random makes a step of one on the average.
func (s Schedule) gains(q Parameter, k int) (c, r float64) {
	n, at := float64(s.Iterations), float64(k)
	c = q.C * math.Pow(n/at, s.Gamma)
	if !q.Float {
		c = max(c, 0.5)
	}
	a := s.Share * n
	return c, q.R * q.C * q.C * math.Pow((a+n)/(a+at), s.Alpha) / (c * c)
}

// Next returns the next iteration, without its result.
func (t *Trajectory) Next() Iteration {
	k := len(t.Iterations) + 1
	it := Iteration{Number: k, Value: append([]float64(nil), t.value...)}
	rng := splitmix.Stream(t.params.Seed, forFlips, k)
	for i, q := range t.params.Parameters {
		c, r := t.params.gains(q, k)
		flip := 2*rng.IntN(2) - 1
		u := rng.Float64()
		at := func(direction float64) float64 {
			v := t.value[i] + direction*c*float64(flip)
			if !q.Float {
				v = math.Floor(v + u)
			}
			return q.clip(v)
		}
		it.C, it.R, it.Flip = append(it.C, c), append(it.R, r), append(it.Flip, flip)
		it.Plus, it.Minus = append(it.Plus, at(1)), append(it.Minus, at(-1))
	}
	return it
}

// Learn takes the result of an iteration.
func (t *Trajectory) Learn(it Iteration, result elo.Tally) {
	it.Result = result
	for i, q := range t.params.Parameters {
		t.value[i] = q.clip(t.value[i] + it.R[i]*it.C[i]*float64(it.Flip[i])*float64(result.Wins-result.Losses))
	}
	it.Next = append([]float64(nil), t.value...)
	t.Iterations = append(t.Iterations, it)
}

// options returns values as options of the program.
func (t *Trajectory) options(values []float64) []engine.Option {
	var list []engine.Option
	for i, q := range t.params.Parameters {
		list = append(list, engine.Option{Name: q.Name, Value: q.text(values[i])})
	}
	return list
}

// words writes options as a player's words.
func words(options []engine.Option) string {
	var list []string
	for _, o := range options {
		word := o.String()
		if strings.ContainsAny(word, " \t") {
			word = strconv.Quote(word)
		}
		list = append(list, word)
	}
	return strings.Join(list, " ")
}
