package match

import (
	"context"
	"fmt"
	"math/rand/v2"

	"kifu/eval"
	"kifu/games"
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
	return m, m.adopt(p.MStar.Model)
}

// adopt makes the player search with that model from now on; nil: without one.
func (m *modelling[P]) adopt(model *Model) error {
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

// choose samples among the best moves of M*.
func (m *modelling[P]) choose(ctx context.Context, p P, h *history[P], rng *rand.Rand) (choice, error) {
	switch {
	case m.mstar == nil:
		return m.searching.choose(ctx, p, h, rng)
	case m.lapses(rng):
		return m.drawing.choose(ctx, p, h, rng)
	}
	r := m.mstar.Pruned(p)
	if r.Best = h.allowed(r.Best); len(r.Best) == 0 {
		return m.searching.choose(ctx, p, h, rng)
	}
	return choice{move: r.Best[rng.IntN(len(r.Best))], value: r.Value, valued: true}, nil
}
