package network

import (
	"kifu/eval"
	"kifu/games/draughts"
)

// The sizes of the network.
const (
	width     = 8
	subs      = 91 // sub-squares: 36 of 3×3, 25 of 4×4, 16 of 5×5, 9 of 6×6, 4 of 7×7, 1 of 8×8
	subInputs = 854
	hidden1   = 40
	hidden2   = 10

	// Weights is the number of weights and biases.
	Weights = subInputs + subs + hidden1*(subs+1) + hidden2*(hidden1+1) + hidden2 + 1
	// Parameters is the length of eval.Model.Network: the weights, then the value of a king.
	Parameters = Weights + 1
)

// Offsets of the layers' parameters. Each node has its weights, then its bias.
const (
	atHidden1 = subInputs + subs
	atHidden2 = atHidden1 + hidden1*(subs+1)
	atOutput  = atHidden2 + hidden2*(hidden1+1)
	atKing    = Weights
)

// Terms of the model, in their order.
const (
	manTerm = iota
	kingTerm
	outputTerm
	terms
)

const (
	man = 100 // weight of a man in centimen: the piece difference goes straight to the output
	// Counts of the term output per man. The term's weight converts them back to centimen.
	countsAMan = 5000
)

// Model returns the model of a network with the given parameters, which it copies. The
// weight of a king is the king value of the network.
func Model(parameters []float32) *eval.Model {
	king := 0.0
	if len(parameters) == Parameters {
		king = man * float64(parameters[atKing])
	}
	return &eval.Model{
		Game: draughts.Checkers.Name(), Name: "network", Unit: "centimen", Stages: []string{"all"}, Knots: []int{0},
		Terms: []eval.Term{
			manTerm:    {Name: "man", Group: "material", Weights: []float64{man}},
			kingTerm:   {Name: "king", Group: "material", Weights: []float64{king}},
			outputTerm: {Name: "output", Group: "network", Weights: []float64{float64(man) / countsAMan}},
		},
		Network: append([]float32(nil), parameters...),
	}
}

// input is one square of a sub-square.
type input struct {
	sub    int
	weight int // its place among the parameters
}

// layout returns, for each draughts.Square, the inputs that it feeds, and for each
// sub-square the index of its bias. Sub-squares are ordered by size, then by row and column
// of their upper left corner (White's men go up); inputs of one by the number of their
// square.
func layout() (inputs [64][]input, bias [subs]int) {
	at, sub := 0, 0
	for size := 3; size <= width; size++ {
		for top := 0; top+size <= width; top++ {
			for left := 0; left+size <= width; left++ {
				for board := (draughts.Position{}).Board(); board != 0; board = board.Rest() {
					s := board.First()
					if row, column := s.Row()-top, s.Column()-left; min(row, column) >= 0 && max(row, column) < size {
						inputs[s] = append(inputs[s], input{sub, at})
						at++
					}
				}
				bias[sub] = at
				at++
				sub++
			}
		}
	}
	return inputs, bias
}
