package learn

import (
	"bytes"
	"encoding/json"
	"fmt"

	"kifu/datasets"
	"kifu/datasets/journal"
	"kifu/schemas"
)

// kept are the weights that an interrupted run has learned at each depth by each solver. The journal gets those that are learned
// now. A nil one keeps nothing.
type kept struct {
	journal *journal.File
	climbs  map[climbed]climb
}

// climbed names a climb.
type climbed struct {
	Depth  int    `json:"depth"`
	Quiet  bool   `json:"quiet"`
	Solver string `json:"solver"`
}

// climb is a record of the journal: a strategy with the solution that it has.
type climb struct {
	climbed
	Strategy    schemas.LearnStrategy `json:"strategy"`
	Weights     []float64             `json:"weights"`
	Errors      []float64             `json:"errors"` // of the weights; null without
	Solved      int                   `json:"solved"`
	Constraints int                   `json:"constraints"`
	Misses      int                   `json:"misses"`
	Hits        []float64             `json:"hits"`
	Loss        []float64             `json:"loss"`
}

// keep opens the journal of a run.
func keep(out *datasets.Builder) (*kept, error) {
	j, err := out.Journal("steps-0")
	if err != nil {
		return nil, err
	}
	k := &kept{j, map[climbed]climb{}}
	for _, text := range j.Records() {
		var c climb
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields() // those of an earlier version
		if err := d.Decode(&c); err != nil {
			return nil, fmt.Errorf("weights that were kept: %w (learn again with --force)", err)
		}
		k.climbs[c.climbed] = c
	}
	return k, nil
}

// strategy returns the kept strategy of a climb, for the unknowns of its solver; nil without one.
func (k *kept) strategy(of climbed, u *unknowns) *strategy {
	if k == nil {
		return nil
	}
	c, ok := k.climbs[of]
	if !ok {
		return nil
	}
	found := &solution{weights: c.Weights, se: c.Errors, depth: c.Solved, constraints: c.Constraints, misses: c.Misses}
	return &strategy{LearnStrategy: c.Strategy, found: found, model: u.evaluator(c.Weights), hits: c.Hits, loss: c.Loss}
}

// add keeps a strategy.
func (k *kept) add(of climbed, s *strategy) error {
	if k == nil {
		return nil
	}
	c := climb{climbed: of, Strategy: s.LearnStrategy, Weights: s.found.weights, Errors: s.found.errors(), Solved: s.found.depth, Constraints: s.found.constraints, Misses: s.found.misses, Hits: s.hits, Loss: s.loss}
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return k.journal.Add(text)
}
