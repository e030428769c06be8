package rows

import (
	"math"
)

// Support summarises one column of the design before any fit.
type Support struct {
	Positions, Games int
	Squares          float64 // Σ x²
	low, high        float64 // of the values that are not zero
	// with counts rows in which the column points to the side that won, against those
	// in which it does not. If one of them is zero, the likelihood grows
	// without end with the column's weight.
	with, against int
}

// Constant reports whether the column has one value in all n rows.
func (s Support) Constant(n int) bool { return s.Positions == n && s.low == s.high }

// Separated reports whether the column alone predicts some winners and never errs.
func (s Support) Separated() bool { return s.Positions > 0 && (s.with == 0 || s.against == 0) }

// sightings gathers the support of a column row by row.
type sightings struct {
	n         [2][3]int // by sign, and by the result: second, first, or something of both
	games     int
	last      int // game in which it was seen last, counted in the chunk
	squares   float64
	low, high float64
}

// see adds a value v, not zero, of some rows of the given game and result.
func (s *sightings) see(v float64, rows, result, game int) {
	if v > 0 {
		s.n[1][result] += rows
	} else {
		s.n[0][result] += rows
	}
	if s.last != game {
		s.last = game
		s.games++
	}
	s.squares += float64(rows) * v * v
	if v < s.low {
		s.low = v
	}
	if v > s.high {
		s.high = v
	}
}

// addTo adds what was seen to t.
func (s *sightings) addTo(t *Support) {
	for sign := range s.n {
		n := &s.n[sign]
		t.Positions += n[0] + n[1] + n[2]
		// A result of both, as a draw, counts on either side.
		won, lost := n[1]+n[2], n[0]+n[2]
		if sign == 0 {
			won, lost = lost, won
		}
		t.with += won
		t.against += lost
	}
	t.Games += s.games
	t.Squares += s.squares
	t.low, t.high = min(t.low, s.low), max(t.high, s.high)
}

// Supports returns the support of every parameter, the value e(p) last.
func (r *Store) Supports(workers int) []Support {
	if r.Design.Decided != nil {
		return r.decisionSupports(workers)
	}
	k := r.Design.Scale() + 1
	total := make([]Support, k)
	for i := range total {
		total[i].low, total[i].high = math.Inf(1), math.Inf(-1)
	}
	at := r.Layout()
	all := make([]lookout, max(1, workers))
	r.Merge(workers, len(r.Chunks), func(w, i int) {
		x := &all[w]
		if x.seen == nil {
			*x = lookout{at: at, seen: make([]sightings, k), rows: make([]int32, len(r.atoms))}
		}
		for j := range x.seen {
			x.seen[j] = sightings{low: math.Inf(1), high: math.Inf(-1)}
		}
		game := 0
		for _, b := range r.Blocks[r.Chunks[i].From:r.Chunks[i].To] {
			from := 0
			for _, run := range b.Games {
				game++
				for from < run.End {
					to := from + 1
					for to < run.End && b.class[to] == b.class[from] && b.Y[to] == b.Y[from] {
						to++
					}
					x.look(b, Span{from, to}, game)
					from = to
				}
			}
		}
	}, func(w, _ int) {
		for j := range all[w].seen {
			all[w].seen[j].addTo(&total[j])
		}
	})
	return total
}

// lookout counts what a worker sees of every column.
type lookout struct {
	at   *Layout
	seen []sightings
	rows []int32  // of a stretch that have each atom
	some []uint32 // atoms that some row has
}

// look sees every column of some rows of a game, which have one stage mix and one result.
func (x *lookout) look(b *Block, some Span, game int) {
	d, s := x.at.r.Design, x.seen
	result := 2
	if y := b.Y[some.From]; y == 0 || y == 1 {
		result = int(y)
	}
	k, scale := len(d.dense), &s[d.Scale()]
	for i := some.From; i < some.To; i++ {
		for code := range b.row(i) {
			if x.rows[code] == 0 {
				x.some = append(x.some, code)
			}
			x.rows[code]++
		}
		for j, slot := range d.dense {
			if v := b.dense[i*k+j]; v != 0 {
				s[d.slots[slot].params[0]].see(float64(v), 1, result, game)
			}
		}
		if v := b.Value[i]; v != 0 {
			scale.see(float64(v), 1, result, game)
		}
	}
	c := d.classes[b.class[some.From]]
	pa, pb := x.at.param[c.a], x.at.param[c.b]
	for _, code := range x.some {
		v, n := x.at.value[code], int(x.rows[code])
		x.rows[code] = 0
		switch {
		case v == 0:
		case pa[code] == pb[code]:
			s[pa[code]].see(v*(c.ma+c.mb), n, result, game)
		case c.mb == 0:
			s[pa[code]].see(v*c.ma, n, result, game)
		default:
			s[pa[code]].see(v*c.ma, n, result, game)
			s[pb[code]].see(v*c.mb, n, result, game)
		}
	}
	x.some = x.some[:0]
}

// Merge adds the support of the column of another weight that is sign times this one.
func (s *Support) Merge(o Support, sign float64) {
	if sign < 0 {
		o.low, o.high, o.with, o.against = -o.high, -o.low, o.against, o.with
	}
	s.Positions, s.Games, s.Squares = s.Positions+o.Positions, max(s.Games, o.Games), s.Squares+o.Squares
	s.low, s.high = min(s.low, o.low), max(s.high, o.high)
	s.with, s.against = s.with+o.with, s.against+o.against
}
