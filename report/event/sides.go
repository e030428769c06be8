package event

import (
	"math"
	"slices"

	"kifu/internal/lists"
)

// sides adds to rows the moves of sides of games up to the first event, with what follows.
type sides struct {
	match, by []int // in bands
	next      int
	rows      *rows
	sums      [2][]sum  // of loss and spent before each move
	whole     []float64 // numbers of the bands in match that are the same for all moves of the side
	labels    []string
}

func newSides(p *Params, to *rows) *sides {
	s := &sides{next: p.Next, rows: to, labels: make([]string, len(p.By))}
	at := func(names []string) (all []int) {
		return lists.Of(names, func(name string) int { return slices.Index(Bands(), name) })
	}
	s.match, s.by = at(p.Match), at(p.By)
	to.known, s.whole = make([]int64, len(s.match)), make([]float64, len(s.match))
	return s
}

// add adds the moves of a side.
func (s *sides) add(of *side, plies []ply, events []bool) {
	last := slices.Index(events, true)
	if last < 0 {
		last = len(plies) - 1
	}
	loss, spent := sum{}, sum{}
	s.sums = [2][]sum{append(s.sums[0][:0], loss), append(s.sums[1][:0], spent)}
	for i := range plies[:min(len(plies), last+1+s.next)] {
		loss.add(float64(plies[i].loss))
		spent.add(plies[i].spent)
		s.sums[0], s.sums[1] = append(s.sums[0], loss), append(s.sums[1], spent)
	}
	m := move{rating: of.rating, ahead: of.rating - of.other}
	for i, b := range s.match {
		s.whole[i] = bands[b].of(&m)
	}
	for i := range plies[:last+1] {
		m.value, m.clock, m.number, m.event = float64(plies[i].value), plies[i].clock, float64(i+1), events[i]
		if cell, known := s.cell(&m); known {
			for k, by := range s.by {
				if m.event {
					s.labels[k] = label(by, &m)
				}
			}
			s.rows.add(of.game, int64(of.player), cell, m.event, [outcomes]float64{of.score, s.mean(0, i), s.mean(1, i)}, s.labels)
		}
	}
}

// mean returns the mean of a sum over the moves after move i; NaN for none.
func (s *sides) mean(k, i int) float64 {
	from, to := s.sums[k][i+1], s.sums[k][min(i+1+s.next, len(s.sums[k])-1)]
	return (to.s - from.s) / (to.n - from.n)
}

// mostBands is more than twice the number of any band: five of them fit into 64 bits.
const mostBands = 4099

// cell returns a number for the bands of a move in which it is compared, unless one of them is not known.
func (s *sides) cell(m *move) (cell int64, known bool) {
	key := uint64(0)
	known = true
	for i, b := range s.match {
		x := s.whole[i]
		if !bands[b].whole {
			x = bands[b].of(m)
		}
		if math.IsNaN(x) {
			known = false
			continue
		}
		s.rows.known[i]++
		key = key*mostBands + uint64(int64(x))
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
