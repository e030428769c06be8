package match

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
)

// choice is a move with the player's value of it.
type choice struct {
	move     games.Move
	value    int32 // first player's side, 1/search.Grain units
	valued   bool
	resigned bool   // there is no move
	declared bool   // there is no move: the player declares a win
	overdue  bool   // there is no move: none came in time
	illegal  string // what a program answered that is no legal move
	took     time.Duration
	depth    int // that a program reported; 0: none
}

// chooser finds the moves of one player. It must not be shared by goroutines.
type chooser[P games.Position[P]] interface {
	// begin is called before each game.
	begin(ctx context.Context) error
	// choose finds a move in p, which has at least one.
	choose(ctx context.Context, p P, h *history[P], rng *rand.Rand) (choice, error)
	close()
}

// newChooser makes the chooser of p. Players with the same weights share a searcher: values
// remembered for one save work for the other.
func newChooser[P games.Position[P]](g eval.Game[P], p Player, searchers map[weightsKey]*search.Searcher[P]) (chooser[P], error) {
	if text := p.Book; text != "" {
		moves, err := readBest(g.Rules, p.BookFile, text)
		if err != nil {
			return nil, err
		}
		p.Book = ""
		c, err := newChooser(g, p, searchers)
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

func (d *drawing[P]) begin(context.Context) error { return nil }
func (d *drawing[P]) close()                      {}

func (d *drawing[P]) choose(_ context.Context, p P, h *history[P], rng *rand.Rand) (choice, error) {
	d.moves = h.allowed(p.AppendMoves(d.moves[:0]))
	return choice{move: d.moves[rng.IntN(len(d.moves))]}, nil
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

// choose samples among the best moves. With quiescence the player treats an earlier position as a draw, so it
// does not repeat moves in a won position. Without, it is the strategy of Carmel and Markovitch, which uses
// only the position.
func (s *searching[P]) choose(ctx context.Context, p P, h *history[P], rng *rand.Rand) (c choice, err error) {
	if s.lapses(rng) {
		return s.drawing.choose(ctx, p, h, rng)
	}
	if s.plain {
		s.best, c.value = s.searcher.BestMoves(p, s.depth, s.best[:0])
	} else {
		s.best, c.value = s.searcher.Best(p, s.depth, h.saw, s.best[:0])
		slices.Sort(s.best)
	}
	if s.best = h.allowed(s.best); len(s.best) == 0 {
		c.value = s.others(p, h)
	}
	c.valued, c.move, c.depth = true, s.best[rng.IntN(len(s.best))], s.depth
	return c, nil
}

// others finds the best of the allowed moves when none of the best ones is allowed, and
// their value for the first player.
func (s *searching[P]) others(p P, h *history[P]) int32 {
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

func (t *tempered[P]) choose(ctx context.Context, p P, h *history[P], rng *rand.Rand) (choice, error) {
	if t.lapses(rng) {
		return t.drawing.choose(ctx, p, h, rng)
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
	return choice{move: t.moves[chosen], value: t.values[chosen] * p.ToMove().Sign(), valued: true, depth: t.depth}, nil
}
