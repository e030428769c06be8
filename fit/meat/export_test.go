package meat

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kifu/fit/losses"
	"kifu/fit/rows"
	"kifu/internal/dyads"
)

// Leverages returns the h_g of Meats by game.
func Leverages(r *rows.Store, l losses.Loss, theta []float64, un *rows.Unknowns, inverse *mat.SymDense) map[int64]float64 {
	out, ids := map[int64]float64{}, r.IDs()
	multiply := times(inverse, 1)
	Of(r, l, theta, un, 1)(Wanted{}, func(int) {}, func(_ int, g Games) {
		v := multiply(0, g)
		for i := range g.Len() {
			at := v[i*g.N : (i+1)*g.N]
			out[ids[g.At[i]]] = Leverage(g.Along(i, at) / floats.Dot(g.Score(i), at))
		}
	}, func(int) {})
	return out
}

// PlayersMeat is the second of Meats, with sums of so many clusters at once.
func (pass GameScores) PlayersMeat(n int, c *dyads.Clusters, inverse *mat.SymDense, workers, most int) *mat.SymDense {
	_, players := pass.meats(n, c, inverse, nil, nil, workers, most)
	return players
}

// SomeNulls is Nulls of a few hypotheses with so many clusters at once.
func SomeNulls(r *rows.Store, l losses.Loss, un *rows.Unknowns, nulls []Null, c *dyads.Clusters, workers, most int) []NullSums {
	x := newNulls(r, l, un, nulls, c)
	x.most = most
	return x.sums(workers)
}

// Moved returns the unknowns that are each entry of theta itself.
func Moved(r *rows.Store) *rows.Unknowns {
	var columns [][]rows.Entry
	for j := range r.Design.Size() {
		columns = append(columns, []rows.Entry{{At: j, Share: 1}})
	}
	return rows.NewUnknowns(r.Design, make([]float64, r.Design.Size()), columns)
}
