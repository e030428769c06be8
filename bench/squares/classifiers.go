package main

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"kifu/games/othello"
)

// features is their number: for square s, 3s for black, 3s+1 for white, 3s+2 for empty.
const features = 3 * 64

// on lists the features of p that are there, one for each square.
func (p *position) on() (list [64]int) {
	for s := range othello.Square(64) {
		list[s] = 3*int(s) + 2
		switch {
		case p.black.Has(s):
			list[s] -= 2
		case p.white.Has(s):
			list[s]--
		}
	}
	return list
}

// linear is above zero where it predicts Black to win.
type linear struct {
	weights  [features]float64
	constant float64
}

func (l *linear) value(p *position) float64 {
	v := l.constant
	for _, f := range p.on() {
		v += l.weights[f]
	}
	return v
}

// class returns 1 for a position that Black wins.
func (p *position) class() int {
	if p.blackWon {
		return 1
	}
	return 0
}

// naiveBayes takes the squares for independent of each other, once the winner is known:
// the weight of a feature is the logarithm of how much likelier it is when Black wins.
// One is added to each count.
func naiveBayes(train []position) (l linear) {
	var count [2][features]float64
	var n [2]float64
	for i := range train {
		c := train[i].class()
		n[c]++
		for _, f := range train[i].on() {
			count[c][f]++
		}
	}
	for f := range l.weights {
		l.weights[f] = math.Log((count[1][f]+1)/(n[1]+3)) - math.Log((count[0][f]+1)/(n[0]+3))
	}
	l.constant = math.Log(n[1] / n[0])
	return l
}

// ridge makes the covariance invertible: the three features of a square add up to one.
const ridge = 1e-6

// linearDiscriminant is Fisher's, with the covariance that both classes share.
func linearDiscriminant(train []position) (l linear) {
	var mean [2][features]float64
	var n [2]float64
	both := make([]float64, features*features)
	for i := range train {
		c := train[i].class()
		n[c]++
		on := train[i].on()
		for j, f := range on {
			mean[c][f]++
			for _, g := range on[:j+1] {
				both[f*features+g]++
			}
		}
	}
	total := n[0] + n[1]
	for c := range mean {
		for f := range mean[c] {
			mean[c][f] /= n[c]
		}
	}
	covariance := mat.NewSymDense(features, nil)
	for f := range features {
		for g := range f + 1 {
			v := (both[f*features+g] - n[0]*mean[0][f]*mean[0][g] - n[1]*mean[1][f]*mean[1][g]) / (total - 2)
			if f == g {
				v += ridge
			}
			covariance.SetSym(f, g, v)
		}
	}
	difference := mat.NewVecDense(features, nil)
	for f := range features {
		difference.SetVec(f, mean[1][f]-mean[0][f])
	}
	var factors mat.Cholesky
	if !factors.Factorize(covariance) {
		panic("squares: a covariance with its ridge is positive definite")
	}
	weights := mat.NewVecDense(features, l.weights[:])
	if err := factors.SolveVecTo(weights, difference); err != nil {
		panic("squares: " + err.Error())
	}
	for f, w := range l.weights {
		l.constant -= w * (mean[0][f] + mean[1][f]) / 2
	}
	l.constant += math.Log(n[1] / n[0])
	return l
}
