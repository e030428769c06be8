// Package network implements the evaluator of Blondie24: a feed-forward network that sees a
// board of checkers as 32 numbers (Chellapilla and Fogel, "Evolving an Expert Checkers
// Playing Program without Using Human Expertise", IEEE Transactions on Evolutionary
// Computation 5(4), 2001; Al-Khateeb and Kendall, "The Importance of Look-Ahead Depth in
// Evolutionary Checkers", 2011, figure 1). A position goes in, its value in hundredths of a
// centiman (1/10,000 of a man) comes out, from the first player's side.
//
//	32 squares      1 for a man of the first player, K for a king, −1 and −K for the second's
//	91 sub-squares  tanh; every square region of 3×3 to 8×8, seeing its playable squares
//	40, then 10     tanh, fully connected
//	1 output        the weighted sum of the 10, plus the sum of the 32 squares
//
// These are 5,046 weights and biases; K is evolved with them. In the paper the output goes
// through tanh too. It does not here: tanh is monotone, so a search gives the same moves
// except where tanh rounds to one, and without it a value is in men, and the curves of its
// positions can be compared with other evaluators'.
//
// For the stages it is a linear evaluator of three terms: man and king, whose weights are
// 100 and 100 K centimen, and output, the network's own contribution, counted in 5,000ths
// of a man and cut off at 6.5 men. So it can be used for labelling, fitted, and zeroed:
// without material, without network.
//
// Some properties of other evaluators do not hold: exchanging the players does not negate
// the value (because of the biases, and of weights that differ from corner to corner), and
// the side to move does not matter at all. What does hold: the value is a function of the
// board alone, to the bit, whatever was valued before; and with every weight 0 it is the
// piece difference.
package network

import (
	"fmt"
	"math"

	"kifu/eval"
	"kifu/games"
	"kifu/games/draughts"
)

// evaluator values positions of checkers by one network. It must not be shared by
// goroutines: it keeps the sums of the sub-squares of the last position and updates them
// for the next one. They are integers, so that the order of positions does not matter.
type evaluator struct {
	model             *eval.Model
	man, king, output int32 // weights in 1/eval.Grain of a centiman

	wires [64][]wire // by draughts.Square
	sums  [subs]int32
	// The position of the sums.
	first, second, kings draughts.Bitboard

	in1  [subs]float32
	w1   [hidden1 / lanes][subs][lanes]float32
	b1   [hidden1]float32
	w2   [hidden2][hidden1]float32
	b2   [hidden2]float32
	w3   [hidden2]float32
	b3   float32
	tanh *tanhTable
}

// wire connects a square to a sub-square.
type wire struct {
	sub       int32
	man, king int32 // contribution of the piece on the square, in 1/one
}

const (
	one   = 1 << 16 // of the sums
	lanes = 8       // nodes that are summed up side by side

	// Bounds that keep the sums within 32 bits.
	maxWeight = 100
	maxKing   = 10
)

var _ eval.Evaluator[draughts.Position] = (*evaluator)(nil)

// New returns an evaluator with the network of m; terms that m lacks get the weights of
// Model.
func New(m *eval.Model) (eval.Evaluator[draughts.Position], error) {
	if len(m.Network) != Parameters {
		return nil, fmt.Errorf("a network of %d parameters: want %d, the weights and the value of a king", len(m.Network), Parameters)
	}
	for i, w := range m.Network[:Weights] {
		if !(math.Abs(float64(w)) <= maxWeight) {
			return nil, fmt.Errorf("weight %d of the network is %v: at most ±%d", i, w, maxWeight)
		}
	}
	if k := m.Network[atKing]; !(k >= 0 && k <= maxKing) {
		return nil, fmt.Errorf("the network's king is worth %v: from 0 to %d", k, maxKing)
	}
	full, err := Model(m.Network).Fill(m)
	if err != nil {
		return nil, err
	}
	e := &evaluator{model: full.Round(), tanh: newTanhTable()}
	grains := func(term int) int32 { return int32(math.Round(e.model.Terms[term].Weights[0] * eval.Grain)) }
	for i, t := range e.model.Terms {
		if most := [terms]float64{20000, 20000, 200}[i]; math.Abs(t.Weights[0]) > most { // else beyond 32 bits
			return nil, fmt.Errorf("term %q has weight %v: at most ±%v", t.Name, t.Weights[0], most)
		}
	}
	e.man, e.king, e.output = grains(manTerm), grains(kingTerm), grains(outputTerm)
	e.wire(m.Network)
	return e, nil
}

// wire copies the parameters into the order of the layers.
func (e *evaluator) wire(p []float32) {
	inputs, bias := layout()
	fixed := func(x float64) int32 { return int32(math.Round(one * x)) }
	for square := range inputs {
		for _, in := range inputs[square] {
			w := float64(p[in.weight])
			e.wires[square] = append(e.wires[square], wire{int32(in.sub), fixed(w), fixed(w * float64(p[atKing]))})
		}
	}
	for sub, at := range bias {
		e.sums[sub] = fixed(float64(p[at]))
	}
	for node := range hidden1 {
		row := p[atHidden1+node*(subs+1):][:subs+1]
		for i, w := range row[:subs] {
			e.w1[node/lanes][i][node%lanes] = w
		}
		e.b1[node] = row[subs]
	}
	for node := range hidden2 {
		row := p[atHidden2+node*(hidden1+1):][:hidden1+1]
		copy(e.w2[node][:], row)
		e.b2[node] = row[hidden1]
	}
	copy(e.w3[:], p[atOutput:])
	e.b3 = p[atOutput+hidden2]
}

// Model returns the model that e was made of.
func (e *evaluator) Model() *eval.Model { return e.model }

// Value returns the value of p for the first player, in hundredths of a centiman.
func (e *evaluator) Value(p draughts.Position) int32 {
	men, kings := material(p)
	v := e.man*int32(men) + e.king*int32(kings)
	if e.output != 0 {
		v += e.output * int32(e.count(p))
	}
	return v
}

// Forced reports, without generating moves, that neither side may stand pat.
func (e *evaluator) Forced(p draughts.Position) bool { return p.Forced() }

// Trace appends the features of p and returns its phase.
func (e *evaluator) Trace(p draughts.Position, dst []eval.Feature) (features []eval.Feature, phase int) {
	men, kings := material(p)
	for term, n := range [terms]int{manTerm: men, kingTerm: kings, outputTerm: e.count(p)} {
		if n != 0 {
			dst = append(dst, eval.Feature{Term: uint32(term), Count: int16(n)})
		}
	}
	return dst, p.Phase()
}

// material counts men and kings, the first player's less the second's.
func material(p draughts.Position) (men, kings int) {
	first, second, k := p.Side(games.First), p.Side(games.Second), p.Kings()
	return (first &^ k).Count() - (second &^ k).Count(), (first & k).Count() - (second & k).Count()
}

// count returns the network's contribution beyond the piece difference, in 1/countsAMan of
// a man.
func (e *evaluator) count(p draughts.Position) int {
	e.update(p)
	const most = math.MaxInt16
	return int(math.Round(float64(min(most, max(-most, countsAMan*e.forward())))))
}
