// Package tictactoe implements the evaluator of tic-tac-toe, the "open lines advantage" of
// Carmel and Markovitch ("Learning Models of Opponent's Strategy in Game Playing", 1993). It is
// the number of rows, columns and diagonals that X can still fill minus the number that O can.
//
// Empty lines are open to both and cancel out, so the terms are the lines with one and with two
// marks of one side alone. With both weights at 1 the value is the open lines advantage; other
// weights distinguish a threat from a beginning.
package tictactoe

import (
	_ "embed"
	"fmt"
	"math"

	"kifu/eval"
	"kifu/games/tictactoe"
)

//go:embed weights.toml
var weights string

// Default returns the open lines advantage.
func Default() *eval.Model { return eval.Shipped("eval/tictactoe: weights.toml", weights, nil) }

// evaluator scores positions with one model. The zero evaluator is not usable.
type evaluator struct {
	model   *eval.Model
	weights [2]int32
}

// New returns an evaluator with the weights of m, rounded to hundredths; a term that m
// lacks has its default weight.
func New(m *eval.Model) (eval.Evaluator[tictactoe.Position], error) {
	full, err := Default().Fill(m)
	if err != nil {
		return nil, err
	}
	e := &evaluator{model: full.Round()}
	for i, t := range e.model.Terms {
		w := t.Weights[0]
		if math.Abs(w) > maxWeight {
			return nil, fmt.Errorf("term %q has weight %v: at most ±%d", t.Name, w, maxWeight)
		}
		e.weights[i] = int32(math.Round(w * eval.Grain))
	}
	return e, nil
}

// maxWeight keeps the sum of all lines within an int32.
const maxWeight = 1_000_000

// Model returns the model that e was made of, with all terms.
func (e *evaluator) Model() *eval.Model { return e.model }

// Value returns the static value of p for X, in hundredths of a line.
func (e *evaluator) Value(p tictactoe.Position) int32 {
	counts := lines(p)
	return counts[0]*e.weights[0] + counts[1]*e.weights[1]
}

// Trace appends the features of p; the phase is always 0.
func (e *evaluator) Trace(p tictactoe.Position, dst []eval.Feature) (features []eval.Feature, phase int) {
	for i, n := range lines(p) {
		if n != 0 {
			dst = append(dst, eval.Feature{Term: uint32(i), Count: int16(n)})
		}
	}
	return dst, 0
}

// lines counts the lines with one and with two marks of X and none of O, minus O's.
// A full line ends the game and counts by its outcome alone.
func lines(p tictactoe.Position) (counts [2]int32) {
	x, o := p.Marks(tictactoe.X), p.Marks(tictactoe.O)
	for _, line := range tictactoe.Lines() {
		own, other := (line & x).Count(), (line & o).Count()
		if other == 0 && (own == 1 || own == 2) {
			counts[own-1]++
		}
		if own == 0 && (other == 1 || other == 2) {
			counts[other-1]--
		}
	}
	return counts
}
