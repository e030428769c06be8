// Package weiqi implements the linear evaluator of Go: a position goes in; out come its
// value in hundredths of a point (Black's side) and the counts of its terms.
//
// The terms (terms.go) are counts for Black minus the same counts for White, all of them
// invariant under the eight symmetries of the board. The same code serves Value, which adds
// up weights, and Trace, which records the counts.
//
// Phase is the share of the board's points with a stone, in percent, whatever the size.
// Weight sets belong to knots of the phase; between two knots the weights are interpolated
// exactly, before the first and after the last knot they are constant, and the sum is
// rounded to the nearest hundredth, halves away from zero.
//
// Value is the value of the board alone, without komi and prisoners, which Hash leaves out
// as well. Komi is a column of positions; prisoners equal the difference of stones when
// both sides have moved equally often. Life and death are covered by life.go (unconditional
// life) and weak.go (groups that look dead, and the board without them); nothing is played
// out, and ladders are not read.
package weiqi

import (
	_ "embed"
	"fmt"

	"kifu/eval"
	"kifu/games/weiqi"
)

//go:embed weights.toml
var weights string

// knots are the phases with a weight set of their own. They are evenly spaced, as
// eval.Phases requires.
var knots = []int{0, 20, 40, 60}

// Default returns the model with the default weights (docs/evaluators/go.md), which were made by
//
//	kifu ingest    --game go --out games gnugo-9x9.sgf gnugo-13x13.sgf kgs6d.sgf tygem-5000.sgf
//	kifu transform --out positions --sample 0.05 games
//	kifu label     --out labels --search static --eval before.toml positions
//	kifu fit       --out fitted --method mlm --free all --scale 0.1 --prior 0.5 --intercept --weight game --games games \
//	               --games-where "variant not like '%handicap%' and start_position is null" \
//	               --bound 'enclosed>=0' --bound 'nearer>=0' labels
func Default() *eval.Model { return eval.Shipped("eval/weiqi: weights.toml", weights, blank()) }

// blank returns the model with all its terms and no weights.
func blank() *eval.Model {
	m := &eval.Model{Game: "go", Name: "blank", Unit: "points", Knots: knots}
	for _, k := range knots {
		m.Stages = append(m.Stages, fmt.Sprintf("full_%d", k))
	}
	for _, t := range terms {
		m.Terms = append(m.Terms, eval.Term{Name: t.name, Group: t.group, Weights: make([]float64, len(knots))})
	}
	return m
}

// evaluator scores positions of Go with one model. It must not be shared by goroutines.
type evaluator struct {
	model   *eval.Model
	weights *eval.Phases
}

// New returns an evaluator with the weights of m, whose terms may be in any order; a
// term that m lacks has its default weight. Weights are rounded to hundredths.
func New(m *eval.Model) (eval.Evaluator[weiqi.Position], error) {
	full, err := Default().Fill(m)
	if err != nil {
		return nil, err
	}
	full = full.Round()
	weights, err := eval.NewPhases(full, weiqi.MaxPhase, maxWeight)
	if err != nil {
		return nil, err
	}
	return &evaluator{full, weights}, nil
}

// maxWeight keeps the values of all positions within an int32.
const maxWeight = 2_000

// Model returns the model that e was made of, with all terms.
func (e *evaluator) Model() *eval.Model { return e.model }

// Value returns the static value of p for Black, in hundredths of a point.
func (e *evaluator) Value(p weiqi.Position) int32 {
	counts := extract(&p)
	return e.weights.Value(counts[:], p.Phase())
}

// Trace appends the features of p in ascending order and returns its phase.
func (e *evaluator) Trace(p weiqi.Position, dst []eval.Feature) (features []eval.Feature, phase int) {
	counts := extract(&p)
	return eval.AppendCounts(dst, counts[:]), p.Phase()
}
