// Package chess implements the linear tapered evaluator of chess: a position goes in; out
// come its value in hundredths of a centipawn (White's side) and the counts of its terms.
//
// The terms (terms.go) are counts for White minus the same counts for Black. Each player is
// seen through a view, a board turned so that its pawns go up, by one code, which treats
// White and Black alike. The same code serves Value, which adds up packed weights, and
// Trace, which counts. Quantities that are not linear in a count (the danger of an attack,
// the safety of a king) are divided into buckets, one term each.
//
// Phase is 24 with all pieces on the board (knight and bishop 1, rook 2, queen 4) and at
// most 24. At 24 the opening weights apply, at 0 the endgame weights, between them the
// exact interpolation, rounded to the nearest hundredth, halves away from zero.
//
// The package does not search, and sees only the board: neither repetition nor drawn
// endings.
package chess

import (
	_ "embed"
	"fmt"
	"math"
	"slices"

	"kifu/eval"
	"kifu/games/chess"
)

//go:embed weights.toml
var weights string

const maxPhase = chess.MaxPhase

// Default returns the model with the default weights (docs/evaluators/chess.md), which were made by
//
//	kifu ingest    --out games     lichess_rapid_dev.pgn.zst gnuchess_book.pgn.zst
//	kifu transform --out positions --sample 0.3 --seed 7 --min-ply 8 games
//	kifu label     --out labels    positions
//	kifu fit       --out fitted    --method mlm --draws half --scale 0.0045 --l2 1e-4 \
//	               --holdout 0.1 --free material,pst,mobility,pawns,passed_pawns,king_safety,knights,bishops,rooks,queens,threats,space,tempo labels
func Default() *eval.Model { return eval.Shipped("eval/chess: weights.toml", weights, blank()) }

// blank returns the model with all its terms and no weights.
func blank() *eval.Model {
	m := &eval.Model{Game: "chess", Name: "blank", Unit: "centipawns", Stages: []string{"opening", "endgame"}, Knots: []int{maxPhase, 0}}
	_, m.Terms = layout()
	for i := range m.Terms {
		m.Terms[i].Weights = make([]float64, 2)
		if slices.Contains(flat, m.Terms[i].Name) {
			m.Terms[i].Weights = make([]float64, 1)
		}
	}
	return m
}

// packed is a pair of weights or sums, endgame in the upper half: adding and multiplying by
// a count act on both at once.
type packed int64

func pack(opening, endgame int32) packed { return packed(endgame)<<32 + packed(opening) }
func (x packed) opening() int64          { return int64(int32(x)) }
func (x packed) endgame() int64          { return int64(int32((x + 1<<31) >> 32)) }

// evaluator scores chess positions with one model. It must not be shared by goroutines: it
// keeps buffers and remembers pawn structures and shelters, which changes no value.
type evaluator struct {
	model    *eval.Model
	weights  [slots]packed
	man      [8][64]packed // material and piece-square of an own man on a square
	views    [2]view       // White's, Black's
	phase    int
	pawns    pawnTable
	shelters shelterTable
	termOf   [slots]int16 // the term of a slot, -1 for none
	counting bool         // in the tally

	expected uint64 // the position whose Value counts
	tally    trace
	counted  bool   // the tally is not empty, and it is
	hash     uint64 // of the position with this hash,
	at       int    // at this phase
}

// New returns an evaluator with the weights of m, whose terms may be in any order; a
// term that m lacks has its default weight. Weights are rounded to hundredths.
func New(m *eval.Model) (eval.Evaluator[chess.Position], error) {
	full, err := Default().Fill(m)
	if err != nil {
		return nil, err
	}
	full = full.Round()
	e := &evaluator{model: full}
	e.termOf, _ = layout()
	grains := func(w float64) int32 { return int32(math.Round(w * eval.Grain)) }
	for slot, term := range e.termOf {
		if term < 0 {
			continue
		}
		e.tally.termed[slot/64] |= 1 << (slot % 64)
		w := full.Terms[term].Weights
		opening, endgame := w[0], w[len(w)-1]
		if math.Abs(opening) > maxWeight || math.Abs(endgame) > maxWeight {
			return nil, fmt.Errorf("term %q has weights %v: at most ±%d", full.Terms[term].Name, w, maxWeight)
		}
		e.weights[slot] = pack(grains(opening), grains(endgame))
	}
	for k := chess.Pawn; k <= chess.King; k++ {
		for s := range 64 {
			e.man[k][s] = e.weights[material+int(k)] + e.weights[pst-64+64*int(k)+s]
		}
	}
	return e, nil
}

// maxWeight keeps the sums of packed weights within their halves.
const maxWeight = 20000

// Model returns the model that e was made of, with all terms.
func (e *evaluator) Model() *eval.Model { return e.model }

// Value returns the static value of p for White, in hundredths of a centipawn.
func (e *evaluator) Value(p chess.Position) int32 {
	var sum packed
	if p.Hash() == e.expected {
		sum = e.count(&p)
	} else {
		sum = e.extract(&p)
	}
	n := sum.opening()*int64(e.phase) + sum.endgame()*int64(maxPhase-e.phase)
	half := n>>63&-maxPhase + maxPhase/2 // with the sign of n, without a branch, which would be unpredictable
	return int32((n + half) / maxPhase)
}

// Forced reports, without generating moves, that neither side may stand pat: in check.
func (e *evaluator) Forced(p chess.Position) bool { return p.InCheck() }

// Trace appends the features of p in ascending order and returns its phase.
func (e *evaluator) Trace(p chess.Position, dst []eval.Feature) (features []eval.Feature, phase int) {
	if !e.counted || e.hash != p.Hash() {
		e.count(&p)
	}
	e.counted = false
	return e.tally.appendTerms(&e.termOf, dst), e.at
}

// Expect makes the Value of a position count its terms.
func (e *evaluator) Expect(hash uint64) { e.expected = hash }

// count implements extract with the terms counted in e.tally.
func (e *evaluator) count(p *chess.Position) packed {
	if e.counted {
		e.tally.reset()
	}
	e.counting = true
	sum := e.extract(p)
	e.counting = false
	e.tally.men = [2][8]chess.Bitboard{e.views[0].men, e.views[1].men}
	e.counted, e.hash, e.at = true, p.Hash(), e.phase
	return sum
}
