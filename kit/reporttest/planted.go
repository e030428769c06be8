package reporttest

import (
	"math"
	"math/rand/v2"

	"kifu/internal/logit"
)

// Planted returns labels whose value lacks 60 centipawns where king_safety is at least 30.
// Values of a game are nearly the same, so that the chance of each position is the
// logistic function of its own.
func Planted(seed uint64, games int) []Label {
	r := rand.New(rand.NewPCG(seed, 1))
	var rows []Label
	for id := range games {
		safety, mean := math.Round(40*r.NormFloat64()), 120*r.NormFloat64()
		truth := mean
		if safety >= 30 {
			truth += 60
		}
		result := "second"
		if r.Float64() < logit.Probability(truth/80) {
			result = "first"
		}
		if r.IntN(10) == 0 {
			result = "draw"
		}
		for ply := range 6 {
			rows = append(rows, Label{Game: int64(id), Ply: int32(ply), Value: float32(math.Round(mean + 4*r.NormFloat64())), Safety: float32(safety), Result: result})
		}
	}
	return rows
}
