package rows

// Columns are the entries of row i of the design that may be non-zero, w_0 with the value
// e(p) last.
func (r *Store) Columns(b *Block, i int) (params []int, x []float64) {
	at, v := make([]int32, len(r.Design.slots)+1), make([]float64, len(r.Design.slots)+1)
	n := r.counts(b, i, at, v)
	for j, s := range at[:n-1] {
		r.Design.eachShare(int(s), r.Design.classes[b.class[i]], func(p int, share float64) {
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

// Moved returns the unknowns that are each entry of theta itself.
func (r *Store) Moved() *Unknowns {
	var columns [][]Entry
	for j := range r.Design.Size() {
		columns = append(columns, []Entry{{At: j, Share: 1}})
	}
	return NewUnknowns(r.Design, make([]float64, r.Design.Size()), columns)
}
