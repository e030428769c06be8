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

// see adds a value v, not zero, of a row of the given game and result.
func (s *sightings) see(v float64, result, game int) {
	if v > 0 {
		s.n[1][result]++
	} else {
		s.n[0][result]++
	}
	if s.last != game {
		s.last = game
		s.games++
	}
	s.squares += v * v
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
	all := make([][]sightings, max(1, workers))
	r.Merge(workers, len(r.Chunks), func(w, i int) {
		if all[w] == nil {
			all[w] = make([]sightings, k)
		}
		for j := range all[w] {
			all[w][j] = sightings{low: math.Inf(1), high: math.Inf(-1)}
		}
		game := 0
		for _, b := range r.Blocks[r.Chunks[i].From:r.Chunks[i].To] {
			look(at, b, game, all[w])
			game += len(b.Games)
		}
	}, func(w, _ int) {
		for j := range all[w] {
			all[w][j].addTo(&total[j])
		}
	})
	return total
}

// look passes every column of b's rows to s. game is the number of games before b.
func look(at *Layout, b *Block, game int, s []sightings) {
	d := at.r.Design
	scale, k := d.Scale(), len(d.dense)
	run := -1
	for i, y := range b.Y {
		if run < 0 || i == b.Games[run].End {
			run++
			game++
		}
		result := 2
		if y == 0 || y == 1 {
			result = int(y)
		}
		c := d.classes[b.class[i]]
		pa, pb := at.param[c.a], at.param[c.b]
		for code := range b.row(i) {
			v := at.value[code]
			switch {
			case v == 0:
			case pa[code] == pb[code]:
				s[pa[code]].see(v*(c.ma+c.mb), result, game)
			case c.mb == 0:
				s[pa[code]].see(v*c.ma, result, game)
			default:
				s[pa[code]].see(v*c.ma, result, game)
				s[pb[code]].see(v*c.mb, result, game)
			}
		}
		for j, slot := range d.dense {
			if v := b.dense[i*k+j]; v != 0 {
				s[d.slots[slot].params[0]].see(float64(v), result, game)
			}
		}
		if v := b.Value[i]; v != 0 {
			s[scale].see(float64(v), result, game)
		}
	}
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
