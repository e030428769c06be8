package learn

import (
	"cmp"
	"context"
	"slices"

	"kifu/eval"
	"kifu/games"
	"kifu/players"
)

// learnModel learns strategies, if requested, chooses one and scores it.
func learnModel[P games.Position[P]](ctx context.Context, g eval.Game[P], p *Params, workers int, decisions []decision[P], l *Learned) (err error) {
	var values func(i int) []int32
	if p.fits() {
		if _, err := newColumns(p.Eval, p, false); err != nil {
			return err
		}
	}
	if p.fits() && l.Held != nil {
		if l.Strategies, l.Model, err = learnStrategy(ctx, g, p, workers, decisions); err != nil {
			return err
		}
		if values, err = modelValues(ctx, g, p, l.Model, workers, decisions); err != nil {
			return err
		}
	} else {
		l.Model = given(p, decisions, l)
		values = func(i int) []int32 { return decisions[i].values[l.Model.Depth-1] }
	}
	for i := range decisions {
		decisions[i].model = values(i)
	}
	if rs := rank(decisions, test, values); len(rs) > 0 {
		s := scoreOf(rs, l.Model.choice())
		l.Model.Test = &s
	}
	return nil
}

// given returns the model with the given weights: the depth with the best predictions on
// held-out games, or the likeliest one without these.
func given[P games.Position[P]](p *Params, decisions []decision[P], l *Learned) *Model {
	m := &Model{Depth: cmp.Or(l.ByHeldOut, l.ByPosterior), Solver: Given, eval: p.Eval.Round()}
	fitted := rank(decisions, train, func(i int) []int32 { return decisions[i].values[m.Depth-1] })
	c := fitChoice(fitted).refine(fitted)
	m.Temperature, m.Lapse = c.temperature, c.lapse
	if l.Held != nil {
		s := scoreOf(rank(decisions, held, func(i int) []int32 { return decisions[i].values[m.Depth-1] }), c)
		m.Held = &s
	}
	return m
}

// modelValues computes the model's values of the moves of the decisions.
func modelValues[P games.Position[P]](ctx context.Context, g eval.Game[P], p *Params, m *Model, workers int, decisions []decision[P]) (func(i int) []int32, error) {
	q := *p
	q.Eval, q.MaxDepth = m.eval, m.Depth
	copies := slices.Clone(decisions)
	if err := value(ctx, g, q, workers, copies); err != nil {
		return nil, err
	}
	return func(i int) []int32 { return copies[i].values[m.Depth-1] }, nil
}

func (m *Model) choice() choice { return choice{temperature: m.Temperature, lapse: m.Lapse} }

// Player returns the model as stored in model.toml, without a name.
func (m *Model) Player() *players.Player {
	return &players.Player{
		Game: m.eval.Game, Depth: m.Depth, Temperature: m.Temperature, Lapse: m.Lapse,
		Weights: players.Weights, Eval: m.eval,
	}
}
