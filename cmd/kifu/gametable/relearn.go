package gametable

import (
	"context"
	"errors"

	"kifu/eval"
	"kifu/games"
	"kifu/players/learn"
	"kifu/players/match"
	"kifu/players/play"
)

// fewestGames is the least number of games from which a learner takes weights, too.
const fewestGames = 20

// relearner returns the function that models players during a match: their depth by the learner's own
// weights and, from fewestGames on, weights that are shrunk towards these, unless they belong
// to tables, which have too many. It has no model of a player who had no choice yet.
func relearner[P games.Position[P]](g eval.Game[P]) match.Learner[P] {
	return func(ctx context.Context, l match.Lesson[P]) (*play.Model, error) {
		if l.Eval == nil {
			var err error
			if l.Eval, err = g.Playing(); err != nil {
				return nil, err
			}
		}
		p := learn.Params{Player: []string{l.Player}, MaxDecisions: 1 << 20, MaxDepth: l.Depth, SkipPlies: l.SkipPlies, Eval: l.Eval}
		if len(l.Games) >= fewestGames && l.Eval.Tables == nil {
			p.Fit, p.FromEval, p.Epsilon, p.Holdout, p.Seed = learn.Shrunk, true, 0.005, 0.3, 1
		}
		played := make([]learn.Played[P], len(l.Games))
		for i, t := range l.Games {
			played[i] = learn.Played[P]{ID: int64(t.Number), Positions: t.Positions, Moves: t.Moves}
			played[i].Is[t.Opponent] = true
		}
		learned, err := learn.FromGames(ctx, g, p, 0, played)
		switch {
		case errors.Is(err, learn.ErrNothing):
			return nil, nil
		case err != nil:
			return nil, err
		case p.Fit == "":
			return &play.Model{Depth: learned.ByPosterior, Weights: play.Weights{Eval: l.Eval}}, nil
		}
		model := learned.Player()
		weights, err := g.Default().Fill(model.Eval.Round())
		return &play.Model{Depth: model.Depth, Weights: play.Weights{Eval: weights}}, err
	}
}
