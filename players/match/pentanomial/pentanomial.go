// Package pentanomial estimates the difference between two players from pairs of games. Counts of pairs by
// their points go in; estimates with intervals, and sequential tests, come out.
//
// The two games of a pair begin with the same opening, the players changing sides, so that
// pairs are independent and games are not. All estimates count pairs.
//
// The formulas of ratio.go are fishtest's; the intervals hold near shut-outs too
// (interval.go), and after a sequential test has stopped the match (stopped.go).
package pentanomial

import "math"

// Pairs counts pairs of games by the points that the first player made in them: 0, ½, 1,
// 1½ and 2.
type Pairs [5]int64

// N returns the number of pairs.
func (p Pairs) N() (n int64) {
	for _, k := range p {
		n += k
	}
	return n
}

// Alike reports whether there are pairs and they all made the same points.
func (p Pairs) Alike() bool {
	kinds := 0
	for _, n := range p {
		if n > 0 {
			kinds++
		}
	}
	return kinds == 1
}

// Estimate is a value with its 95 % interval.
type Estimate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

const (
	// unit is the number of units of normalised Elo in a standard deviation of the points of
	// a game.
	unit = 800 / math.Ln10
	// mostElo is the difference of ratings, in Elo and in normalised Elo, at which estimates
	// and bounds are cut off.
	mostElo = 2400
)

// points returns the mean points per game of a pair of kind i, from 0 to 1.
func points(i int) float64 { return float64(i) / 4 }

// moments returns mean and variance of the points under the shares p.
func moments(p [5]float64) (mean, variance float64) {
	for i, x := range p {
		mean += x * points(i)
	}
	for i, x := range p {
		variance += x * (points(i) - mean) * (points(i) - mean)
	}
	return mean, variance
}

// Logistic returns the difference of ratings, in Elo, at which a score from 0 to 1 is
// expected, cut off at mostElo.
func Logistic(score float64) float64 {
	switch {
	case score <= 0:
		return -mostElo
	case score >= 1:
		return mostElo
	}
	return cut(0 - 400*math.Log10(1/score-1))
}

// expected returns the score that is expected at a difference of ratings in Elo.
func expected(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

func cut(elo float64) float64 { return max(-mostElo, min(mostElo, elo)) }
