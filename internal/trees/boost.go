package trees

import (
	"math"
	"slices"
)

const (
	boostRounds = 400
	boostDepth  = 3
	boostRate   = 0.1
	patience    = 20 // rounds without a better validation
)

// Boost returns the log-odds of all rows by gradient boosting over all columns, from log-odds
// on: it learns results (won, 1 or 0) of the rows learn, stops where those of validate say so,
// and grows as many trees of both.
func (s *Sample) Boost(from, won []float64, learn, validate []int32, least int) []float64 {
	odds, best, lowest := slices.Clone(from), 0, math.Inf(1)
	for round := 0; round <= boostRounds && round <= best+patience; round++ {
		loss := 0.0
		for _, i := range validate {
			loss += Loss(odds[i], won[i])
		}
		if loss < lowest {
			best, lowest = round, loss
		}
		s.boostOnce(odds, won, learn, least)
	}
	odds = slices.Clone(from)
	all := slices.Concat(learn, validate)
	slices.Sort(all)
	for range best {
		s.boostOnce(odds, won, all, least)
	}
	return odds
}

// boostOnce adds a tree, grown of some rows, to the log-odds of all.
func (s *Sample) boostOnce(odds, won []float64, rows []int32, least int) {
	of := make([]Sum, len(odds))
	for _, i := range rows {
		of[i] = SumOf(odds[i], won[i])
	}
	tree := s.Grow(rows, of, len(s.Names), boostDepth, least)
	for i := range odds {
		odds[i] += boostRate * tree.At(s, i).Step
	}
}
