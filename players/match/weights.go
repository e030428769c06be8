package match

import (
	"fmt"
	"math/rand/v2"

	"kifu/eval"
	"kifu/internal/splitmix"
)

// mostPseudo bounds the weights of pseudo-random players.
const mostPseudo = 10

// Resolve sets Eval from the settings, using read, which returns the model of a file ("" for
// the one that the game is played by, eval.Counted for its counted terms, whose weights are
// sampled where they are to be).
func (w *Weights) Resolve(read func(file string) (*eval.Model, error)) error {
	file := w.EvalFile
	if w.Pseudo != nil {
		file = eval.Counted
	}
	model, err := read(file)
	if err != nil {
		return err
	}
	if w.Pseudo != nil {
		model = pseudoRandom(model, *w.Pseudo)
	}
	w.Eval, err = model.Zero(w.Zero...)
	return err
}

// pseudoRandom returns model with weights sampled uniformly from -10 to 10, in hundredths:
// the pseudo-random players of Mańdziuk ("Knowledge-Free and Learning-Based Methods in
// Intelligent Game Playing", 2010, section 9.2.6), whose play is meaningless but always the
// same.
func pseudoRandom(model *eval.Model, seed uint64) *eval.Model {
	m := model.Clone()
	m.Name = fmt.Sprintf("pseudorandom %d", seed)
	rng := rand.New(rand.NewPCG(splitmix.Mix(seed), splitmix.Mix(^seed)))
	for i := range m.Terms {
		for j := range m.Terms[i].Weights {
			m.Terms[i].Weights[j] = float64(rng.IntN(2*mostPseudo*eval.Grain+1)-mostPseudo*eval.Grain) / eval.Grain
		}
	}
	return m
}
