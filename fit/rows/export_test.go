package rows

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kifu/fit/losses"
	"kifu/internal/dyads"
)

// Columns are the entries of row i of the design that may be non-zero, w_0 with the value
// e(p) last.
func (r *Store) Columns(b *Block, i int) (params []int, x []float64) {
	at, v := make([]int32, len(r.Design.slots)+1), make([]float64, len(r.Design.slots)+1)
	n := r.counts(b, i, at, v)
	for j, s := range at[:n-1] {
		r.Design.each(int(s), r.Design.classes[b.class[i]], func(p int, share float64) {
			params, x = append(params, p), append(x, v[j]*share)
		})
	}
	return append(params, r.Design.Scale()), append(x, v[n-1])
}

// All returns every row, but for its game and phase.
func (r *Store) All() (out []Row) {
	for _, b := range r.Blocks {
		for i := range b.Rows() {
			x := Row{}
			r.load(b, i, &x)
			out = append(out, x)
		}
	}
	return out
}

// Leverages returns the h_g of Meats by game.
func (r *Store) Leverages(l losses.Loss, theta []float64, un *Unknowns, inverse *mat.SymDense) map[int64]float64 {
	out, ids := map[int64]float64{}, r.IDs()
	multiply := times(inverse, 1)
	r.GameScores(l, theta, un, 1)(Wanted{}, func(int) {}, func(_ int, g Games) {
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

// Moved returns the unknowns that are each entry of theta itself.
func (r *Store) Moved() *Unknowns {
	var columns [][]Entry
	for j := range r.Design.Size() {
		columns = append(columns, []Entry{{At: j, Share: 1}})
	}
	return NewUnknowns(r.Design, make([]float64, r.Design.Size()), columns)
}

// SomeNulls is Nulls of a few hypotheses with so many clusters at once.
func (r *Store) SomeNulls(l losses.Loss, un *Unknowns, nulls []Null, c *dyads.Clusters, workers, most int) []NullSums {
	x := r.newNulls(l, un, nulls, c)
	x.most = most
	return x.sums(workers)
}
