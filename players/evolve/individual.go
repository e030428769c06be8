package evolve

import (
	"fmt"
	"math"
	"math/rand/v2"

	"kifu/eval"
	"kifu/games"
	"kifu/internal/lists"
)

// The constants of the scheme, in pieces.
const (
	firstWeight = 0.2  // initial weights are uniform within ± this
	firstStep   = 0.05 // initial step size of every weight
	mostWeight  = 100  // bound of evaluators, for both signs

	firstKing = 2.0
	kingStep  = 0.1
	leastKing = 1.0
	mostKing  = 3.0
)

// individual is one strategy.
type individual struct {
	id, parent, born int // parent is -1 in generation 0
	weights, steps   []float64
	king             float64 // of a network
}

// encoding converts the weights of a strategy, in pieces, to a model.
type encoding struct {
	weights int
	network *Network // nil: linear
	model   *eval.Model
	free    []*float64 // weights in model that evolve
	piece   float64    // in the model's unit
}

func newEncoding[P games.Position[P]](g eval.Game[P], p Params) (*encoding, error) {
	if p.Network != nil {
		return &encoding{weights: p.Network.Weights, network: p.Network}, nil
	}
	model := p.Eval
	if model == nil {
		model = g.Default()
	}
	if model.Network != nil {
		return nil, fmt.Errorf("%s is a network, not weights of the linear evaluator", model.Name)
	}
	c := &encoding{model: model.Clone(), piece: float64(eval.UnitOf(model.Unit).Per)}
	kept := map[int]bool{}
	for _, name := range p.Keep {
		terms, err := model.Match(name)
		if err != nil {
			return nil, err
		}
		for _, i := range terms {
			kept[i] = true
		}
	}
	for i, t := range c.model.Terms {
		for j := range t.Weights {
			if !kept[i] {
				c.free = append(c.free, &t.Weights[j])
			}
		}
	}
	if c.weights = len(c.free); c.weights == 0 {
		return nil, fmt.Errorf("all terms are kept: nothing is left to evolve")
	}
	return c, nil
}

// modelOf returns the model of s. A linear evaluator's model is valid until the next call.
func (c *encoding) modelOf(s *individual) *eval.Model {
	if c.network == nil {
		for i, w := range s.weights {
			*c.free[i] = w * c.piece
		}
		return c.model
	}
	parameters := lists.Of(s.weights, func(w float64) float32 { return float32(w) })
	return c.network.Model(append(parameters, float32(s.king)))
}

// first samples a strategy of generation 0.
func (c *encoding) first(id int, rng *rand.Rand) *individual {
	s := &individual{id: id, parent: -1, weights: make([]float64, c.weights), steps: make([]float64, c.weights), king: firstKing}
	for i := range s.weights {
		s.weights[i] = firstWeight * (2*rng.Float64() - 1)
		s.steps[i] = firstStep
	}
	return s
}

// child mutates s.
func (s *individual) child(id, born int, rng *rand.Rand) *individual {
	n := len(s.weights)
	tau := 1 / math.Sqrt(2*math.Sqrt(float64(n)))
	c := &individual{id: id, parent: s.id, born: born, weights: make([]float64, n), steps: make([]float64, n)}
	for i := range n {
		c.steps[i] = s.steps[i] * math.Exp(tau*rng.NormFloat64())
		w := s.weights[i] + float64(c.steps[i]*rng.NormFloat64())
		c.weights[i] = max(-mostWeight, min(mostWeight, w))
	}
	// Tenths are counted, not added up, so that 2 - 0.1 + 0.1 is 2.
	tenths := math.Round(s.king/kingStep) + float64(rng.IntN(3)-1)
	c.king = max(leastKing, min(mostKing, tenths*kingStep))
	return c
}

// logStep returns the mean logarithm of the step sizes.
func (s *individual) logStep() float64 {
	sum := lists.Sum(s.steps, math.Log)
	return sum / float64(len(s.steps))
}
