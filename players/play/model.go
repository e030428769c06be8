package play

import (
	"context"
	"fmt"
	"math/rand/v2"

	"kifu/eval"
	"kifu/games"
	"kifu/internal/splitmix"
	"kifu/search"
)

// modelling is a player that searches with a model of its opponent (search.MStar). Without
// a model, as before it has learned one, it is the plain player of its depth.
type modelling[P games.Position[P]] struct {
	searching[P]
	g     eval.Game[P]
	self  Player
	mstar *search.MStar[P]
}

func newModelling[P games.Position[P]](g eval.Game[P], p Player, plain searching[P]) (*modelling[P], error) {
	m := &modelling[P]{searching: plain, g: g, self: p}
	if p.MStar.Model == nil {
		return m, nil
	}
	return m, m.Adopt(p.MStar.Model)
}

// Adopt implements Adopter.
func (m *modelling[P]) Adopt(model *Model) error {
	if m.mstar = nil; model == nil {
		return nil
	}
	own, err := staticOf(m.g, m.self.Eval, m.self.Weaken)
	if err != nil {
		return fmt.Errorf("player %q: %w", m.self.Text, err)
	}
	others, err := staticOf(m.g, model.Eval, model.Weaken)
	if err != nil {
		return fmt.Errorf("player %q: its model: %w", m.self.Text, err)
	}
	m.mstar, err = search.NewMStar(search.Strategy[P]{Static: own, Depth: m.depth},
		search.Strategy[P]{Static: others, Depth: model.Depth}, m.self.MStar.Modified)
	if err != nil {
		return fmt.Errorf("player %q: %w", m.self.Text, err)
	}
	return nil
}

// Choose samples among the best moves of M*.
func (m *modelling[P]) Choose(ctx context.Context, p P, h *History[P], rng *rand.Rand) (Choice, error) {
	switch {
	case m.mstar == nil:
		return m.searching.Choose(ctx, p, h, rng)
	case m.lapses(rng):
		return m.drawing.Choose(ctx, p, h, rng)
	}
	r := m.mstar.Pruned(p)
	if r.Best = h.allowed(r.Best); len(r.Best) == 0 {
		return m.searching.Choose(ctx, p, h, rng)
	}
	return Choice{Move: r.Best[rng.IntN(len(r.Best))], Value: r.Value, Valued: true}, nil
}

// mostPseudo bounds the weights of pseudo-random players.
const mostPseudo = 10

// Resolve sets Eval from the settings. read returns the model of a file, of "" (the game's default for
// players), or of eval.Counted (its counted terms, which pseudo-random weights use).
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
