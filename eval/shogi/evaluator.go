// Package shogi is the linear evaluator of Shogi: a position goes in, out come its value
// in hundredths of a centipawn (Black's side) and the counts of its terms.
//
// The terms (terms.go) are counts for Black minus the same counts for White. They follow
// the description of the evaluator of GPS Shogi in Takeuchi, Kaneko, Yamaguchi, Kawai,
// "Visualization and Adjustment of Evaluation Functions Based on Evaluation Values and Win
// Probability", AAAI 2007, equations (3) and (4): material on the board and in hand,
// pieces by their place relative to both kings, and the unsafety of the kings by
// attacking and by defending pieces, which are games/shogi's Pressure.
//
// The phase is the progress, 0 to 15, and a weight is the mixture of an opening weight
// at 0 and an endgame weight at 16: e = (1-pr)·e_o + pr·e_e with pr = progress/16. The
// paper's terms of unsafety, pr·(w1·f_a + w2·f_d), are counted with the progress and have one
// weight each.
//
// The same code serves Value, which adds up weights, and Trace, which writes the counts
// down. The package does not search.
package shogi

import (
	_ "embed"
	"fmt"
	"math"

	"kifu/eval"
	"kifu/games"
	"kifu/games/shogi"
)

//go:embed weights.toml
var weights string

var (
	stages = []string{"opening", "endgame"}
	knots  = []int{0, lastKnot}
)

const lastKnot = 16

// quiescence is the number of the search of QuiescencePlies and NarrowPlies; in the first one all
// captures were followed to the end.
const quiescence = 2

// Default returns the model with the default weights. docs/evaluators/shogi.md describes where
// they come from.
func Default() *eval.Model { return eval.Shipped("eval/shogi: weights.toml", weights, blank()) }

// blank is the model with all its terms and no weight.
func blank() *eval.Model {
	m := &eval.Model{Game: "shogi", Name: "blank", Unit: "centipawns", Stages: stages, Knots: knots, Terms: terms(), Quiescence: quiescence}
	for i := range m.Terms {
		n := len(knots)
		if i == unsafety || i == unsafety+1 {
			n = 1
		}
		m.Terms[i].Weights = make([]float64, n)
	}
	return m
}

// evaluator scores positions with one model. It is for one goroutine: it remembers the counts of
// the position before, which changes no value.
type evaluator struct {
	model *eval.Model
	tally tally
}

var _ eval.Evaluator[shogi.Position] = (*evaluator)(nil)

// New returns an evaluator with the weights of m, whose terms may be in any order; a
// term that m lacks has its default weight. Weights are rounded to hundredths.
func New(m *eval.Model) (eval.Evaluator[shogi.Position], error) {
	full, err := Default().Fill(m)
	if err != nil {
		return nil, err
	}
	full = full.Round()
	e := &evaluator{model: full, tally: tally{rows: influences()}}
	for i, t := range full.Terms {
		opening, endgame := t.Weights[0], t.Weights[len(t.Weights)-1]
		if math.Abs(opening) > maxWeight || math.Abs(endgame) > maxWeight {
			return nil, fmt.Errorf("term %q has weights %v: at most ±%d", t.Name, t.Weights, maxWeight)
		}
		e.tally.weights[i] = pair{int64(math.Round(opening * eval.Grain)), int64(math.Round(endgame * eval.Grain))}
	}
	return e, nil
}

// maxWeight keeps the values of all positions within an int32.
const maxWeight = 50_000

// Model is the model that e was made of, with all terms.
func (e *evaluator) Model() *eval.Model { return e.model }

// QuiescencePlies is 8: the depth of the quiescence search of Takeuchi et al. 2007.
func (e *evaluator) QuiescencePlies() int { return 8 }

// NarrowPlies is 4: from there on only the piece that moved last is taken, and checks are answered.
// One position in a hundred had 39 % of the nodes without it, and values to eight plies of all captures
// predict winners no better (docs/evaluators/shogi.md).
func (e *evaluator) NarrowPlies() int { return 4 }

// AppendNarrow appends the answers to a check, or the captures of the piece that moved last.
func (e *evaluator) AppendNarrow(p shogi.Position, dst []games.Move) ([]games.Move, bool) {
	return p.AppendRecaptures(dst)
}

// Forced reports, without generating moves, that neither side may stand pat: in check.
func (e *evaluator) Forced(p shogi.Position) bool { return p.InCheck() }

// Value is the static value of p for Black, in hundredths of a centipawn.
func (e *evaluator) Value(p shogi.Position) int32 {
	phase := e.tally.extract(&p)
	return e.tally.value(phase)
}

// Trace appends the features of p in ascending order and returns its phase.
func (e *evaluator) Trace(p shogi.Position, dst []eval.Feature) (features []eval.Feature, phase int) {
	phase = e.tally.extract(&p)
	return eval.AppendCounts(dst, e.tally.counts[:termsCount]), phase
}
