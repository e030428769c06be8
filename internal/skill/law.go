package skill

import "math"

// most is how many quantities a law has at most.
const most = 2

// point is what one move contributes where the quantities of a law have given values.
type point struct {
	log                  float64 // logarithm of the (quasi-)likelihood
	score, best          [most]float64
	information          [most][most]float64
	expected             float64 // loss
	first, expectedFirst float64 // the best move was played, and the chance of it
}

// A law gives the chances of moves.
type law interface {
	// quantities is how many numbers, linear in the features, it takes.
	quantities() int
	// features appends what its quantities depend on besides the rating.
	features(x []float64, move int) []float64
	// at fills in p, score and best being those of the move played and of the best one.
	at(p *point, move int, q [most]float64)
}

// law returns the law of the moves.
func (m *Moves) law() law {
	if m.all {
		return choices{m}
	}
	return losses{m}
}

// choices is the law of a choice among all legal moves: the chance of a move falls as exp(-(loss/s)^c), with the sensitivity s and
// the consistency c. The quantities are ln s and ln c.
type choices struct{ *Moves }

func (choices) quantities() int { return 2 }

func (choices) features(x []float64, _ int) []float64 { return x }

func (m choices) at(p *point, move int, q [most]float64) {
	legal := m.lossesOf(move)
	c := math.Exp(q[1])
	*p = point{}
	var sum float64
	var mean [most]float64
	var square [most][most]float64
	at := func(loss float64) (weight float64, slope [most]float64) {
		if loss == 0 {
			return 1, slope
		}
		ratio := math.Log(loss) - q[0]
		power := math.Exp(c * ratio)
		return math.Exp(-power), [most]float64{c * power, -c * power * ratio}
	}
	for _, loss := range legal {
		w, slope := at(float64(loss))
		sum += w
		p.expected += w * float64(loss)
		if loss == 0 {
			p.expectedFirst += w
		}
		for a := range mean {
			mean[a] += w * slope[a]
			for b := range mean {
				square[a][b] += w * slope[a] * slope[b]
			}
		}
	}
	p.expected, p.expectedFirst = p.expected/sum, p.expectedFirst/sum
	w, slope := at(m.loss(move))
	p.log = math.Log(max(w, math.SmallestNonzeroFloat64) / sum)
	if m.loss(move) == 0 {
		p.first = 1
	}
	for a := range mean {
		p.score[a], p.best[a] = slope[a]-mean[a]/sum, -mean[a]/sum
		for b := range mean {
			p.information[a][b] = square[a][b]/sum - mean[a]*mean[b]/(sum*sum)
		}
	}
}

// losses is the law of what the move played loses: its mean is exp(q), and its variance in proportion to that. It depends on the
// value before the move, for either side ahead, and on how late it is.
type losses struct{ *Moves }

func (losses) quantities() int { return 1 }

func (m losses) features(x []float64, move int) []float64 {
	before := float64(m.before[move])
	return append(x, max(0, before), max(0, -before), float64(m.late[move]))
}

func (m losses) at(p *point, move int, q [most]float64) {
	mean, loss := math.Exp(q[0]), m.loss(move)
	*p = point{log: loss*q[0] - mean, expected: mean}
	p.score[0], p.best[0], p.information[0][0] = loss-mean, -mean, mean
}
