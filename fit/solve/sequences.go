package solve

import (
	"kifu/fit/rows"
	"kifu/fit/temporal"
)

// sequences turns the games of a store into sequences of the unknowns.
type sequences struct {
	layout *rows.Layout
	u      *rows.Unknowns
	base   []float64 // theta without the unknowns
	centre float64   // taken from the results
	at     []int32
	x      []float64
	from   []float64 // the base of each line
	cut    []bool
}

func (e *Estimate) sequences(r *rows.Store, centre float64) *sequences {
	s := &sequences{layout: r.Layout(), u: e.u, base: make([]float64, len(e.theta)), centre: centre}
	e.u.Theta(make([]float64, len(e.u.Columns)), s.base)
	return s
}

// read overwrites to with a game.
func (s *sequences) read(p rows.Place, to *temporal.Sequence) {
	to.Reset()
	s.from, s.cut = s.from[:0], s.cut[:0]
	for i := p.From; i < p.To; i++ {
		s.at, s.x = s.layout.Line(p.Block, i, s.at[:0], s.x[:0])
		base := 0.0
		for j, at := range s.at {
			base += s.base[at] * s.x[j]
			for _, of := range s.u.Of[at] {
				to.At, to.X = append(to.At, int32(of.At)), append(to.X, of.Share*s.x[j])
			}
		}
		to.Ends, s.from = append(to.Ends, len(to.At)), append(s.from, base)
		s.cut = append(s.cut, p.Block.Level != nil && p.Block.Level[i] == rows.Unjoined)
	}
	to.Base, to.Cut = s.from, s.cut
	to.Result = float64(p.Block.Y[p.To-1]) - s.centre
}
