package main

import (
	"fmt"
	"math/rand/v2"

	"kifu/bench/simulation/walk"
	"kifu/eval"
	"kifu/fit/rows"
)

// The known part of the value, and how the evaluation moves.
const (
	scale     = 0.006 // w_0, in log-odds a centipawn
	knownStep = 50    // centipawns that the known part moves at once
	opening   = 10    // plies before the first position
	positions = 10    // of a game
)

// part is a term of the evaluator.
type part struct {
	group  string
	weight float64 // centipawns
	rare   float64 // share of the games that have it; 0: all
}

// play fills a store with games of the parts, which are all free from a weight of 0.
//
// The winner is chosen first. Then each part of the evaluation goes up or down by one with
// odds e^±h in favour of the winner's side: a step has a likelihood ratio of e^2h. With
// 2h = w_0·weight the chance to win, given a position, is by Bayes' rule exactly
// 1/(1+exp(-w_0 e')), at every ply, although all positions of a game have one result.
func play(rng *rand.Rand, games int, parts []part) *rows.Store {
	b := rows.NewBuilder(designOf(parts))
	counts := make([]int, len(parts))
	for game := range games {
		won := rng.IntN(2) == 0
		clear(counts)
		known := 0
		in := make([]bool, len(parts))
		for i, p := range parts {
			in[i] = p.rare == 0 || rng.Float64() < p.rare
		}
		for ply := 1; ply < opening+positions; ply++ {
			known += walk.Step(rng, won, scale*knownStep)
			for i, p := range parts {
				if in[i] {
					counts[i] += walk.Step(rng, won, scale*p.weight)
				}
			}
			if ply < opening {
				continue
			}
			b.Add(row(game, won, known, counts))
		}
	}
	return b.Finish()
}

// row is a position.
func row(game int, won bool, known int, counts []int) *rows.Row {
	x := &rows.Row{Game: int64(game), Value: float64(known * knownStep), Weight: 1, Stratum: rows.NoStratum}
	if won {
		x.Y = 1
	}
	for i, n := range counts {
		if n != 0 {
			x.Features = append(x.Features, rows.Count{Slot: uint32(i), N: int16(n)})
		}
	}
	return x
}

// designOf is the design in which all parts are free.
func designOf(parts []part) *rows.Design {
	m := &eval.Model{Stages: []string{"all"}, Knots: []int{0}}
	var free []int
	for i, p := range parts {
		m.Terms = append(m.Terms, eval.Term{Name: fmt.Sprintf("t%d", i), Group: p.group, Weights: []float64{0}})
		free = append(free, i)
	}
	return rows.NewDesign(m, free, nil, nil)
}
