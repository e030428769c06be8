// Package othello implements the linear evaluator of Othello: a position goes in; out come
// its value in hundredths of a disc (Black's side) and the counts of its terms.
//
// The terms (terms.go) are counts for Black minus the same counts for White, all of them
// invariant under the eight symmetries of the board. The same code serves Value, which adds
// up weights, and Trace, which records the counts.
//
// Phase is the number of discs on the board. Weight sets belong to knots of the phase;
// between two knots the weights are interpolated exactly, before the first and after the
// last knot they are constant, and the sum is rounded to the nearest hundredth, halves away
// from zero.
//
// The package does not search. For the last empty squares exact play is better:
// games/othello has Solve.
package othello

import (
	_ "embed"
	"fmt"

	"kifu/eval"
	"kifu/games"
	"kifu/games/othello"
)

//go:embed weights.toml
var weights string

// knots are the numbers of discs with a weight set of their own. They are evenly spaced, as
// eval.Phases requires.
var knots = []int{20, 31, 42, 53, 64}

// Default returns the model with the default weights. docs/evaluators/othello.md describes
// where they come from.
func Default() *eval.Model { return eval.Shipped("eval/othello: weights.toml", weights, blank()) }

// blank returns the model with all its terms and no weights.
func blank() *eval.Model {
	m := &eval.Model{Game: "othello", Name: "blank", Unit: "discs", Knots: knots}
	for _, k := range knots {
		m.Stages = append(m.Stages, fmt.Sprintf("discs_%d", k))
	}
	for _, t := range terms {
		n := len(knots)
		if t.flat {
			n = 1
		}
		m.Terms = append(m.Terms, eval.Term{Name: t.name, Group: t.group, Weights: make([]float64, n)})
	}
	return m
}

// evaluator scores Othello positions with one model. It must not be shared by goroutines.
type evaluator struct {
	model   *eval.Model
	weights *eval.Phases
}

// New returns an evaluator with the weights of m, whose terms may be in any order; a
// term that m lacks has its default weight. Weights are rounded to hundredths.
func New(m *eval.Model) (eval.Evaluator[othello.Position], error) {
	full, err := Default().Fill(m)
	if err != nil {
		return nil, err
	}
	full = full.Round()
	weights, err := eval.NewPhases(full, othello.MaxPhase, maxWeight)
	if err != nil {
		return nil, err
	}
	return &evaluator{full, weights}, nil
}

// maxWeight keeps the values of all positions within an int32.
const maxWeight = 10_000

// Model returns the model that e was made of, with all terms.
func (e *evaluator) Model() *eval.Model { return e.model }

// Value returns the static value of p for Black, in hundredths of a disc.
func (e *evaluator) Value(p othello.Position) int32 {
	counts := extract(p)
	return e.weights.Value(counts[:], p.Phase())
}

// Trace appends the features of p in ascending order and returns its phase.
func (e *evaluator) Trace(p othello.Position, dst []eval.Feature) (features []eval.Feature, phase int) {
	counts := extract(p)
	return eval.AppendCounts(dst, counts[:]), p.Phase()
}

// extract counts all terms of p, Black's less White's. Value and Trace both use it.
func extract(p othello.Position) (counts [termCount]int32) {
	black, white := p.Discs(othello.Black), p.Discs(othello.White)
	empty := p.Empty()
	odd, _ := empty.OddRegions()
	count(&counts, 1, black, white, empty, p.Moves(othello.Black), odd)
	count(&counts, -1, white, black, empty, p.Moves(othello.White), odd)
	blackStable, whiteStable := othello.Stable(black, white)
	counts[stable] = int32(blackStable.Count() - whiteStable.Count())
	turn := p.ToMove().Sign()
	counts[toMove] = turn
	counts[parity] = lastMover(p.ToMove(), empty).Sign()
	return counts
}

// lastMover returns the side that makes the last move without passes.
func lastMover(toMove games.Side, empty othello.Bitboard) games.Side {
	if empty.Count()&1 != 0 {
		return toMove
	}
	return toMove.Other()
}

// count adds the counts of one side, times sign. moves are the squares to which it could
// move now, whoever's turn it is; odd are the empty squares of odd regions.
func count(counts *[termCount]int32, sign int32, own, other, empty, moves, odd othello.Bitboard) {
	add := func(term int, squares othello.Bitboard) { counts[term] += sign * int32(squares.Count()) }
	add(discs, own)
	for i := range classes {
		add(classes[i].term, own&classes[i].squares)
	}

	// C- and X-squares next to a corner that is still empty give it away.
	near := (empty & othello.Corners).Neighbours() & own
	add(xSquareOpen, near&classes[xSquare-corner].squares)
	add(cSquareOpen, near&^classes[xSquare-corner].squares)
	add(cornerMoves, moves&othello.Corners)

	add(mobility, moves)
	if moves == 0 {
		counts[noMove] += sign
	}
	// Squares next to discs of the other may become moves (potential mobility); own discs
	// next to empty squares give the other such squares (the frontier).
	add(potential, empty&other.Neighbours())
	add(frontier, own&empty.Neighbours())
	add(oddRegionMoves, moves&odd)
}
