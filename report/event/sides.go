package event

import (
	"math"
	"slices"

	"kifu/internal/splitmix"
)

// sides adds to rows the moves of sides of games up to the first event, with what follows.
type sides struct {
	match, by []int // in bands
	next      int
	rows      *rows
	sums      [2][]sum // of loss and spent before each move
	labels    []string
}

func newSides(p *Params, to *rows) *sides {
	s := &sides{next: p.Next, rows: to, labels: make([]string, len(p.By))}
	at := func(names []string) (all []int) {
		for _, name := range names {
			all = append(all, slices.Index(Bands(), name))
		}
		return all
	}
	s.match, s.by = at(p.Match), at(p.By)
	to.known = make([]int64, len(s.match))
	return s
}

// add adds the moves of a side.
func (s *sides) add(of *side, plies []ply, events []bool) {
	for k := range s.sums {
		s.sums[k] = append(s.sums[k][:0], sum{})
	}
	for i := range plies {
		for k, y := range [2]float64{float64(plies[i].loss), plies[i].spent} {
			next := s.sums[k][i]
			next.add(y)
			s.sums[k] = append(s.sums[k], next)
		}
	}
	m := move{rating: of.rating, ahead: of.rating - of.other}
	for i := range plies {
		m.value, m.clock, m.number, m.event = float64(plies[i].value), plies[i].clock, float64(i+1), events[i]
		if cell, known := s.cell(&m); known {
			for k, by := range s.by {
				if m.event {
					s.labels[k] = label(by, &m)
				}
			}
			s.rows.add(of.game, int64(of.player), cell, m.event, [outcomes]float64{of.score, s.mean(0, i), s.mean(1, i)}, s.labels)
		}
		if m.event {
			break
		}
	}
}

// mean returns the mean of a sum over the moves after move i; NaN for none.
func (s *sides) mean(k, i int) float64 {
	from, to := s.sums[k][i+1], s.sums[k][min(i+1+s.next, len(s.sums[k])-1)]
	return (to.s - from.s) / (to.n - from.n)
}

// cell returns a number for the bands of a move in which it is compared, unless one of them is not known.
func (s *sides) cell(m *move) (cell int64, known bool) {
	key := uint64(0)
	known = true
	for i, b := range s.match {
		x := bands[b].of(m)
		if math.IsNaN(x) {
			known = false
			continue
		}
		s.rows.known[i]++
		key = splitmix.Mix(key + uint64(int64(x)) + splitmix.Golden)
	}
	return int64(key), known
}

// label returns the name of a move's band.
func label(band int, m *move) string {
	if math.IsNaN(bands[band].of(m)) {
		return "9: unknown"
	}
	return bands[band].label(m)
}
