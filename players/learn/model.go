package learn

import (
	"cmp"
	"context"
	"slices"

	"kifu/eval"
	"kifu/games"
	"kifu/schemas"
)

// learnModel learns strategies, if requested, chooses one and scores it.
func learnModel[P games.Position[P]](ctx context.Context, g eval.Game[P], p *Params, workers int, decisions []decision[P], l *Learned) error {
	var values func(i int) []int32
	if p.fits() {
		if _, err := newColumns(p.Eval, p, false); err != nil {
			return err
		}
	}
	if p.fits() && l.Held != nil {
		all, chosen, err := learnStrategy(ctx, g, p, workers, decisions)
		if err != nil {
			return err
		}
		for _, s := range all {
			l.Strategies = append(l.Strategies, &s.LearnStrategy)
		}
		l.eval = chosen.model
		l.Model = &schemas.LearnModel{Depth: chosen.Depth, Solver: chosen.Solver, Temperature: chosen.Temperature, Lapse: chosen.Lapse, Held: &chosen.Held}
		if values, err = modelValues(ctx, g, p, l.eval, l.Model.Depth, workers, decisions); err != nil {
			return err
		}
	} else {
		l.Model, l.eval = given(p, decisions, l), p.Eval.Round()
		values = func(i int) []int32 { return decisions[i].values[l.Model.Depth-1] }
	}
	for i := range decisions {
		decisions[i].model = values(i)
	}
	if rs := rank(decisions, test, values); len(rs) > 0 {
		s := scoreOf(rs, choiceOf(l.Model))
		l.Model.Test = &s
	}
	return nil
}

// given returns the model with the given weights: the depth with the best predictions on
// held-out games, or the likeliest one without these.
func given[P games.Position[P]](p *Params, decisions []decision[P], l *Learned) *schemas.LearnModel {
	m := &schemas.LearnModel{Depth: cmp.Or(l.ByHeldOut, l.ByPosterior), Solver: Given}
	fitted := rank(decisions, train, func(i int) []int32 { return decisions[i].values[m.Depth-1] })
	c := fitChoice(fitted).refine(fitted)
	m.Temperature, m.Lapse = c.temperature, c.lapse
	if l.Held != nil {
		s := scoreOf(rank(decisions, held, func(i int) []int32 { return decisions[i].values[m.Depth-1] }), c)
		m.Held = &s
	}
	return m
}

// modelValues computes the values of the moves of the decisions by weights at a depth.
func modelValues[P games.Position[P]](ctx context.Context, g eval.Game[P], p *Params, by *eval.Model, depth, workers int, decisions []decision[P]) (func(i int) []int32, error) {
	q := *p
	q.Eval, q.MaxDepth = by, depth
	copies := slices.Clone(decisions)
	if err := value(ctx, g, q, workers, copies); err != nil {
		return nil, err
	}
	return func(i int) []int32 { return copies[i].values[depth-1] }, nil
}

func choiceOf(m *schemas.LearnModel) choice {
	return choice{temperature: m.Temperature, lapse: m.Lapse}
}
