package fit

import (
	"fmt"
	"math"
	"math/rand/v2"

	"kifu/eval"
)

// simulation makes games whose results follow a linear evaluator and whose positions
// are correlated within a game.
type simulation struct {
	terms, perRow    int
	games, perGame   int
	scale            float64 // w_0
	tapered          bool
	seed             uint64
	distinct         bool // labels have columns with counts of results
	present, planted *eval.Model
}

func (s *simulation) models() {
	rng := rand.New(rand.NewPCG(s.seed, 1))
	m := &eval.Model{Game: "test", Name: "planted", Unit: "points", Stages: []string{"all"}, Knots: []int{0}}
	if s.tapered {
		m.Stages, m.Knots = []string{"opening", "endgame"}, []int{24, 0}
	}
	for i := range s.terms {
		t := eval.Term{Name: fmt.Sprintf("t%d", i), Group: fmt.Sprintf("g%d", i*4/s.terms)}
		for range m.Stages {
			t.Weights = append(t.Weights, math.Round(100*20*rng.NormFloat64())/100)
		}
		m.Terms = append(m.Terms, t)
	}
	s.planted = m
	s.present = m.Clone()
}

// play calls f with every position: its game, its features, its phase and whether the
// first player won. The features of a game's positions resemble each other, and so do
// the results, but a position's result is won with the planted model's probability.
func (s *simulation) play(f func(game int, features []eval.Feature, phase int, won bool)) {
	rng := rand.New(rand.NewPCG(s.seed, 2))
	counts := make([]int16, s.terms)
	var features []eval.Feature
	for g := range s.games {
		lean := rng.Float64()
		clear(counts)
		for ply := range s.perGame {
			for i := range counts {
				// Each term is there with the chance that gives perRow of them, and stays
				// as it was in the position before in nine cases of ten.
				if ply > 0 && rng.IntN(10) > 0 {
					continue
				}
				counts[i] = 0
				if rng.IntN(s.terms) < s.perRow {
					counts[i] = int16(rng.IntN(3)+1) * int16(1-2*rng.IntN(2))
				}
			}
			features = features[:0]
			for i, n := range counts {
				if n != 0 {
					features = append(features, eval.Feature{Term: uint16(i), Count: n})
				}
			}
			phase := 24 - 24*ply/s.perGame
			f(g, features, phase, lean < win(s.scale*s.planted.Score(features, phase)))
		}
	}
}

// rows plays the games into a store in which the terms with the given indices are free.
// Their weights in e(p) are those of s.present.
func (s *simulation) rows(free []int) *rows {
	d := newDesign(s.present, free, nil, nil)
	slotOf := map[uint16]uint16{}
	for i, t := range free {
		slotOf[uint16(t)] = uint16(i)
	}
	b := newBuilder(d)
	s.play(func(game int, features []eval.Feature, phase int, won bool) {
		x := &row{game: int64(game), phase: phase, weight: 1, value: s.present.Score(features, phase)}
		for _, f := range features {
			if slot, ok := slotOf[f.Term]; ok {
				x.features = append(x.features, count{slot, f.Count})
			}
		}
		if won {
			x.y = 1
		}
		b.add(x)
	})
	return b.finish()
}

// zero takes the weights of the terms out of s.present.
func (s *simulation) zero(terms []int) {
	for _, i := range terms {
		clear(s.present.Terms[i].Weights)
	}
}

// between returns from..to-1.
func between(from, to int) []int {
	var out []int
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}
