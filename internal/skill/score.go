package skill

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// Score is a sum over moves at a rating. Its unit of ratings is a hundred points.
type Score struct {
	Moves         int
	U             float64 // the score: above 0 where less was lost than is usual at the rating
	Information   float64 // minus the expected derivative of U
	Best          float64 // U had each move been the best one
	Loss          float64 // scaled, of the moves played
	Expected      float64 // loss at the rating
	First         float64 // times the best move was played, with losses of all legal moves
	ExpectedFirst float64
	slope         []float64 // minus the expected derivative of U by the curve's weights
}

// score adds a turn at a rating.
func (c *Curve) score(m *Moves, t Turn, rating float64) (s Score) {
	law := m.law()
	var x []float64
	var p point
	for i := t.first; i < t.end; i++ {
		x = law.features(c.rated(x[:0], rating), i)
		law.at(&p, i, c.quantities(x))
		if s.slope == nil {
			s.slope = make([]float64, len(x)*len(c.Weights))
		}
		s.Moves++
		s.Loss, s.Expected = s.Loss+m.loss(i), s.Expected+p.expected
		s.First, s.ExpectedFirst = s.First+p.first, s.ExpectedFirst+p.expectedFirst
		for a, w := range c.Weights {
			s.U += w[1] * p.score[a]
			s.Best += w[1] * p.best[a]
			along := 0.0
			for b, v := range c.Weights {
				along += p.information[a][b] * v[1]
			}
			s.Information += w[1] * along
			for k, v := range x {
				s.slope[a*len(x)+k] += along * v
			}
		}
	}
	return s
}

// plus adds another score.
func (s *Score) plus(o Score) {
	s.Moves += o.Moves
	s.U, s.Information, s.Best = s.U+o.U, s.Information+o.Information, s.Best+o.Best
	s.Loss, s.Expected, s.First, s.ExpectedFirst = s.Loss+o.Loss, s.Expected+o.Expected, s.First+o.First, s.ExpectedFirst+o.ExpectedFirst
	if s.slope == nil {
		s.slope = make([]float64, len(o.slope))
	}
	add(s.slope, o.slope)
}

// curveVariance is the variance of U by the errors of the curve.
func (c *Curve) curveVariance(s Score) (v float64) {
	n := len(s.slope)
	for i, a := range s.slope {
		for j, b := range s.slope {
			v += a * b * c.Covariance[i*n+j]
		}
	}
	return v
}

// StartValue is the value of the start position, in hundredths of a pawn, as lichess takes it.
const StartValue = 15

// farOff is the value beyond which lichess counts all alike.
const farOff = 1000

// Accuracy returns both sides' accuracy of a game in percent and the mean loss of a move in hundredths of a pawn, as lichess
// computes them (lichess.org/page/accuracy): start is the value before the first move and values are those after each move, for the first
// player, who moves first if first. An accuracy is the mean of two means of the moves' accuracies, a harmonic one and one weighted by how much the game swings around the move. NaN without moves of both sides.
func Accuracy(start float64, values []float64, first bool) (accuracy, loss [2]float64) {
	accuracy, loss = [2]float64{math.NaN(), math.NaN()}, [2]float64{math.NaN(), math.NaN()}
	if len(values) < 2 {
		return accuracy, loss
	}
	before := append([]float64{start}, values...)
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
