package rows

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"kifu/fit/losses"
)

// contrasts computes differences between the design lines of a move and of the move played in the
// same decision. Most terms count the same after all moves, so a contrast has fewer entries than a
// line. The second derivative of a decision loss depends only on contrasts.
type contrasts struct {
	at     *Layout
	played []Entry
	line   []Entry
	out    []Entry
}

// start begins a decision whose move played is row i of b.
func (c *contrasts) start(b *Block, i int) { c.played = c.appendLine(b, i, c.played[:0]) }

// row returns the contrast of row i: parameters, ascending, w_0 last. It is valid until
// the next call.
func (c *contrasts) row(b *Block, i int) []Entry {
	c.line = c.appendLine(b, i, c.line[:0])
	x, p, out := c.line, c.played, c.out[:0]
	for len(x) > 0 || len(p) > 0 {
		switch {
		case len(p) == 0 || len(x) > 0 && x[0].At < p[0].At:
			out = append(out, x[0])
			x = x[1:]
		case len(x) == 0 || p[0].At < x[0].At:
			out = append(out, Entry{p[0].At, -p[0].Share})
			p = p[1:]
		default:
			if v := x[0].Share - p[0].Share; v != 0 {
				out = append(out, Entry{x[0].At, v})
			}
			x, p = x[1:], p[1:]
		}
	}
	c.out = out
	return out
}

// appendLine appends line i of the design, its parameters in ascending order.
func (c *contrasts) appendLine(b *Block, i int, dst []Entry) []Entry {
	d := c.at.r.Design
	class := d.classes[b.class[i]]
	pa, pb := c.at.param[class.a], c.at.param[class.b]
	for code := range b.row(i) {
		v := c.at.value[code]
		switch {
		case pa[code] == pb[code]:
			dst = append(dst, Entry{int(pa[code]), v * (class.ma + class.mb)})
		case class.mb == 0:
			dst = append(dst, Entry{int(pa[code]), v * class.ma})
		default:
			dst = append(dst, Entry{int(pa[code]), v * class.ma}, Entry{int(pb[code]), v * class.mb})
		}
	}
	for j, s := range d.dense {
		if v := b.dense[i*len(d.dense)+j]; v != 0 {
			dst = append(dst, Entry{d.slots[s].params[0], float64(v)})
		}
	}
	return append(dst, Entry{d.Scale(), float64(b.Value[i])})
}

// mean is a sparse sum of contrasts.
type mean struct {
	value []float64 // by parameter
	in    []bool
	some  []int // parameters with an entry
}

func (m *mean) add(share float64, line []Entry) {
	for _, x := range line {
		if !m.in[x.At] {
			m.in[x.At] = true
			m.some = append(m.some, x.At)
		}
		m.value[x.At] += share * x.Share
	}
}

func (m *mean) clear() {
	for _, p := range m.some {
		m.value[p], m.in[p] = 0, false
	}
	m.some = m.some[:0]
}

// decisionHessian is Hessian for a loss of decisions.
func (r *Store) decisionHessian(theta []float64, l losses.Decisions, workers int) *mat.SymDense {
	n := r.Design.Size()
	h := mat.NewSymDense(n, nil)
	s, at := r.Scorer(theta), r.Layout()
	type scratch struct {
		sum  []float64 // upper half
		z, c []float64
		of   contrasts
		mean mean
	}
	all := make([]scratch, max(1, workers))
	r.Merge(workers, len(r.Chunks), func(w, i int) {
		x := &all[w]
		if x.sum == nil {
			x.sum, x.of.at = make([]float64, n*n), at
			x.mean.value, x.mean.in = make([]float64, n), make([]bool, n)
		}
		clear(x.sum)
		for _, b := range r.Blocks[r.Chunks[i].From:r.Chunks[i].To] {
			x.z = s.Scores(b, x.z[:0])
			x.c = append(x.c[:0], x.z...)
			for from, to := 0, 0; from < len(x.z); from = to {
				to = losses.DecisionEnd(b.Y, from)
				weight := b.WeightOf(from)
				centred := l.Curve(x.z[from:to], float64(b.Y[from])/losses.PlayedRow, x.c[from:to])
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
func square(c float64, x []Entry, n int, sum []float64) {
	for a, p := range x {
		line := sum[p.At*n : (p.At+1)*n]
		cp := c * p.Share
		for _, q := range x[a:] {
			line[q.At] += cp * q.Share
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

// sighting is the decision and game in which a column was last seen, counted within the
// chunk.
type sighting struct{ decision, game int }

// decisionSupports is Supports for decisions: a column is seen where it differs between
// a move and the one played, and is with or against the latter.
func (r *Store) decisionSupports(workers int) []Support {
	k := r.Design.Scale() + 1
	total := make([]Support, k)
	at := r.Layout()
	all := make([][]Support, max(1, workers))
	r.Merge(workers, len(r.Chunks), func(w, i int) {
		seen, last := make([]Support, k), make([]sighting, k)
		of, now := contrasts{at: at}, sighting{}
		for _, b := range r.Blocks[r.Chunks[i].From:r.Chunks[i].To] {
			run := -1
			for from, to := 0, 0; from < b.Rows(); from = to {
				if run < 0 || from == b.Games[run].End {
					run++
					now.game++
				}
				now.decision++
				to = losses.DecisionEnd(b.Y, from)
				of.start(b, from)
				for j := from + 1; j < to; j++ {
					for _, x := range of.row(b, j) {
						seen[x.At].compare(x.Share*float64(b.Y[from])/losses.PlayedRow, now, &last[x.At])
					}
				}
			}
		}
		all[w] = seen
	}, func(w, _ int) {
		for j, s := range all[w] {
			t := &total[j]
			t.Positions, t.Games, t.Squares = t.Positions+s.Positions, t.Games+s.Games, t.Squares+s.Squares
			t.with, t.against = t.with+s.with, t.against+s.against
		}
	})
	for j := range total {
		total[j].low, total[j].high = math.Inf(-1), math.Inf(1) // never a constant
	}
	return total
}

// compare adds a move that has v, not 0, more for the mover than the move played.
func (s *Support) compare(v float64, now sighting, last *sighting) {
	if last.decision != now.decision {
		s.Positions++
	}
	if last.game != now.game {
		s.Games++
	}
	*last = now
	s.Squares += v * v
	if v < 0 {
		s.with++
	} else {
		s.against++
	}
}
