package choose

import (
	"math"

	"kifu/games"
	"kifu/internal/clogit"
	"kifu/internal/lists"
	"kifu/players/decide"
)

// look values the moves for the side to move: as the position after them is, by quiescence, and by deeper searches with
// quiescence.
func (r *Rower[P]) look(p P, moves []games.Move) {
	static := lists.Of(moves, func(m games.Move) int32 { return r.search.Static(p.Play(m)).Value * p.ToMove().Sign() })
	looks := append([][]int32{static}, decide.QuietValuesOf(r.search, p, moves, r.depth)...)
	for len(r.values) < len(looks) {
		r.values = append(r.values, nil)
	}
	for look, values := range looks {
		r.values[look] = r.values[look][:0]
		for _, v := range values {
			r.values[look] = append(r.values[look], float64(v)*(1/r.per))
		}
	}
}

// Look returns the values by look of the moves added last, 0 for at sight; nil without values.
func (r *Rower[P]) Look(look int) []float64 {
	if r.search == nil {
		return nil
	}
	return r.values[look]
}

// Looks returns the number of values of a move.
func (r *Rower[P]) Looks() int {
	if r.search == nil {
		return 0
	}
	return r.looks()
}

// addValues adds what a move loses against the best one.
func (r *Rower[P]) addValues(d *clogit.Data[float32], move int) {
	for look, values := range r.values {
		v, best, above, equal := values[move], math.Inf(-1), 0.0, 0.0
		for _, other := range values {
			best = max(best, other)
			if other > v {
				above++
			}
			if other == v {
				equal++
			}
		}
		column, loss := r.value+look*perLook, best-v
		for i, end := range losses[1:] {
			from := losses[i]
			d.Add(column+i, min(max((loss-from)/(end-from), 0), 1))
		}
		column += len(losses) - 1
		d.Add(column, Score(best)-Score(v))
		if v == best {
			d.Add(column+1, 1/equal)
		}
		d.Add(column+2, math.Log(1+above+(equal-1)/2))
	}
}

// Score returns the expected score by a value in what players count by, from -1 to 1.
func Score(v float64) float64 { return math.Tanh(v / steep) }
