package rows

import (
	"gonum.org/v1/gonum/mat"

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

// Leverages returns the h_g of Meat by game.
func (r *Store) Leverages(l Loss, theta []float64, un *Unknowns, inverse *mat.SymDense) map[int64]float64 {
	out, ids := map[int64]float64{}, r.IDs()
	v := make([]float64, len(un.Columns))
	r.GameScores(l, theta, un, 1)(func(int) {}, func(_, game int, u []float64, along func(v []float64) float64) {
		out[ids[game]] = leverage(inverse, u, v, along)
	}, func(int) {})
	return out
}

// PlayersMeatBy is PlayersMeat with sums of so many clusters at once.
func (pass GameScores) PlayersMeatBy(n int, c *dyads.Clusters, inverse *mat.SymDense, workers, most int) *mat.SymDense {
	return pass.playersMeat(n, c, inverse, nil, workers, most)
}

// Moved returns the unknowns that are each entry of theta itself.
func (r *Store) Moved() *Unknowns {
	var columns [][]Entry
	for j := range r.Design.Size() {
		columns = append(columns, []Entry{{At: j, Share: 1}})
	}
	return NewUnknowns(r.Design, make([]float64, r.Design.Size()), columns)
}
