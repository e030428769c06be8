package meat

import (
	"kifu/fit/rows"
	"kifu/internal/dyads"
)

// Fourths sums the shifts of numbers by clusters, games or players: their squares, and their fourth
// powers. Of is each number's derivatives by the unknowns, none where it is not fitted.
type Fourths struct {
	Of               [][]rows.Entry
	Squares, Fourths []float64
}

// NewFourths returns empty sums for numbers with these derivatives.
func NewFourths(of [][]rows.Entry) *Fourths {
	return &Fourths{Of: of, Squares: make([]float64, len(of)), Fourths: make([]float64, len(of))}
}

// Degrees returns the degrees of freedom of each number's variance; NaN for one that nothing moves.
func (f *Fourths) Degrees() []float64 {
	df := make([]float64, len(f.Of))
	for j, s := range f.Squares {
		df[j] = dyads.DegreesOf(s, f.Fourths[j])
	}
	return df
}

// add adds a cluster that moves the unknowns by times v.
func (f *Fourths) add(v []float64, times float64) {
	if f == nil {
		return
	}
	for j, of := range f.Of {
		s := 0.0
		for _, x := range of {
			s += x.Share * v[x.At]
		}
		s *= times
		s *= s
		f.Squares[j] += s
		f.Fourths[j] += s * s
	}
}

// empty returns sums of the same numbers, nil for nil.
func (f *Fourths) empty() *Fourths {
	if f == nil {
		return nil
	}
	return NewFourths(f.Of)
}

func (f *Fourths) clear() {
	if f != nil {
		clear(f.Squares)
		clear(f.Fourths)
	}
}

func (f *Fourths) merge(other *Fourths) {
	if f == nil {
		return
	}
	for j := range f.Squares {
		f.Squares[j] += other.Squares[j]
		f.Fourths[j] += other.Fourths[j]
	}
}
