package decide

import (
	"math"

	"kifu/games"
	"kifu/search"
)

// Values returns the values of the legal moves of p for its side to move, in
// 1/search.Grain units, for looks of 1 to deepest plies ahead (the index is one less). A
// strategy (f, d) of Carmel and Markovitch (1993) looks d plies ahead of the board, so the
// position after a move is searched d-1 plies deep.
func Values[P games.Position[P]](s *search.Searcher[P], p P, deepest int) [][]int32 {
	moves, sign := p.AppendMoves(nil), p.ToMove().Sign()
	values := make([][]int32, deepest)
	for d := range values {
		values[d] = make([]int32, len(moves))
	}
	s.Alternatives(p, deepest, 1, func(d, i int, r search.Result[P]) { values[d-1][i] = r.Value * sign })
	return values
}

// QuietValues returns the same by searches with quiescence at their leaves.
func QuietValues[P games.Position[P]](s *search.Searcher[P], p P, deepest int) [][]int32 {
	moves, sign := p.AppendMoves(nil), p.ToMove().Sign()
	values := make([][]int32, deepest)
	for d := range values {
		values[d] = make([]int32, len(moves))
	}
	for i, m := range moves {
		next := p.Play(m)
		values[0][i] = s.Depth(next, 0).Value * sign
		if deepest > 1 {
			s.Deepen(next, deepest-1, func(d int, r search.Result[P]) { values[d][i] = r.Value * sign })
		}
	}
	return values
}

// LogChance returns ln P(move i) of a noisy choice: with probability lapse the player plays
// a random legal move, else move i with probability proportional to exp(value i /
// temperature). The temperature is in the evaluator's unit, above 0.
func LogChance(values []int32, i int, temperature, lapse float64) float64 {
	best := values[0]
	for _, v := range values {
		best = max(best, v)
	}
	sum, t := 0.0, temperature*search.Grain
	for _, v := range values {
		sum += math.Exp(float64(v-best) / t)
	}
	p := math.Exp(float64(values[i]-best)/t) / sum
	return math.Log(lapse/float64(len(values)) + (1-lapse)*p)
}

// The least temperature and lapse of a choice by which moves have chances: a model may have
// less, and one move that it does not expect would make it impossible.
const (
	LeastTemperature = 1.0 / search.Grain
	LeastLapse       = 0.001
)
