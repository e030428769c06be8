package main

import (
	"context"
	"math"
	"math/rand/v2"

	"kifu/bench/simulation/walk"
	"kifu/eval"
	evaldraughts "kifu/eval/draughts"
	"kifu/games"
	"kifu/games/draughts"
	"kifu/players/learn"
	"kifu/search"
)

// learning: what is the likeliest candidate of kifu learn, and does the test of fit reject it?
var learning = study{
	name:    "learn",
	columns: []string{"named right", "wrong, above 99 % and not rejected", "rejected", "at least", "mean power told"},
	kinds: []kind{
		planted{"plain, depth 2, temperature 20", 2, false, 20, true, 30}.kind([][2]float64{{0.9, 1}, {0, 0.05}, {0, 0.08}, {0, 0.05}, {0, 1}}),
		planted{"with quiescence, depth 2, temperature 20", 2, true, 20, true, 30}.kind([][2]float64{{0.9, 1}, {0, 0.05}, {0, 0.08}, {0, 0.05}, {0, 1}}),
		planted{"with quiescence, depth 2, temperature 3; no candidate has it", 2, true, 3, false, 30}.kind([][2]float64{{0, 0}, {0, 0.1}, {0.9, 1}, {0, 1}, {0, 1}}),
		planted{"with quiescence, depth 2, temperature 20; no candidate has it", 2, true, 20, false, 30}.kind([][2]float64{{0, 0}, {0, 0.2}, {0.8, 1}, {0, 1}, {0, 1}}),
		planted{"plain, depth 3, the deepest of the candidates, temperature 10", 3, false, 10, true, 30}.kind([][2]float64{{0.9, 1}, {0, 0}, {0, 0.08}, {0.9, 1}, {0, 1}}),
		planted{"plain, depth 4, temperature 10; candidates to 3", 4, false, 10, true, 30}.kind([][2]float64{{0, 0}, {0, 0.1}, {0, 1}, {0, 1}, {0, 1}}),
		planted{"plain, depth 5, temperature 3; candidates to 3", 5, false, 3, true, 30}.kind([][2]float64{{0, 0}, {0, 0.1}, {0.75, 1}, {0, 1}, {0, 1}}),
		planted{"plain, depth 5, temperature 10; candidates to 3", 5, false, 10, true, 30}.kind([][2]float64{{0, 0}, {0, 0.1}, {0, 1}, {0, 1}, {0, 1}}),
		planted{"the same, 200 games", 5, false, 10, true, 200}.kind([][2]float64{{0, 0}, {0, 0.1}, {0, 1}, {0, 1}, {0, 1}}),
		planted{"plain, depth 6, temperature 10; candidates to 3", 6, false, 10, true, 30}.kind([][2]float64{{0, 0}, {0, 0.1}, {0, 1}, {0, 1}, {0, 1}}),
	},
}

type position = draughts.Position

// planted is a player of checkers with kifu's weights, a depth of look-ahead and a noisy choice.
type planted struct {
	name        string
	depth       int
	quiescence  bool
	temperature float64 // centimen
	candidates  bool    // strategies with quiescence are candidates, too
	games       int
}

const (
	deepest = 3    // of the candidates
	lapse   = 0.02 // share of random moves
	plies   = 16   // of each
)

func (p planted) kind(want [][2]float64) kind {
	return kind{p.name, func(ctx context.Context, seed, i uint64) ([]bool, error) {
		e := evaldraughts.Of(draughts.Checkers)
		g := eval.Game[position]{Rules: draughts.Checkers, NewEvaluator: e.New, Default: e.Default}
		rng := walk.Source(seed, i)
		played, err := p.play(g, rng)
		if err != nil {
			return nil, err
		}
		params := learn.Params{Player: []string{p.name}, MaxDepth: deepest, Ahead: 0.25, MaxDecisions: 1 << 20, Quiescence: p.candidates, Seed: i, Fit: learn.Given}
		l, err := learn.FromGames(ctx, g, params, 1, played)
		if err != nil {
			return nil, err
		}
		right := l.Likeliest.Depth == p.depth && l.Likeliest.Quiescence == p.quiescence
		rejected := l.Likeliest.Misfit != nil && l.Likeliest.Misfit.Rejected()
		return []bool{right, !right && !rejected && l.Likeliest.Posterior != nil && *l.Likeliest.Posterior > 0.99, rejected, l.Likeliest.AtLeast, l.Likeliest.Misfit != nil && l.Likeliest.Misfit.Power != nil && rng.Float64() < *l.Likeliest.Misfit.Power}, nil
	}, want}
}

// play makes games of the player against itself, after 6 to 13 random plies.
func (p planted) play(g eval.Game[position], rng *rand.Rand) (all []learn.Played[position], err error) {
	e, err := g.NewEvaluator(g.Default())
	if err != nil {
		return nil, err
	}
	s := search.New(e)
	for id := range int64(p.games) {
		at, _, err := draughts.Checkers.Start("", "")
		if err != nil {
			return nil, err
		}
		game := learn.Played[position]{ID: id, Is: [2]bool{true, true}}
		for ply, begun := 0, 6+rng.IntN(8); ply < begun+plies && at.Outcome() == games.Undecided; ply++ {
			legal := at.AppendMoves(nil)
			m := legal[rng.IntN(len(legal))]
			if ply >= begun {
				if rng.Float64() >= lapse {
					m = legal[p.choose(s, at, legal, rng)]
				}
				game.Positions, game.Moves = append(game.Positions, at), append(game.Moves, m)
			}
			at = at.Play(m)
		}
		all = append(all, game)
	}
	return all, nil
}

// choose draws a move with a chance in proportion to exp(value/temperature).
func (p planted) choose(s *search.Searcher[position], at position, legal []games.Move, rng *rand.Rand) (best int) {
	most := math.Inf(-1)
	for i, m := range legal {
		next := at.Play(m)
		r := s.AlphaBeta
		if p.quiescence {
			r = s.Depth
		}
		// The largest value plus Gumbel's noise is such a draw.
		v := float64(r(next, p.depth-1).Value*at.ToMove().Sign())/search.Grain/p.temperature - math.Log(-math.Log(rng.Float64()))
		if v > most {
			best, most = i, v
		}
	}
	return best
}
