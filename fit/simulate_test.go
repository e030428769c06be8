package fit

import (
	"fmt"
	"math"
	"math/rand/v2"

	"kifu/eval"
)

// simulation makes games whose results follow a linear evaluator, with a luck of its
// own for every game, so that the positions of one game are correlated.
type simulation struct {
	terms, perRow    int
	games, perGame   int
	luck             float64 // standard deviation of a game's luck, in log-odds
	scale            float64 // w_0
	tapered          bool
	seed             uint64
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

// rows plays the games. The terms with the indices free have the weight of
// s.present in e(p) and that of s.planted in truth.
func (s *simulation) rows(free []int, added ...string) *rows {
	rng := rand.New(rand.NewPCG(s.seed, 2))
	d := newDesign(s.present, free, added)
	slotOf := map[int]uint16{}
	for i, t := range free {
		slotOf[t] = uint16(i)
	}
	b := newBuilder(d)
	x := &row{weight: 1}
	for g := range s.games {
		luck := s.luck * rng.NormFloat64()
		// A game has a result of its own; its positions lean that way.
		lean := rng.Float64()
		for range s.perGame {
			x.game, x.phase = int64(g), rng.IntN(25)
			x.features, x.dense = x.features[:0], x.dense[:0]
			var all []eval.Feature
			at := rng.IntN(max(1, s.terms/s.perRow))
			for at < s.terms {
				n := int16(rng.IntN(3) + 1)
				if rng.IntN(2) == 0 {
					n = -n
				}
				all = append(all, eval.Feature{Term: uint16(at), Count: n})
				if slot, ok := slotOf[at]; ok {
					x.features = append(x.features, count{slot, n})
				}
				at += 1 + rng.IntN(max(1, 2*s.terms/s.perRow-1))
			}
			for range added {
				x.dense = append(x.dense, float64(rng.IntN(3)-1))
			}
			x.value = s.present.Score(all, x.phase)
			z := s.scale*s.planted.Score(all, x.phase) + luck
			x.y = 0
			if lean < win(z) {
				x.y = 1
			}
			b.add(x)
		}
	}
	return b.finish()
}

// span returns 0..n-1 without those left out.
func upTo(n int, without ...int) []int {
	var out []int
	for i := range n {
		keep := true
		for _, w := range without {
			keep = keep && w != i
		}
		if keep {
			out = append(out, i)
		}
	}
	return out
}
