package choose

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"kifu/eval"
	"kifu/games"
	"kifu/internal/clogit"
)

// Predictor predicts moves by a model. It must not be shared by goroutines.
type Predictor[P games.Position[P]] struct {
	*Rower[P]
	model   *Model
	data    *clogit.Data[float32]
	context []float64
	chances []float64
}

// NewPredictor returns a predictor by a model of the game.
func NewPredictor[P games.Position[P]](g eval.Game[P], m *Model) (*Predictor[P], error) {
	if m.Game != g.Rules.Name() {
		return nil, fmt.Errorf("a model of human moves in %s, not in %s", m.Game, g.Rules.Name())
	}
	r, err := NewRower(g, m.Eval, m.Depth, m.Shapes)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(r.Names, m.Features) {
		return nil, fmt.Errorf("a model of human moves with features of another version: fit it again with kifu human")
	}
	return &Predictor[P]{Rower: r, model: m, data: clogit.NewIn[float32](len(r.Names), len(m.Contexts())).With(m.Pairs)}, nil
}

// Chances returns the probability of each of the moves of p. They are valid until the next call.
func (c *Predictor[P]) Chances(p P, moves []games.Move, was Before, at Situation) []float64 {
	c.data.Reset()
	c.Add(c.data, p, moves, was)
	c.context = c.model.Context(c.context[:0], at)
	c.data.EndIn(c.context, 0, 0)
	_, c.chances = c.data.Chances(0, c.model.Weights, c.chances)
	return c.chances
}

// By returns the chances of the moves of the last position by the weights and the pairs of another model.
func (c *Predictor[P]) By(m *Model) []float64 {
	_, chances := c.data.With(m.Pairs).Chances(0, m.Weights, nil)
	return chances
}

// Term is a feature's part of the log-odds of a move, compared with the mean move of the position.
type Term struct {
	Feature string
	Odds    float64
}

// Terms returns why a move of the last position has its chance: what its features add to its log-odds, the greatest first.
// All values count as one term, and so do all shapes and all distances; a pair of features counts half for each.
func (c *Predictor[P]) Terms(move int) []Term {
	weights, n := c.data.In(0, c.model.Weights), float64(len(c.chances))
	sums := map[string]float64{}
	for k := range c.chances {
		columns, x := c.data.Row(0, k)
		for i, column := range columns {
			part := weights[column] * float64(x[i])
			if c.model.Pairs != nil {
				part += c.model.Pairs.Part(columns, x, i)
			}
			sums[c.group(int(column))] -= part / n
			if k == move {
				sums[c.group(int(column))] += part
			}
		}
	}
	var terms []Term
	for name, odds := range sums {
		terms = append(terms, Term{name, odds})
	}
	slices.SortFunc(terms, func(a, b Term) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Odds), math.Abs(a.Odds)), cmp.Compare(a.Feature, b.Feature))
	})
	return terms
}

// group returns the name under which a column's term is counted.
func (c *Predictor[P]) group(column int) string {
	switch {
	case c.search != nil && column < c.looks()*perLook:
		return "value"
	case c.judge != nil && column >= c.shape && column < c.shape+shapeColumns:
		return "shape"
	case c.drawer != nil && column >= c.board && column < c.board+2*len(distanceEnds):
		return "distance to the last moves"
	}
	return c.Names[column]
}
