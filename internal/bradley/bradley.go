// Package bradley models games between two players: how probable a win, a draw and a loss of
// the first player are with a lead of x, in logits. It is the model of Bradley and Terry
// (1952), with the draws of Davidson (1970) and the advantage of the first move of Davidson and
// Beaver (1977):
//
//	P(win) : P(draw) : P(loss) = exp(x/2) : ν : exp(−x/2)
//
// x is linear in parameters: a strength of each player, or a slope times the difference of two
// ratings, and always the advantage of moving first. Fit maximises the likelihood, which is
// concave, or with a prior the posterior density. Points is the exact distribution of the
// points of a player in independent games.
package bradley

import (
	"math"

	"kifu/internal/lists"
)

// Curve holds the parameters that all games of a fit share.
type Curve struct {
	Advantage float64 // of the first move, in logits
	Draws     float64 // ν of Davidson: at x = 0 a game is drawn with probability ν/(2+ν)
}

// Odds are the probabilities of the three results of a game; their sum is 1.
type Odds struct{ Win, Draw, Loss float64 }

// At are the odds of the first player with a lead of x, the advantage of the first move included.
func (c Curve) At(x float64) Odds {
	// The largest of the three is 1, so that nothing overflows.
	most := math.Abs(x) / 2
	o := Odds{math.Exp(x/2 - most), c.Draws * math.Exp(-most), math.Exp(-x/2 - most)}
	sum := o.Win + o.Draw + o.Loss
	return Odds{o.Win / sum, o.Draw / sum, o.Loss / sum}
}

// Slope returns the slope of the expected score at x = 0 in units of the logistic curve's: 2/(2+ν).
// Draws make the curve flatter.
func (c Curve) Slope() float64 { return 2 / (2 + c.Draws) }

// Score is the expected score: a draw is half a win.
func (o Odds) Score() float64 { return o.Win + o.Draw/2 }

// Variance returns the variance of the score of one game.
func (o Odds) Variance() float64 { return o.Win + o.Draw/4 - o.Score()*o.Score() }

// Swap are the odds of the other player.
func (o Odds) Swap() Odds { return Odds{o.Loss, o.Draw, o.Win} }

// Alike are games with the same odds.
type Alike struct {
	Odds
	Games int64
}

// Points is the distribution of the points in independent games: element k is the
// probability of k half points. Time goes with the square of the number of games.
func Points(games []Alike) []float64 {
	all := lists.Sum(games, func(g Alike) int64 { return g.Games })
	p := make([]float64, 2*all+1)
	p[0] = 1
	top := 0
	for _, g := range games {
		for range g.Games {
			top += 2
			for k := top; k >= 2; k-- {
				p[k] = p[k]*g.Loss + p[k-1]*g.Draw + p[k-2]*g.Win
			}
			p[1] = p[1]*g.Loss + p[0]*g.Draw
			p[0] *= g.Loss
		}
	}
	return p
}

// Tails are the probabilities of at most, at least and exactly s half points.
func Tails(points []float64, s int64) (low, high, at float64) {
	for k, x := range points {
		if int64(k) <= s {
			low += x
		}
		if int64(k) >= s {
			high += x
		}
	}
	return min(1, low), min(1, high), points[s]
}

// Moments are the mean and the variance of the points.
func Moments(games []Alike) (mean, variance float64) {
	for _, g := range games {
		mean += float64(g.Games) * g.Score()
		variance += float64(g.Games) * g.Variance()
	}
	return mean, variance
}

// CellsOf are the numbers of the cells that have each parameter.
func (m *Model) CellsOf() [][]int {
	of := make([][]int, len(m.Parameters))
	for i := range m.cells {
		for _, t := range m.cells[i].Terms {
			of[t.Parameter] = append(of[t.Parameter], i)
		}
	}
	return of
}

// Without returns the parameter of that number, and its variance, without the games of a
// cluster: the expectation of a pair must not depend on its own games. All other unknowns stay
// at their values. of are the parameter's cells.
func (m *Model) Without(parameter, cluster int, of []int) (at, variance float64) {
	at = m.Parameters[parameter]
	for range 100 {
		gradient, information := -m.precision[parameter]*at, m.precision[parameter]
		for _, i := range of {
			c := &m.cells[i]
			if c.Cluster == cluster {
				continue
			}
			x, own := m.ahead(c), 0.0
			for _, t := range c.Terms {
				if t.Parameter == parameter {
					own = t.Factor
				}
			}
			o := m.At(x + own*(at-m.Parameters[parameter]))
			g, lean := c.games(), (o.Win-o.Loss)/2
			gradient += own * (float64(c.Wins-c.Losses)/2 - g*lean)
			information += own * own * g * ((o.Win+o.Loss)/4 - lean*lean)
		}
		step := math.Max(-2, math.Min(2, gradient/information))
		at, variance = at+step, 1/information
		if math.Abs(step) < 1e-10 {
			break
		}
	}
	return at, variance
}
