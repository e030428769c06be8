// Package evolve evolves strategies by letting them play each other: parameters go in, a
// dataset of generations and the best strategy's weights come out.
//
// The scheme is Blondie24's as stated by Al-Khateeb and Kendall ("The Importance of
// Look-Ahead Depth in Evolutionary Checkers", 2011, section III), and their round-robin
// variant of it:
//
//  1. a population of strategies, weights sampled uniformly from -0.2 to 0.2 pieces, each
//     weight with its own step size of 0.05;
//  2. each plays some games as the first player against others sampled at random (for
//     every game again, never itself), or one against each of the others; 1 for a win, 0 for
//     a draw, -2 for a loss, for both players;
//  3. the better half stays and has one child each,
//     s' = s exp(τ N(0,1)), w' = w + s' N(0,1), τ = 1/sqrt(2 sqrt(n)), where n is the number
//     of weights; each N is sampled again;
//  4. again from 2.
//
// A strategy is either a network (of games that have one) or the weights of the linear evaluator.
// The paper does not mention the value of a network's king. It evolves as in Chellapilla and Fogel,
// "Evolving an Expert Checkers Playing Program without Using Human Expertise" (2001): 2 at first; a
// child's is 0.1 more, 0.1 less or the same, from 1 to 3.
//
// Players look ahead to a fixed depth, with quiescence at the leaves as in match. They choose at random among
// equally good moves and treat a repetition as a draw. Games begin at the usual start. The rules draw some
// games that the paper would have continued, and a limit on the number of plies draws others.
//
// All random numbers derive from the seed and the numbers of strategies, generations and games. So
// results do not depend on the number of workers. An interrupted run resumes after the last
// game that this process played: earlier generations are recomputed from their scores, without playing.
//
// The package depends on no game.
package evolve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"kifu/datasets"
	"kifu/eval"
	"kifu/games"
	"kifu/internal/hands"
	"kifu/internal/ordered"
	"kifu/schemas"
	"kifu/search"
)

// Params are the parameters that determine the evolution.
type Params struct {
	Generations int
	Population  int // strategies; an even number
	Depth       int // plies of look-ahead
	// RoundRobin lets all strategies play all others, once with each side. Otherwise each
	// plays Games games as the first player.
	RoundRobin bool
	Games      int
	MaxPlies   int // number of plies after which a game is a draw
	Seed       uint64
	// Network is the network whose parameters evolve. nil: the weights of the linear
	// evaluator Eval evolve, except for the terms and groups Keep.
	Network *Network
	Eval    *eval.Model
	Keep    []string
}

// maxPopulation bounds the number of strategies, which are all in memory with their
// searches.
const maxPopulation = 500

// Validate returns the first error in p.
func (p Params) Validate() error {
	switch {
	case p.Generations < 1:
		return fmt.Errorf("%d generations: want at least one", p.Generations)
	case p.Population < 2 || p.Population > maxPopulation || p.Population%2 != 0:
		return fmt.Errorf("a population of %d: want an even number from 2 to %d", p.Population, maxPopulation)
	case p.Depth < 1 || p.Depth > search.MaxDepth:
		return fmt.Errorf("depth %d: want 1 to %d", p.Depth, search.MaxDepth)
	case p.Games < 1:
		return fmt.Errorf("%d games of each strategy: want at least one", p.Games)
	case p.MaxPlies < 1:
		return fmt.Errorf("a limit of %d plies: want at least one", p.MaxPlies)
	case p.Network != nil && len(p.Keep) > 0:
		return errors.New("--keep: a network evolves as a whole")
	}
	return nil
}

// MarshalJSON returns the JSON that is hashed into the dataset's key.
func (p Params) MarshalJSON() ([]byte, error) {
	evaluator := ""
	if p.Eval != nil && p.Network == nil {
		var err error
		if evaluator, err = p.Eval.Key(); err != nil {
			return nil, err
		}
	}
	if p.RoundRobin {
		p.Games = 0
	}
	return json.Marshal(struct {
		Generations int      `json:"generations"`
		Population  int      `json:"population"`
		Depth       int      `json:"depth"`
		RoundRobin  bool     `json:"round_robin,omitempty"`
		Games       int      `json:"games,omitempty"`
		MaxPlies    int      `json:"max_plies"`
		Seed        uint64   `json:"seed"`
		Network     bool     `json:"network,omitempty"`
		Evaluator   string   `json:"evaluator,omitempty"`
		Keep        []string `json:"keep,omitempty"`
	}{p.Generations, p.Population, p.Depth, p.RoundRobin, p.Games, p.MaxPlies, p.Seed, p.Network != nil, evaluator, p.Keep})
}

// Network is a kind of network.
type Network struct {
	Weights int // number of weights and biases
	// Model returns the model of the network with these parameters: the weights, then the
	// value of a king.
	Model func(parameters []float32) *eval.Model
}

// Run evolves on the given number of workers (0: one per processor) and writes the
// generations to out.
func Run[P games.Position[P]](ctx context.Context, g eval.Game[P], p Params, workers int, out *datasets.Builder) error {
	if err := p.Validate(); err != nil {
		return err
	}
	code, err := newEncoding(g, p)
	if err != nil {
		return err
	}
	workers = ordered.Workers(workers)
	start, _, err := g.Rules.Start("", "")
	if err != nil {
		return err
	}
	r := &run[P]{Params: p, game: g, encoding: code, start: start, out: out}
	for range workers {
		r.tables = append(r.tables, &table[P]{run: r, replay: g.Rules.NewReplay(), players: map[int]*search.Searcher[P]{}})
	}
	if d := hands.DeskOf(ctx); d != nil {
		return r.serve(ctx, d)
	}
	out.SetTable(schemas.Generations)
	out.SetMeta("game", g.Rules.Name())
	return r.run(ctx)
}
