package match

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"kifu/engine"
	"kifu/games"
	"kifu/search"
)

// choice is a move with the value that its player gives it.
type choice struct {
	move   games.Move
	value  int32 // first player's side, 1/search.Grain units
	valued bool
}

// chooser finds the moves of one player. It is for one goroutine.
type chooser[P games.Position[P]] interface {
	// begin is called before each game.
	begin(ctx context.Context) error
	// choose finds a move in p, which has one and which was reached through positions
	// with the hashes seen.
	choose(ctx context.Context, p P, seen []uint64, rng *rand.Rand) (choice, error)
	close()
}

func newChooser[P games.Position[P]](g Game[P], p Player) (chooser[P], error) {
	switch {
	case p.Outside != nil:
		return &outside[P]{rules: g.Rules, name: p.Text, keeper: engine.Keep(p.Outside.Start)}, nil
	case p.Depth == 0:
		return &drawing[P]{}, nil
	}
	model := p.Eval
	if model == nil {
		model = g.Default()
	}
	e, err := g.NewEvaluator(model)
	if err != nil {
		return nil, fmt.Errorf("player %q: %w", p.Text, err)
	}
	return &searching[P]{searcher: search.New(e), depth: p.Depth, random: p.Random}, nil
}

// drawing is a random player.
type drawing[P games.Position[P]] struct{ moves []games.Move }

func (d *drawing[P]) begin(context.Context) error { return nil }
func (d *drawing[P]) close()                      {}

func (d *drawing[P]) choose(_ context.Context, p P, _ []uint64, rng *rand.Rand) (choice, error) {
	d.moves = p.AppendMoves(d.moves[:0])
	return choice{move: d.moves[rng.IntN(len(d.moves))]}, nil
}

// searching is a player that searches to a fixed depth.
type searching[P games.Position[P]] struct {
	drawing[P]
	searcher *search.Searcher[P]
	depth    int
	random   float64
	best     []games.Move
}

// choose draws among the best moves. A position that was on the board before is a draw
// to the player, lest it goes round in circles with what it has won.
func (s *searching[P]) choose(ctx context.Context, p P, seen []uint64, rng *rand.Rand) (c choice, err error) {
	if s.random > 0 && rng.Float64() < s.random {
		return s.drawing.choose(ctx, p, seen, rng)
	}
	c.valued = true
	s.best, c.value = s.searcher.Best(p, s.depth, func(hash uint64) bool { return slices.Contains(seen, hash) }, s.best[:0])
	slices.Sort(s.best)
	c.move = s.best[rng.IntN(len(s.best))]
	return c, nil
}

// outside is a player that is another program. It is given positions without the moves
// before them.
type outside[P games.Position[P]] struct {
	rules  games.Rules[P]
	name   string
	keeper *engine.Keeper
	text   []byte
	moves  []games.Move
}

func (o *outside[P]) begin(ctx context.Context) error { return o.keeper.NewGame(ctx) }
func (o *outside[P]) close()                          { o.keeper.Close() }

func (o *outside[P]) choose(ctx context.Context, p P, _ []uint64, _ *rand.Rand) (c choice, err error) {
	o.text = o.rules.AppendPosition(o.text[:0], p)
	v, err := o.keeper.Search(ctx, string(o.text))
	if err != nil {
		return c, fmt.Errorf("player %q: %w", o.name, err)
	}
	o.moves = p.AppendMoves(o.moves[:0])
	for _, m := range o.moves {
		if string(o.rules.AppendCoordinates(nil, p, m)) == v.Best {
			return choice{m, score(v) * p.ToMove().Sign(), true}, nil
		}
	}
	return c, fmt.Errorf("player %q: it plays %q in %s, which is not legal", o.name, v.Best, o.text)
}

// score is v as a search would give it.
func score(v engine.Value) int32 {
	switch {
	case v.Mate > 0:
		return search.Win - int32(2*v.Mate-1)*search.Grain
	case v.Mate < 0:
		return -search.Win - int32(2*v.Mate)*search.Grain
	}
	const most = search.Decisive / search.Grain
	return int32(max(-most, min(most, v.Score)) * search.Grain)
}
