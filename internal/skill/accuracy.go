package skill

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// initial is the value of the first position, in hundredths of a pawn, as lichess takes it.
const initial = 15

// farOff is the value beyond which lichess counts all alike.
const farOff = 1000

// Accuracy returns both sides' accuracy of a game in percent and the mean loss of a move in hundredths of a pawn, as lichess
// computes them (lichess.org/page/accuracy): values are after each move, for the first player, who moves first if first. An accuracy is the
// mean of two means of the moves' accuracies, a harmonic one and one weighted by how much the game swings around the move. NaN without moves of both sides.
func Accuracy(values []float64, first bool) (accuracy, loss [2]float64) {
	accuracy, loss = [2]float64{math.NaN(), math.NaN()}, [2]float64{math.NaN(), math.NaN()}
	if len(values) < 2 {
		return accuracy, loss
	}
	before := append([]float64{initial}, values...)
	wins := make([]float64, len(before))
	for i, v := range before {
		before[i] = max(-farOff, min(farOff, v))
		wins[i] = 100 / (1 + math.Exp(-0.00368208*before[i]))
	}
	width := max(2, min(8, len(values)/10))
	var n, lost, weights, weighted, reciprocals [2]float64
	for i := range values {
		side, sign := i%2, 1.0
		if !first {
			side = 1 - side
		}
		if side == 1 {
			sign = -1
		}
		from := max(0, i+2-width)
		share := moveAccuracy(sign * (wins[i] - wins[i+1]))
		weight := max(0.5, min(12, stat.PopStdDev(wins[from:from+width], nil)))
		n[side]++
		lost[side] += max(0, sign*(before[i]-before[i+1]))
		weights[side], weighted[side] = weights[side]+weight, weighted[side]+weight*share
		reciprocals[side] += 1 / share
	}
	for side := range n {
		accuracy[side] = (weighted[side]/weights[side] + n[side]/reciprocals[side]) / 2
		loss[side] = lost[side] / n[side]
	}
	return accuracy, loss
}

// moveAccuracy is the accuracy of a move by which the chance of winning falls by so many percent.
func moveAccuracy(falls float64) float64 {
	if falls <= 0 {
		return 100
	}
	return max(0, min(100, 103.1668100711649*math.Exp(-0.04354415386753951*falls)-3.166924740191411+1))
}
