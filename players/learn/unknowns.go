package learn

import (
	"kifu/eval"
	"kifu/players/learn/simplex"
)

// unknowns are the unknown weights, one per free term, or per free term and stage. If near, they are
// differences from the weights of the model.
type unknowns struct {
	model *eval.Model // unit, terms and stages
	near  bool
	of    [][]int32 // by term and stage: the column, -1 of terms that are not free
	start []float64 // w_0
	terms []column
}

type column struct {
	term  int
	stage int // -1: all of them
}

// newColumns uses the free terms and groups, all if none are given. The weights begin at 1 (figure 9), or at
// the model's, averaged over its stages if there is only one weight. Differences begin at 0.
func newColumns(m *eval.Model, p *Params, near bool) (*unknowns, error) {
	c := &unknowns{model: m, near: near}
	free := make([]bool, len(m.Terms))
	for i := range free {
		free[i] = len(p.Free) == 0
	}
	for _, name := range p.Free {
		found, err := m.Match(name)
		if err != nil {
			return nil, err
		}
		for _, i := range found {
			free[i] = true
		}
	}
	for i := range m.Terms {
		t := &m.Terms[i]
		of := make([]int32, len(m.Stages))
		for stage := range of {
			switch {
			case !free[i]:
				of[stage] = -1
				continue
			case stage == 0 || p.Tapered && len(t.Weights) > 1:
				c.add(i, stage, p)
			}
			of[stage] = int32(len(c.terms) - 1)
		}
		c.of = append(c.of, of)
	}
	return c, nil
}

func (c *unknowns) add(term, stage int, p *Params) {
	t := &c.model.Terms[term]
	one := 1.0
	switch {
	case p.Tapered && len(t.Weights) > 1:
		if p.FromEval {
			one = t.Weights[stage]
		}
	default:
		stage = -1
		if p.FromEval {
			one = 0
			for _, w := range t.Weights {
				one += w / float64(len(t.Weights))
			}
		}
	}
	if c.near {
		one = 0
	}
	c.terms = append(c.terms, column{term, stage})
	c.start = append(c.start, one)
}

// reference returns the weights of the model in the order of the columns.
func (c *unknowns) reference() []float64 {
	w := make([]float64, len(c.terms))
	for i, at := range c.terms {
		t := &c.model.Terms[at.term]
		if at.stage >= 0 {
			w[i] = t.Weights[at.stage]
			continue
		}
		for _, v := range t.Weights {
			w[i] += v / float64(len(t.Weights))
		}
	}
	return w
}

// absolute returns the weights that w represents.
func (c *unknowns) absolute(w []float64) []float64 {
	if !c.near {
		return w
	}
	all := c.reference()
	for i := range all {
		all[i] += w[i]
	}
	return all
}

// evaluator returns the model with weights w. Terms that are not free get weight 0 or, with
// near weights, the model's weights.
func (c *unknowns) evaluator(w []float64) *eval.Model {
	m := c.model.Clone()
	m.Name = "learned"
	for _, t := range m.Terms {
		if !c.near {
			clear(t.Weights)
		}
	}
	for i, at := range c.terms {
		weights := m.Terms[at.term].Weights
		for stage := range weights {
			if at.stage < 0 || at.stage == stage {
				weights[stage] += w[i]
			}
		}
	}
	return m.Round()
}

// row returns the features of a position by column, for the side of that sign, in ascending
// order of the columns. Near ones have one more column, the value by the model.
func (c *unknowns) row(features []eval.Feature, phase int, sign int32) []simplex.Cell {
	mix := c.model.Mix(phase, nil)
	var r []simplex.Cell
	value := 0.0
	for _, f := range features {
		count := float64(int32(f.Count) * sign)
		for stage, w := range c.model.Terms[f.Term].Weights {
			value += mix[stage] * count * w
		}
		for stage, column := range c.of[f.Term] {
			if column < 0 || mix[stage] == 0 {
				continue
			}
			if last := len(r) - 1; last >= 0 && r[last].Column == column {
				r[last].X += mix[stage] * count
			} else {
				r = append(r, simplex.Cell{Column: column, X: mix[stage] * count})
			}
		}
	}
	if c.near {
		r = append(r, simplex.Cell{Column: int32(len(c.terms)), X: value})
	}
	return r
}
