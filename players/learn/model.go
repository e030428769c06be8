package learn

import (
	"context"
	"math"
	"slices"

	"kifu/eval"
	"kifu/games"
	"kifu/players/decide"
	"kifu/schemas"
	"kifu/search"
)

// learnModel learns strategies, if requested, chooses one and scores it.
func learnModel[P games.Position[P]](ctx context.Context, g eval.Game[P], p *Params, workers int, decisions []decision[P], w *work, k *kept, l *Learned) error {
	var values func(i int) []int32
	if p.fits() {
		if _, err := newColumns(p.Eval, p, false); err != nil {
			return err
		}
	}
	if p.fits() && l.Held != nil {
		all, chosen, err := learnStrategy(ctx, g, p, workers, decisions, w, k)
		if err != nil {
			return err
		}
		for _, s := range all {
			l.Strategies = append(l.Strategies, &s.LearnStrategy)
		}
		l.eval = chosen.model
		l.Model = &schemas.LearnModel{Depth: chosen.Depth, Quiescence: chosen.Quiescence, Solver: chosen.Solver, Temperature: chosen.Temperature, Lapse: chosen.Lapse, Held: &chosen.Held}
		if values, err = modelValues(ctx, g, p, l.eval, l.Model.Depth, l.Model.Quiescence, workers, decisions, w); err != nil {
			return err
		}
	} else {
		l.Model, l.eval = given(decisions, l), p.Eval.Round()
		values = func(i int) []int32 { return decisions[i].by(l.Model.Depth, l.Model.Quiescence) }
	}
	for i := range decisions {
		decisions[i].model = values(i)
	}
	setAgainst(l, decisions)
	if rs := rank(decisions, test, values); len(rs) > 0 {
		s := scoreOf(rs, choiceOf(l.Model))
		l.Model.Test = &s
	}
	return nil
}

// given returns the model with the given weights: the candidate with the best predictions on
// held-out games, or the likeliest one without these.
func given[P games.Position[P]](decisions []decision[P], l *Learned) *schemas.LearnModel {
	m := &schemas.LearnModel{Depth: l.Likeliest.Depth, Quiescence: l.Likeliest.Quiescence, Solver: Given}
	if l.Held != nil {
		most := math.Inf(-1)
		for i, d := range allDepths(&l.LearnResults) {
			if d.Held.Accuracy > most {
				m.Depth, m.Quiescence, most = d.Depth, i >= len(l.Depths), d.Held.Accuracy
			}
		}
	}
	values := func(i int) []int32 { return decisions[i].by(m.Depth, m.Quiescence) }
	fitted := rank(decisions, train, values)
	c := fitChoice(fitted).refine(fitted)
	m.Temperature, m.Lapse = c.temperature, c.lapse
	if l.Held != nil {
		s := scoreOf(rank(decisions, held, values), c)
		m.Held = &s
	}
	return m
}

// modelValues computes the values of the moves of the decisions by weights at a depth.
func modelValues[P games.Position[P]](ctx context.Context, g eval.Game[P], p *Params, by *eval.Model, depth int, quiet bool, workers int, decisions []decision[P], w *work) (func(i int) []int32, error) {
	q := *p
	q.Eval, q.MaxDepth, q.Quiescence = by, depth, quiet
	copies := slices.Clone(decisions)
	if err := value(ctx, g, q, false, workers, copies, w); err != nil {
		return nil, err
	}
	return func(i int) []int32 { return copies[i].by(depth, quiet) }, nil
}

// lookAhead values the decisions of a share of the games fitted to one ply deeper than the candidates.
func lookAhead[P games.Position[P]](ctx context.Context, g eval.Game[P], p *Params, workers int, decisions []decision[P]) error {
	var sample []decision[P]
	var at []int
	for i := range decisions {
		if d := &decisions[i]; d.part == train && p.MaxDepth < search.MaxDepth && decide.Share(p.Seed^aheadSeed, uint64(d.game)) < p.Ahead {
			sample, at = append(sample, *d), append(at, i)
		}
	}
	if len(sample) == 0 {
		return nil
	}
	values, err := modelValues(ctx, g, p, p.Eval, p.MaxDepth+1, false, workers, sample, nil)
	for k, i := range at {
		if err == nil {
			decisions[i].next = values(k)
		}
	}
	return err
}

// aheadSeed makes the games that are searched deeper others than those held out.
const aheadSeed = 0xa4ead

// setAgainst compares the candidates with the given weights with the model, on the games held out.
func setAgainst[P games.Position[P]](l *Learned, decisions []decision[P]) {
	if l.Held == nil {
		return
	}
	model := rank(decisions, held, func(i int) []int32 { return decisions[i].model })
	hits, losses := hitsOf(model), lossesOf(model, choiceOf(l.Model))
	for k, d := range allDepths(&l.LearnResults) {
		quiet, c := k >= len(l.Depths), choice{temperature: d.Temperature, lapse: d.Lapse}
		if l.Model.Solver == Given && l.Model.Depth == d.Depth && l.Model.Quiescence == quiet {
			c = choiceOf(l.Model) // the same but for rounding
		}
		ds := rank(decisions, held, func(i int) []int32 { return decisions[i].by(d.Depth, quiet) })
		a := &schemas.LearnAgainst{}
		a.Behind, a.BehindSE = meanByGame(ds, minusEach(hits, hitsOf(ds)))
		a.LossBehind, a.LossBehindSE = meanByGame(ds, minusEach(lossesOf(ds, c), losses))
		d.Against = a
	}
}

func choiceOf(m *schemas.LearnModel) choice {
	return choice{temperature: m.Temperature, lapse: m.Lapse}
}
