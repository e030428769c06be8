// Package play is the players of games: the words that name one, what these mean as data, and how it chooses its
// moves.
//
// In: words such as "depth=3 random=0.1" or "uci:stockfish nodes=1000", the rules and evaluators of a game, positions.
// Out: players, whose JSON identifies them in keys of datasets, and their moves with values. It plays no games: that is
// package match.
package play

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"kifu/eval"
	"kifu/games"
	"kifu/search"
	"kifu/search/engine"
)

// Choice is a move with the player's value of it.
type Choice struct {
	Move     games.Move
	Value    int32 // first player's side, 1/search.Grain units
	Valued   bool
	Resigned bool   // there is no move
	Declared bool   // there is no move: the player declares a win
	Overdue  bool   // there is no move: none came in time
	Illegal  string // what a program answered that is no legal move
	Took     time.Duration
	Depth    int // that a program reported; 0: none
}

// Chooser finds the moves of one player. It must not be shared by goroutines.
type Chooser[P games.Position[P]] interface {
	// Begin is called before each game.
	Begin(ctx context.Context) error
	// Choose finds a move in p, which has at least one.
	Choose(ctx context.Context, p P, h *History[P], rng *rand.Rand) (Choice, error)
	Close()
}

// Adopter is a Chooser whose player models its opponent (Player.MStar).
type Adopter interface {
	// Adopt makes the player search with that model from now on; nil: without one.
	Adopt(model *Model) error
}

// Setter is a Chooser whose player is an outside program.
type Setter interface {
	// Set sets options of the program, which has begun.
	Set(ctx context.Context, options []engine.Option) error
}

// Searchers are the searchers of players by their weights; players with the same weights share one.
type Searchers[P games.Position[P]] map[weightsKey]*search.Searcher[P]

// NewChooser makes the chooser of p. Players with the same weights share a searcher: values
// remembered for one save work for the other.
func NewChooser[P games.Position[P]](g eval.Game[P], p Player, searchers Searchers[P]) (Chooser[P], error) {
	if text := p.Book; text != "" {
		moves, err := readBest(g.Rules, p.BookFile, text)
		if err != nil {
			return nil, err
		}
		p.Book = ""
		c, err := NewChooser(g, p, searchers)
		return &booked[P]{c, moves}, err
	}
	switch {
	case p.Outside != nil:
		return newOutside(g.Rules, p), nil
	case p.Human != nil:
		return newPerson(g, p)
	case p.Depth == 0:
		return &drawing[P]{}, nil
	}
	key, err := p.Weights.key()
	if err == nil && searchers[key] == nil {
		var static search.Static[P]
		if static, err = staticOf(g, p.Eval, p.Weaken); err == nil {
			searchers[key] = search.New(static)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("player %q: %w", p.Text, err)
	}
	plain := searching[P]{searcher: searchers[key], depth: p.Depth, random: p.Random, plain: p.Plain}
	switch {
	case p.MStar != nil:
		return newModelling(g, p, plain)
	case p.Temperature > 0:
		return &tempered[P]{searching: plain, temperature: p.Temperature * search.Grain}, nil
	}
	return &plain, nil
}

// staticOf returns the evaluator of a model (nil: the one that the game is played by), weakened at
// limit.
func staticOf[P games.Position[P]](g eval.Game[P], model *eval.Model, limit float64) (search.Static[P], error) {
	if model == nil {
		var err error
		if model, err = g.Playing(); err != nil {
			return nil, err
		}
	}
	e, err := g.NewEvaluator(model)
	if err != nil {
		return nil, err
	}
	if limit > 0 {
		return &weakened[P]{e, int32(min(limit*search.Grain, math.MaxInt32))}, nil
	}
	return e, nil
}

// weakened is a function that only recognises small advantages: its values of at least
// limit, on either side, are 0 (Carmel and Markovitch 1993, section 3.2, f^a).
type weakened[P any] struct {
	search.Static[P]
	limit int32
}

func (w *weakened[P]) Value(p P) int32 {
	v := w.Static.Value(p)
	if v >= w.limit || v <= -w.limit {
		return 0
	}
	return v
}

// drawing is a random player.
type drawing[P games.Position[P]] struct{ moves []games.Move }

func (d *drawing[P]) Begin(context.Context) error { return nil }
func (d *drawing[P]) Close()                      {}

func (d *drawing[P]) Choose(_ context.Context, p P, h *History[P], rng *rand.Rand) (Choice, error) {
	d.moves = h.allowed(p.AppendMoves(d.moves[:0]))
	return Choice{Move: d.moves[rng.IntN(len(d.moves))]}, nil
}

// searching is a player that searches to a fixed depth.
type searching[P games.Position[P]] struct {
	drawing[P]
	searcher *search.Searcher[P]
	depth    int
	random   float64
	plain    bool // without quiescence
	best     []games.Move
}

// Choose samples among the best moves. With quiescence the player treats an earlier position as a draw, so it
// does not repeat moves in a won position. Without, it is the strategy of Carmel and Markovitch, which uses
// only the position.
func (s *searching[P]) Choose(ctx context.Context, p P, h *History[P], rng *rand.Rand) (c Choice, err error) {
	if s.lapses(rng) {
		return s.drawing.Choose(ctx, p, h, rng)
	}
	if s.plain {
		s.best, c.Value = s.searcher.BestMoves(p, s.depth, s.best[:0])
	} else {
		s.best, c.Value = s.searcher.Best(p, s.depth, h.saw, s.best[:0])
		slices.Sort(s.best)
	}
	if s.best = h.allowed(s.best); len(s.best) == 0 {
		c.Value = s.others(p, h)
	}
	c.Valued, c.Move, c.Depth = true, s.best[rng.IntN(len(s.best))], s.depth
	return c, nil
}

// others finds the best of the allowed moves when none of the best ones is allowed, and
// their value for the first player.
func (s *searching[P]) others(p P, h *History[P]) int32 {
	s.moves = h.allowed(p.AppendMoves(s.moves[:0]))
	high := int32(math.MinInt32)
	for _, m := range s.moves {
		v := s.value(p.Play(m)) * p.ToMove().Sign()
		if v > high {
			s.best, high = s.best[:0], v
		}
		if v == high {
			s.best = append(s.best, m)
		}
	}
	return high * p.ToMove().Sign()
}

// value returns the value of the position after a move, for the first player.
func (s *searching[P]) value(next P) int32 {
	if s.plain {
		return s.searcher.AlphaBeta(next, s.depth-1).Value
	}
	return s.searcher.Depth(next, s.depth-1).Value
}

// lapses reports whether this move is sampled from all legal ones.
func (s *searching[P]) lapses(rng *rand.Rand) bool { return s.random > 0 && rng.Float64() < s.random }

// tempered is a player that samples moves by value: move i has probability proportional to
// exp(value i / temperature).
type tempered[P games.Position[P]] struct {
	searching[P]
	temperature float64 // in 1/search.Grain units
	values      []int32 // of the moves, for the side to move
	weights     []float64
}

func (t *tempered[P]) Choose(ctx context.Context, p P, h *History[P], rng *rand.Rand) (Choice, error) {
	if t.lapses(rng) {
		return t.drawing.Choose(ctx, p, h, rng)
	}
	t.moves, t.values, t.weights = h.allowed(p.AppendMoves(t.moves[:0])), t.values[:0], t.weights[:0]
	best := int32(math.MinInt32)
	for _, m := range t.moves {
		v := t.value(p.Play(m)) * p.ToMove().Sign()
		t.values, best = append(t.values, v), max(best, v)
	}
	for _, v := range t.values {
		t.weights = append(t.weights, math.Exp(float64(v-best)/t.temperature))
	}
	chosen := drawn(t.weights, rng)
	return Choice{Move: t.moves[chosen], Value: t.values[chosen] * p.ToMove().Sign(), Valued: true, Depth: t.depth}, nil
}
