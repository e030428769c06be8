// Package shape describes a curve of win probability over bins of an evaluation: its nearest
// sigmoid, whether it rises, and its distance from another curve. Bins come in by ascending value;
// nothing here reads data or draws.
package shape

import (
	"math"

	"kifu/internal/dyads"
	"kifu/internal/human"
)

// LeastDrawn is the number of positions of a bin that is drawn.
const LeastDrawn = 50

// How a curve counts draws.
const (
	DrawsExclude = "exclude" // not at all, as in the paper
	DrawsHalf    = "half"    // as half a win
	DrawsBands   = "bands"   // as themselves: shares won, drawn and lost
)

// Bin is a row of the query.
type Bin struct {
	V                   float64 // centre
	Positions, Games    int64
	Wins, Draws, Losses int64
	P, SE               float64
	Low, High           float64
	Won                 float64 // wins, and half the draws when they count
}

// ScaleText writes the scale of a sigmoid, with two decimals below 100.
func ScaleText(s Sigmoid) string {
	scale := s.Scale()
	if math.Abs(scale) >= 100 {
		return human.Number(math.Round(scale))
	}
	return human.Number(math.Round(scale*100) / 100)
}

// Wilson is Wilson's 95 % interval of a share of n.
func Wilson(share, n float64) (low, high float64) { return WilsonAt(share, n, dyads.Normal95) }

// WilsonAt is Wilson's interval at the normal value z; 0 to 1 of no games.
func WilsonAt(share, n, z float64) (low, high float64) {
	if n <= 0 { // below by rounding, of a share of 0 or 1
		return 0, 1
	}
	return WilsonOf(share*n, n, z)
}

// WilsonOf is the same of so many wins in n, operation by operation as the macros wilson_low and wilson_high have it; NaN without any.
func WilsonOf(wins, n, z float64) (low, high float64) {
	if !(n > 0) {
		return math.NaN(), math.NaN()
	}
	spread := z * math.Sqrt(wins*(n-wins)/n+z*z/4)
	return math.Max(0, (wins+z*z/2-spread)/(n+z*z)), math.Min(1, (wins+z*z/2+spread)/(n+z*z))
}

// Score is Wilson's 95 % interval of a score of n games: for the number of decided games that would have the same
// spread, n of them where all end alike; NaN without a score.
func Score(score float64, s dyads.Spread, n float64) (low, high float64) {
	if math.IsNaN(score) {
		return math.NaN(), math.NaN()
	}
	if !(s.Variance*n > 1e-13) || score*(1-score) == 0 { // a mean of equal results may differ from them by rounding
		return Wilson(score, n)
	}
	return WilsonAt(score, score*(1-score)/s.Variance, dyads.Quantile95(s.Degrees))
}

// ScoreOf is the score of independent games, a draw being half a win, with the interval of Score.
func ScoreOf(won, drawn, lost int64) (score, low, high float64) {
	n := float64(won + drawn + lost)
	score = (float64(won) + float64(drawn)/2) / n
	low, high = Score(score, dyads.Spread{Variance: ((float64(won)+float64(drawn)/4)/n - score*score) / (n - 1), Degrees: n - 1}, n)
	return score, low, high
}

// StandardError is the half width of the bin's interval in standard errors of the normal distribution. It
// allows for few games, and is not 0 if all were won.
func (b Bin) StandardError() float64 { return (b.High - b.Low) / 2 / dyads.Normal95 }
