package learn

import (
	"kifu/internal/clogit"
	"kifu/players/learn/simplex"
)

// alternatives are the moves of one decision by the counts of their dominant positions, for
// the player.
type alternatives struct {
	game   int64
	chosen int
	rows   [][]simplex.Cell
}

// odds are decisions for a conditional logit (package clogit): P(move i) = exp(β·x_i) / Σ_j exp(β·x_j).
// Temperature 1: weights w at temperature T are β = w/T.
type odds struct {
	*clogit.Data[float64]
	squares []float64 // by column
}

func oddsOf(decisions []alternatives, columns int) odds {
	d := clogit.New[float64](columns)
	for _, a := range decisions {
		for _, r := range a.rows {
			for _, c := range r {
				d.Add(int(c.Column), c.X)
			}
			d.EndRow()
		}
		d.End(a.game, a.chosen)
	}
	return odds{d, d.Squares()}
}

// pulled is the likelihood with a penalty: half the sum of β², each times the mean square of its
// column within decisions and the pull. A pull of 1 is a prior of one unit of log-odds per standard
// deviation. It keeps the maximum finite when the moves can be predicted without error, and columns
// without support at 0. The first free columns have a pull, the others none.
func (o odds) pulled(pull float64, free int) *clogit.Model[float64] {
	ridge := make([]float64, len(o.squares))
	for j, s := range o.squares {
		ridge[j] = unpulled
		if j < free {
			ridge[j] = max(pull*s, unpulled)
		}
	}
	return o.Model(ridge, 1)
}

// unpulled keeps the curvature of a column above 0.
const unpulled = 1e-9
