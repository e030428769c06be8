package pentanomial

import (
	"fmt"
	"math"

	"kifu/internal/dyads"
)

// Usual are the statistics that the managers of matches between programs print (fishtest,
// fastchess): with the normal distribution of the mean of the pairs. They are for comparing; with
// few pairs and near shut-outs only Interval holds.
type Usual struct {
	Elo             float64 `json:"elo"`
	EloError        float64 `json:"elo_error"` // half of the 95 % interval
	NormalisedElo   float64 `json:"normalised_elo"`
	NormalisedError float64 `json:"normalised_elo_error"`
	Superiority     float64 `json:"likelihood_of_superiority"`
	DrawRatio       float64 `json:"draw_ratio"`  // of pairs that made one point
	PairsRatio      float64 `json:"pairs_ratio"` // of pairs won to pairs lost; -1 when none was lost
}

// Usually returns the statistics of pairs. ok is false if the variance is 0, or a bound of the score is
// outside 0 to 1.
func Usually(p Pairs) (u Usual, ok bool) {
	n := float64(p.N())
	if n == 0 {
		return u, false
	}
	var shares [5]float64
	for i, k := range p {
		shares[i] = float64(k) / n
	}
	mean, variance := moments(shares)
	dev := math.Sqrt(variance / n)
	low, high := mean-dyads.Normal95*dev, mean+dyads.Normal95*dev
	if variance == 0 || low <= 0 || high >= 1 {
		return u, false
	}
	normalised := func(score float64) float64 { return unit * (score - 0.5) / math.Sqrt(2*variance) }
	u = Usual{
		Elo: Logistic(mean), EloError: (Logistic(high) - Logistic(low)) / 2,
		NormalisedElo: normalised(mean), NormalisedError: (normalised(high) - normalised(low)) / 2,
		Superiority: math.Erfc((0.5-mean)/(dev*math.Sqrt2)) / 2,
		DrawRatio:   shares[2], PairsRatio: -1,
	}
	if lost := p[0] + p[1]; lost > 0 {
		u.PairsRatio = float64(p[3]+p[4]) / float64(lost)
	}
	return u, true
}

// String returns u in a line.
func (u Usual) String() string {
	ratio := "-"
	if u.PairsRatio >= 0 {
		ratio = fmt.Sprintf("%.2f", u.PairsRatio)
	}
	return fmt.Sprintf("Elo %.2f ± %.2f, nElo %.2f ± %.2f, LOS %.2f %%, draw ratio %.2f %%, pairs ratio %s",
		u.Elo, u.EloError, u.NormalisedElo, u.NormalisedError, 100*u.Superiority, 100*u.DrawRatio, ratio)
}
