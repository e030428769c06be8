package conjunctions

import (
	"math"

	"kifu/fit/losses"
	"kifu/internal/lists"
	"kifu/schemas"
)

// measures are the loss of each position and whether its winner was named (1, or ½ at an even
// score; NaN without one).
type measures struct{ loss, named []float64 }

func (s *Sample) measure(method string, z func(i int) float64) measures {
	loss := losses.Of(method)
	m := measures{make([]float64, s.N), make([]float64, s.N)}
	for i, y := range s.Y {
		v := z(i)
		m.loss[i] = loss.At(v, y, 0).F
		m.named[i] = math.NaN()
		even := 0.5
		if method == losses.Value {
			even = 0
		}
		switch {
		case y == even:
		case v == 0:
			m.named[i] = 0.5
		case (v > 0) == (y > even):
			m.named[i] = 1
		default:
			m.named[i] = 0
		}
	}
	return m
}

// quality returns the means of m, with errors by game.
func (s *Sample) quality(m measures) schemas.ConjunctionsQuality {
	var q schemas.ConjunctionsQuality
	q.Loss, q.LossSE = mean(m.loss, s.Game)
	q.Named, q.NamedSE = mean(m.named, s.Game)
	return q
}

// gain returns what a gains over b, position by position: the loss is less by the first mean, and the winners named are more by the second.
func (s *Sample) gain(a, b measures) schemas.ConjunctionsQuality {
	d := measures{make([]float64, s.N), make([]float64, s.N)}
	for i := range d.loss {
		d.loss[i], d.named[i] = b.loss[i]-a.loss[i], a.named[i]-b.named[i]
	}
	return s.quality(d)
}

// mean returns the mean of what is a number, with its standard error: the values of one game
// depend on each other, sqrt(G/(G-1) Σ_g (Σ_i (x_i - mean))²)/n. It is 0 for fewer than two games.
func mean(x []float64, game []int64) (m, se float64) {
	n := 0
	for _, v := range x {
		if v == v {
			m += v
			n++
		}
	}
	if n == 0 {
		return 0, 0
	}
	m /= float64(n)
	place := map[int64]int{}
	var sums []float64
	for i, v := range x {
		if v != v {
			continue
		}
		at, known := place[game[i]]
		if !known {
			at = len(sums)
			place[game[i]] = at
			sums = append(sums, 0)
		}
		sums[at] += v - m
	}
	g := float64(len(sums))
	if g < 2 {
		return m, 0
	}
	square := lists.Sum(sums, func(v float64) float64 { return v * v })
	return m, math.Sqrt(square*g/(g-1)) / float64(n)
}

// constant returns the score that suits all positions of s best.
func (s *Sample) constant(method string) float64 {
	m, _ := mean(s.Y, s.Game)
	if method == losses.Value {
		return m
	}
	return math.Log(m / (1 - m))
}

// games returns the number of games of s.
func (s *Sample) games() int {
	seen := lists.Set(s.Game)
	return len(seen)
}
