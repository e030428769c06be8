package fit

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// contrasts makes lines of the design less that of the move played in the same decision.
// Behind most moves most terms count what they count behind the others, so that a
// contrast is shorter than a line; and the second derivative of decisions is one of
// contrasts.
type contrasts struct {
	at     *places
	played []entry
	line   []entry
	out    []entry
}

// start begins a decision with row i of b, that of the move played.
func (c *contrasts) start(b *block, i int) { c.played = c.of(b, i, c.played[:0]) }

// row returns the contrast of row i: parameters, ascending, w_0 last. It is valid until
// the next call.
func (c *contrasts) row(b *block, i int) []entry {
	c.line = c.of(b, i, c.line[:0])
	x, p, out := c.line, c.played, c.out[:0]
	for len(x) > 0 || len(p) > 0 {
		switch {
		case len(p) == 0 || len(x) > 0 && x[0].at < p[0].at:
			out = append(out, x[0])
			x = x[1:]
		case len(x) == 0 || p[0].at < x[0].at:
			out = append(out, entry{p[0].at, -p[0].share})
			p = p[1:]
		default:
			if v := x[0].share - p[0].share; v != 0 {
				out = append(out, entry{x[0].at, v})
			}
			x, p = x[1:], p[1:]
		}
	}
	c.out = out
	return out
}

// of appends line i of the design: slots ascend, and so do their parameters.
func (c *contrasts) of(b *block, i int, dst []entry) []entry {
	d := c.at.r.d
	class := d.classes[b.class[i]]
	pa, pb := c.at.param[class.a], c.at.param[class.b]
	for j := b.start(i); j < b.ends[i]; j++ {
		code := b.code(j)
		v := c.at.value[code]
		switch {
		case pa[code] == pb[code]:
			dst = append(dst, entry{int(pa[code]), v * (class.ma + class.mb)})
		case class.mb == 0:
			dst = append(dst, entry{int(pa[code]), v * class.ma})
		default:
			dst = append(dst, entry{int(pa[code]), v * class.ma}, entry{int(pb[code]), v * class.mb})
		}
	}
	for j, s := range d.dense {
		if v := b.dense[i*len(d.dense)+j]; v != 0 {
			dst = append(dst, entry{d.slots[s].params[0], float64(v)})
		}
	}
	return append(dst, entry{d.scale(), float64(b.value[i])})
}

// mean is a sparse sum of contrasts.
type mean struct {
	value []float64 // by parameter
	in    []bool
	some  []int // parameters that are in
}

func (m *mean) add(share float64, line []entry) {
	for _, x := range line {
		if !m.in[x.at] {
			m.in[x.at] = true
			m.some = append(m.some, x.at)
		}
		m.value[x.at] += share * x.share
	}
}

func (m *mean) clear() {
	for _, p := range m.some {
		m.value[p], m.in[p] = 0, false
	}
	m.some = m.some[:0]
}

// decisionHessian is hessian for a loss of decisions.
func (r *rows) decisionHessian(theta []float64, l decisionLoss, workers int) *mat.SymDense {
	n := r.d.size()
	h := mat.NewSymDense(n, nil)
	s, at := r.scorer(theta), r.places()
	type scratch struct {
		sum  []float64 // upper half
		z, c []float64
		of   contrasts
		mean mean
	}
	all := make([]scratch, max(1, workers))
	inOrder(workers, len(r.chunks), func(w, i int) {
		x := &all[w]
		if x.sum == nil {
			x.sum, x.of.at = make([]float64, n*n), at
			x.mean.value, x.mean.in = make([]float64, n), make([]bool, n)
		}
		clear(x.sum)
		for _, b := range r.blocks[r.chunks[i].from:r.chunks[i].to] {
			x.z = s.scores(b, x.z[:0])
			x.c = append(x.c[:0], x.z...)
			for from, to := 0, 0; from < len(x.z); from = to {
				to = decisionEnd(b.y, from)
				weight := b.weightOf(from)
				centred := l.curve(x.z[from:to], float64(b.y[from])/playedRow, x.c[from:to])
				x.of.start(b, from)
				for j := from + 1; j < to; j++ {
					line := x.of.row(b, j)
					square(weight*x.c[j], line, n, x.sum)
					if centred {
						x.mean.add(x.c[j], line)
					}
				}
				if centred {
					x.mean.subtract(weight, n, x.sum)
				}
			}
		}
	}, func(w, _ int) {
		raw := h.RawSymmetric()
		for i, v := range all[w].sum {
			raw.Data[i] += v
		}
	})
	return h
}

// square adds c·x·xᵀ to the upper half of sum, n wide.
func square(c float64, x []entry, n int, sum []float64) {
	for a, p := range x {
		line := sum[p.at*n : (p.at+1)*n]
		cp := c * p.share
		for _, q := range x[a:] {
			line[q.at] += cp * q.share
		}
	}
}

// subtract takes w·m·mᵀ from the upper half of sum and empties m.
func (m *mean) subtract(w float64, n int, sum []float64) {
	for _, p := range m.some {
		line := sum[p*n : (p+1)*n]
		wp := w * m.value[p]
		for _, q := range m.some {
			if q >= p {
				line[q] -= wp * m.value[q]
			}
		}
	}
	m.clear()
}

// sighting is where a column was seen last, counted in the chunk.
type sighting struct{ decision, game int }

// decisionSupports is supports for decisions: a column is seen where it differs between
// a move and the one played, and points to the latter or against it.
func (r *rows) decisionSupports(workers int) []support {
	k := r.d.scale() + 1
	total := make([]support, k)
	at := r.places()
	all := make([][]support, max(1, workers))
	inOrder(workers, len(r.chunks), func(w, i int) {
		seen, last := make([]support, k), make([]sighting, k)
		of, now := contrasts{at: at}, sighting{}
		for _, b := range r.blocks[r.chunks[i].from:r.chunks[i].to] {
			run := -1
			for from, to := 0, 0; from < b.rows(); from = to {
				if run < 0 || from == b.games[run].end {
					run++
					now.game++
				}
				now.decision++
				to = decisionEnd(b.y, from)
				of.start(b, from)
				for j := from + 1; j < to; j++ {
					for _, x := range of.row(b, j) {
						seen[x.at].compare(x.share*float64(b.y[from])/playedRow, now, &last[x.at])
					}
				}
			}
		}
		all[w] = seen
	}, func(w, _ int) {
		for j, s := range all[w] {
			t := &total[j]
			t.positions, t.games, t.squares = t.positions+s.positions, t.games+s.games, t.squares+s.squares
			t.with, t.against = t.with+s.with, t.against+s.against
		}
	})
	for j := range total {
		total[j].low, total[j].high = math.Inf(-1), math.Inf(1) // never a constant
	}
	return total
}

// compare takes in that a move has v more for the mover than the one played, v not 0.
func (s *support) compare(v float64, now sighting, last *sighting) {
	if last.decision != now.decision {
		s.positions++
	}
	if last.game != now.game {
		s.games++
	}
	*last = now
	s.squares += v * v
	if v < 0 {
		s.with++
	} else {
		s.against++
	}
}
