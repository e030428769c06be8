package learn

import (
	"kifu/datasets/journal"
	"kifu/schemas"
)

// kept are the weights that an interrupted run has learned at each depth by each solver.
type kept = journal.Values[climbed, climb]

// climbed names a climb.
type climbed struct {
	Depth  int    `json:"depth"`
	Quiet  bool   `json:"quiet"`
	Solver string `json:"solver"`
}

// climb is a strategy with the solution that it has, as the journal has it.
type climb struct {
	Strategy    schemas.LearnStrategy `json:"strategy"`
	Weights     []float64             `json:"weights"`
	Errors      []float64             `json:"errors"` // of the weights; null without
	Solved      int                   `json:"solved"`
	Constraints int                   `json:"constraints"`
	Misses      int                   `json:"misses"`
	Hits        []float64             `json:"hits"`
	Loss        []float64             `json:"loss"`
}

func keep(s *strategy) climb {
	return climb{Strategy: s.LearnStrategy, Weights: s.found.weights, Errors: s.found.errors(), Solved: s.found.depth, Constraints: s.found.constraints, Misses: s.found.misses, Hits: s.hits, Loss: s.loss}
}

// strategy returns the strategy that was kept, for the unknowns of its solver.
func (c climb) strategy(u *unknowns) *strategy {
	found := &solution{weights: c.Weights, se: c.Errors, depth: c.Solved, constraints: c.Constraints, misses: c.Misses}
	return &strategy{LearnStrategy: c.Strategy, found: found, model: u.evaluator(c.Weights), hits: c.Hits, loss: c.Loss}
}
