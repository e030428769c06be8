package network

import (
	"math"
	"sync"

	"kifu/games"
	"kifu/games/draughts"
)

// update changes the sums from the last position to p.
func (e *evaluator) update(p draughts.Position) {
	first, second, kings := p.Side(games.First), p.Side(games.Second), p.Kings()
	changed := (first ^ e.first) | (second ^ e.second) | (kings ^ e.kings)
	for ; changed != 0; changed = changed.Rest() {
		at := changed.First()
		men, kings := occupants(first, second, kings, at.Bit())
		oldMen, oldKings := occupants(e.first, e.second, e.kings, at.Bit())
		men, kings = men-oldMen, kings-oldKings
		for _, w := range e.wires[at] {
			e.sums[w.sub] += men*w.man + kings*w.king
		}
	}
	e.first, e.second, e.kings = first, second, kings
}

// occupants returns the man and the king on a square: 1 for the first player's, -1 for the
// second's.
func occupants(first, second, kings, at draughts.Bitboard) (man, king int32) {
	side := int32(0)
	switch {
	case first&at != 0:
		side = 1
	case second&at != 0:
		side = -1
	}
	if kings&at != 0 {
		return 0, side
	}
	return side, 0
}

// forward returns the output of the network over the sums, without the piece difference, in
// men. Products are rounded before they are added (the conversions ensure this), so that
// all processors give the same result.
func (e *evaluator) forward() float32 {
	for i, s := range &e.sums {
		e.in1[i] = e.tanh.lookUp(float32(s) * (1.0 / one))
	}
	var h1 [hidden1]float32
	for block := range e.w1 {
		var s0, s1, s2, s3, s4, s5, s6, s7 float32
		for i := range e.w1[block] {
			w, x := &e.w1[block][i], e.in1[i]
			s0 += float32(w[0] * x)
			s1 += float32(w[1] * x)
			s2 += float32(w[2] * x)
			s3 += float32(w[3] * x)
			s4 += float32(w[4] * x)
			s5 += float32(w[5] * x)
			s6 += float32(w[6] * x)
			s7 += float32(w[7] * x)
		}
		*(*[lanes]float32)(h1[block*lanes:]) = [lanes]float32{s0, s1, s2, s3, s4, s5, s6, s7}
	}
	for i := range h1 {
		h1[i] = e.tanh.lookUp(h1[i] + e.b1[i])
	}
	out := e.b3
	for node := range e.w2 {
		sum := e.b2[node]
		for i, w := range &e.w2[node] {
			sum += float32(w * h1[i])
		}
		out += float32(e.w3[node] * e.tanh.lookUp(sum))
	}
	return out
}

// tanhTable holds tanh at steps of 1/tanhSteps from -tanhEnd to tanhEnd; linear
// interpolation between them is within 6e-6, and ±1 beyond them within 3e-7.
type tanhTable [2*tanhEnd*tanhSteps + 2]float32

const (
	tanhEnd   = 8
	tanhSteps = 128
)

var newTanhTable = sync.OnceValue(func() *tanhTable {
	t := new(tanhTable)
	for i := range t {
		t[i] = float32(math.Tanh(float64(i)/tanhSteps - tanhEnd))
	}
	return t
})

func (t *tanhTable) lookUp(x float32) float32 {
	x = float32(x+tanhEnd) * tanhSteps
	if !(x > 0) {
		return -1
	}
	if x >= 2*tanhEnd*tanhSteps {
		return 1
	}
	i := int(x)
	return t[i] + float32((t[i+1]-t[i])*(x-float32(i)))
}
