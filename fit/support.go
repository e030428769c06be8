package fit

import "math"

// support is what the rows say about one column of the design, before any fit.
type support struct {
	positions, games int
	squares          float64 // Σ x²
	low, high        float64 // of the values that are not zero
	// with counts rows in which the column points to the side that won, against those
	// in which it does not. If one of them is zero, the likelihood grows for ever with
	// the column's weight.
	with, against int
}

// constant says that the column has one value in all n rows.
func (s support) constant(n int) bool { return s.positions == n && s.low == s.high }

// separated says that the column alone tells some winners and never errs.
func (s support) separated() bool { return s.positions > 0 && (s.with == 0 || s.against == 0) }

// supports returns the support of every parameter, that of the value e(p) last.
func (r *rows) supports(workers int) []support {
	k := r.d.scale() + 1
	total := make([]support, k)
	for i := range total {
		total[i].low, total[i].high = math.Inf(1), math.Inf(-1)
	}
	type scratch struct {
		s    []support
		last []int // game in which the parameter was seen last, counted in the chunk
		at   []int32
		v    []float64
	}
	all := make([]scratch, max(1, workers))
	inOrder(workers, len(r.chunks), func(w, i int) {
		x := &all[w]
		if x.s == nil {
			x.s, x.last = make([]support, k), make([]int, k)
		}
		for j := range x.s {
			x.s[j] = support{low: math.Inf(1), high: math.Inf(-1)}
			x.last[j] = 0
		}
		game := 0
		for _, b := range r.blocks[r.chunks[i].from:r.chunks[i].to] {
			run := -1
			for i := range b.rows() {
				if run < 0 || i == b.games[run].end {
					run++
					game++
				}
				y := b.y[i]
				x.at, x.v = r.columns(b, i, x.at[:0], x.v[:0])
				for j, p := range x.at {
					v := x.v[j]
					if v == 0 {
						continue
					}
					s := &x.s[p]
					s.positions++
					if x.last[p] != game {
						x.last[p] = game
						s.games++
					}
					s.squares += v * v
					s.low, s.high = min(s.low, v), max(s.high, v)
					if y > 0 {
						if v > 0 {
							s.with++
						} else {
							s.against++
						}
					}
					if y < 1 {
						if v < 0 {
							s.with++
						} else {
							s.against++
						}
					}
				}
			}
		}
	}, func(w, _ int) {
		for j, s := range all[w].s {
			t := &total[j]
			t.positions += s.positions
			t.games += s.games
			t.squares += s.squares
			t.low, t.high = min(t.low, s.low), max(t.high, s.high)
			t.with += s.with
			t.against += s.against
		}
	})
	return total
}
