package eval

import (
	"fmt"
	"strings"

	"kifu/internal/edits"
)

// Fill returns base with the weights of m: the terms and their order are base's (an
// evaluator's own). A term that m does not mention keeps base's weight; a term that base
// does not know is an error with the nearest name, as is one under another group's name. m
// may have its terms in any order. A single weight in m applies to all stages; a term of
// base with a single weight accepts only one. A network must have equally many parameters
// in both, or be absent from both, and so must tables, of which base's stay, as does the number of
// its quiescence search.
func (base *Model) Fill(m *Model) (*Model, error) {
	if m.Game != "" && m.Game != base.Game {
		return nil, fmt.Errorf("weights are for %s, the evaluator for %s", m.Game, base.Game)
	}
	if m.Unit != "" && m.Unit != base.Unit {
		return nil, fmt.Errorf("weights are in %s, the evaluator in %s", m.Unit, base.Unit)
	}
	if fmt.Sprint(m.Stages, m.Knots, m.Step) != fmt.Sprint(base.Stages, base.Knots, base.Step) {
		return nil, fmt.Errorf("stages %v at %v (step %v): the %s evaluator has %v at %v (step %v)",
			m.Stages, m.Knots, m.Step, base.Game, base.Stages, base.Knots, base.Step)
	}
	if len(m.Reals) > 0 {
		return nil, fmt.Errorf("the weights have real-valued features (%s), which the %s evaluator does not count", m.Reals[0].Name, base.Game)
	}
	if len(m.Network) != len(base.Network) {
		return nil, fmt.Errorf("the weights have a network of %d parameters, the %s evaluator takes %d", len(m.Network), base.Game, len(base.Network))
	}
	if (m.Tables == nil) != (base.Tables == nil) {
		return nil, fmt.Errorf("weights with tables of patterns and without cannot be mixed: give --eval the pattern file itself")
	}
	index := make(map[string]int, len(base.Terms))
	for i, t := range base.Terms {
		index[t.Name] = i
	}
	out := base.Clone()
	out.Name = m.Name
	copy(out.Network, m.Network)
	for _, t := range m.Terms {
		i, ok := index[t.Name]
		if !ok {
			return nil, fmt.Errorf("the %s evaluator has no term %q%s", base.Game, t.Name, edits.Meant(t.Name, base.names()))
		}
		if group := base.Terms[i].Group; t.Group != "" && t.Group != group {
			return nil, fmt.Errorf("term %q is under [%s]; it belongs to [%s]", t.Name, t.Group, group)
		}
		to := out.Terms[i].Weights
		switch {
		case len(t.Weights) == len(to):
			copy(to, t.Weights)
		case len(t.Weights) == 1:
			for j := range to {
				to[j] = t.Weights[0]
			}
		default:
			return nil, fmt.Errorf("term %q has %d weights: it does not depend on the phase", t.Name, len(t.Weights))
		}
	}
	return out, out.Validate()
}

// Round returns a copy of m with its weights rounded to hundredths, the weights that an
// evaluator made of m uses and that WriteTOML writes.
func (m *Model) Round() *Model {
	r := m.Clone()
	for _, t := range r.Terms {
		for i, w := range t.Weights {
			t.Weights[i] = hundredth(w)
		}
	}
	return r
}

// Shipped returns the model of a weights.toml that is part of the program, with the terms of blank, where it
// is not nil, in their order. An error is a fault of the program, and panics with the name of the file.
func Shipped(name, text string, blank *Model) *Model {
	m, err := ReadModel(strings.NewReader(text))
	if err == nil && blank != nil {
		m, err = blank.Fill(m)
	}
	if err != nil {
		panic(name + ": " + err.Error())
	}
	return m
}
