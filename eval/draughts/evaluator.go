// Package draughts implements the linear evaluator of the four kinds of draughts: a
// position goes in; out come its value in hundredths of a point (the first player's side; a
// man is worth about 100 centimen) and the counts of its terms.
//
// The terms (terms.go) are counts for the first player minus the same counts for the
// second. Each player is seen through a view, the board turned so that its men go up, by
// one code. Most are Samuel's, "Some Studies in Machine Learning Using the Game of
// Checkers", IBM Journal 3(3), 1959, Appendix C, whose names are in brackets there; squares
// that the paper names on 64 squares have their counterparts on 100.
//
// There is one set of weights for each of four ranges of the phase, the men and kings left,
// which is 24 at the start on either board.
package draughts

import (
	"embed"
	"fmt"
	"math"

	"kifu/eval"
	"kifu/games"
	"kifu/games/draughts"
)

//go:embed weights/*.toml
var weights embed.FS

// Game provides the default model and the evaluators of one kind of draughts.
type Game struct{ rules draughts.Rules }

// Of returns the Game of the rules.
func Of(r draughts.Rules) Game { return Game{r} }

// Default returns the model with the default weights. docs/evaluators/draughts.md describes
// where they come from.
func (g Game) Default() *eval.Model {
	name := "weights/" + g.rules.Name() + ".toml"
	text, err := weights.ReadFile(name)
	if err != nil {
		panic("eval/draughts: " + err.Error())
	}
	return eval.Shipped("eval/draughts: "+name, string(text), g.blank())
}

// blank returns the model with all its terms and no weights.
func (g Game) blank() *eval.Model {
	m := &eval.Model{Game: g.rules.Name(), Name: "blank", Unit: "centimen", Stages: stages, Knots: knots, Step: true}
	_, m.Terms = layout(g.rules)
	for i := range m.Terms {
		m.Terms[i].Weights = make([]float64, len(knots))
	}
	return m
}

// evaluator scores positions of one kind of draughts with one model. It must not be shared
// by goroutines: it keeps the counts of the last position.
type evaluator struct {
	model   *eval.Model
	masks   masks
	weights [][slots]int32 // by stage
	slotOf  []int          // by term
	counts  [slots]int16   // the first player's less the second's
	// Whether any of the more expensive terms has a weight.
	runaways, fates bool
}

var _ eval.Evaluator[draughts.Position] = (*evaluator)(nil)

// New returns an evaluator with the weights of m, whose terms may be in any order; a
// term that m lacks has its default weight. Weights are rounded to hundredths.
func (g Game) New(m *eval.Model) (eval.Evaluator[draughts.Position], error) {
	full, err := g.Default().Fill(m)
	if err != nil {
		return nil, err
	}
	full = full.Round()
	e := &evaluator{model: full, masks: newMasks(g.rules), weights: make([][slots]int32, len(knots))}
	e.slotOf, _ = layout(g.rules)
	for term, slot := range e.slotOf {
		for stage, w := range full.Terms[term].Weights {
			if math.Abs(w) > maxWeight {
				return nil, fmt.Errorf("term %q has weight %v: at most ±%d", full.Terms[term].Name, w, maxWeight)
			}
			e.weights[stage][slot] = int32(math.Round(w * eval.Grain))
			e.runaways = e.runaways || slot >= runaway && w != 0
			e.fates = e.fates || (slot == exchangeStep || slot == deniedStep) && w != 0
		}
	}
	return e, nil
}

// maxWeight keeps every sum within 32 bits.
const maxWeight = 20000

// Model returns the model that e was made of, with all terms.
func (e *evaluator) Model() *eval.Model { return e.model }

// Value returns the static value of p for the first player, in hundredths of a point.
func (e *evaluator) Value(p draughts.Position) int32 {
	e.count(p, false)
	stage := 0
	for phase := p.Phase(); stage+1 < len(knots) && knots[stage+1] <= phase; {
		stage++
	}
	sum := int32(0)
	for slot, w := range &e.weights[stage] {
		sum += w * int32(e.counts[slot])
	}
	return sum
}

// Forced reports, without generating moves, that neither side may stand pat: there is
// something to take, or no move.
func (e *evaluator) Forced(p draughts.Position) bool { return p.Forced() }

// Trace appends the features of p in ascending order and returns its phase.
func (e *evaluator) Trace(p draughts.Position, dst []eval.Feature) (features []eval.Feature, phase int) {
	e.count(p, true)
	for term, slot := range e.slotOf {
		if n := e.counts[slot]; n != 0 {
			dst = append(dst, eval.Feature{Term: uint32(term), Count: n})
		}
	}
	return dst, p.Phase()
}

// count fills e.counts, all of them or those with a weight.
func (e *evaluator) count(p draughts.Position, all bool) {
	e.counts = [slots]int16{}
	for side := games.First; side <= games.Second; side++ {
		v := view{masks: &e.masks, counts: &e.counts, sign: int16(side.Sign())}
		v.look(p, side)
		v.material()
		v.squares()
		v.structure()
		if all || e.runaways {
			v.runaways()
		}
		v.steps(all || e.fates)
		v.attacked()
		if side == p.ToMove() {
			v.add(turn, 1)
			if p.Phase() < draughts.MaxPhase {
				v.opposition()
			}
		}
	}
}
