package pattern

import (
	"fmt"
	"math"

	"kifu/eval"
	"kifu/games"
)

// Evaluator scores positions by tables. It must not be shared by goroutines: it keeps the
// entries of the last position of each side to move, and changes them where the next one
// differs. They are integers, so that the order of positions does not matter.
type Evaluator[P games.Position[P]] struct {
	index  *Indexer[P]
	tables *Tables
	model  *eval.Model
	grains []int32 // by table: its term's weight in 1/eval.Grain

	// by number of pieces: the values of each place's entries; made when they are first needed
	values [][][]int16
	sums   []int32 // by table, for the position of the view seen last
	seen   *view
}

// New returns the evaluator of m, whose Tables are of this package. d are the game's rules.
func New[P games.Position[P]](m *eval.Model, d games.Drawer[P]) (*Evaluator[P], error) {
	t, ok := m.Tables.(*Tables)
	if !ok {
		return nil, fmt.Errorf("the weights of its patterns (%s) are missing: give --eval the pattern file with its %s next to it", m.Tables.Checksum(), Extension)
	}
	full := t.Model()
	if full.Tables = nil; m.Terms != nil {
		weights := m.Clone()
		weights.Tables = nil
		var err error
		if full, err = full.Fill(weights); err != nil {
			return nil, err
		}
	}
	e := &Evaluator[P]{index: NewIndexer(t.plan, d), tables: t, model: full.Round(), sums: make([]int32, len(t.plan.tables)), values: make([][][]int16, t.plan.cells+1)}
	e.model.Tables = t
	for _, term := range e.model.Terms {
		w := term.Weights[0]
		if math.Abs(w) > mostWeight {
			return nil, fmt.Errorf("term %q has the weight %v: at most ±%d", term.Name, w, mostWeight)
		}
		e.grains = append(e.grains, int32(math.Round(w*eval.Grain)))
	}
	return e, nil
}

// mostWeight keeps values within an int32 for a thousand patterns.
const mostWeight = 20

// Model returns the model that e was made of.
func (e *Evaluator[P]) Model() *eval.Model { return e.model }

// add sets sums to the patterns' contributions for the side to move.
func (e *Evaluator[P]) add(p P) bool {
	v, moved := e.index.see(p)
	if v == nil {
		return false
	}
	if !moved && v == e.seen {
		return true
	}
	e.seen = v
	clear(e.sums)
	values := e.valuesAt(v.pieces)
	places := e.index.plan.places
	for i, entry := range v.entries {
		place := &places[i]
		if w := int32(values[i][entry]); place.other {
			e.sums[place.table] -= w
		} else {
			e.sums[place.table] += w
		}
	}
	return true
}

// valuesAt returns the values of each place's entries on a board with that many pieces.
func (e *Evaluator[P]) valuesAt(pieces int) [][]int16 {
	if e.values[pieces] == nil {
		for _, place := range e.index.plan.places {
			t := &e.index.plan.tables[place.table]
			e.values[pieces] = append(e.values[pieces], e.tables.values[place.table][int(t.phaseOf[pieces])*t.size:][:t.size])
		}
	}
	return e.values[pieces]
}

// Value returns the static value of p for the first player, in hundredths of the unit; 0 on a
// board of another size than the patterns'.
func (e *Evaluator[P]) Value(p P) int32 {
	if !e.add(p) {
		return 0
	}
	v := int32(0)
	for i, sum := range e.sums {
		v += sum * e.grains[i]
	}
	return v * p.ToMove().Sign()
}

// Trace appends what each pattern contributes; the phase is the number of pieces.
func (e *Evaluator[P]) Trace(p P, dst []eval.Feature) (features []eval.Feature, phase int) {
	if !e.add(p) {
		return dst, 0
	}
	for i, sum := range e.sums {
		if sum != 0 {
			dst = append(dst, eval.Feature{Term: uint32(i), Count: int16(sum * p.ToMove().Sign())})
		}
	}
	return dst, e.index.views[p.ToMove()&1].pieces
}

// Forcing is an Evaluator with the game's own way to report, without its moves, that neither side may
// stand pat.
type Forcing[P games.Position[P]] struct {
	*Evaluator[P]
	Of interface{ Forced(p P) bool }
}

// Forced reports whether neither side may stand pat in p.
func (f Forcing[P]) Forced(p P) bool { return f.Of.Forced(p) }
