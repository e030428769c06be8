package play

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"

	"kifu/eval"
	"kifu/games"
	"kifu/internal/lists"
	"kifu/players/choose"
)

// Human makes a player choose its moves as people of a rating do.
type Human struct {
	Rating float64       // 0: the middle of those that the model was learned from
	Model  *choose.Model // from the player's ModelFile
}

// parseHuman checks the words of a player with the word human.
func (p *Player) parseHuman() error {
	switch {
	case p.ModelFile == "":
		return errors.New("it needs a model of human moves: model=FILE (model.toml of kifu human)")
	case p.Depth > 0 || p.Plain || p.MStar != nil || p.Temperature > 0 || p.Random > 0 || p.EvalFile != "" || p.Zero != nil || p.Pseudo != nil || p.Weaken > 0:
		return errors.New("its moves come from its model: with human use only model=, rating=, book= and name=")
	}
	return nil
}

// parseRating reads the rating of a player.
func (p *Player) parseRating(value string) error {
	rating, err := strconv.ParseFloat(value, 64)
	if p.Human == nil || err != nil || !(rating > 0 && rating < 10_000) {
		return fmt.Errorf("rating %q: want a number above 0, of a player with the word human before it", value)
	}
	p.Human.Rating = rating
	return nil
}

// person draws its moves by a model of how people choose them. It does not look at clocks.
type person[P games.Position[P]] struct {
	predictor *choose.Predictor[P]
	rules     games.Rules[P]
	rating    float64
	moves     []games.Move
	columns   []int16

	told   int // moves of the game
	at     P   // the position after them
	before choose.Before
}

func newPerson[P games.Position[P]](g eval.Game[P], p Player) (*person[P], error) {
	predictor, err := choose.NewPredictor(g, p.Human.Model)
	if err != nil {
		return nil, fmt.Errorf("player %q: %w", p.Text, err)
	}
	return &person[P]{predictor: predictor, rules: g.Rules, rating: p.Human.Rating}, nil
}

func (c *person[P]) Begin(context.Context) error {
	c.told = 0
	return nil
}

func (c *person[P]) Close() {}

func (c *person[P]) Choose(_ context.Context, p P, h *History[P], rng *rand.Rand) (Choice, error) {
	if c.told == 0 {
		c.at, c.before = h.start, choose.Nothing
	}
	for _, m := range h.Moves[c.told:] {
		c.before = c.predictor.After(c.before, c.at, m)
		c.at = c.at.Play(m)
	}
	c.told = len(h.Moves)
	c.moves = h.allowed(p.AppendMoves(c.moves[:0]))
	c.columns = c.rules.AppendColumns(c.columns[:0], p)
	chances := c.predictor.Chances(p, c.moves, c.before, choose.Situation{Rating: c.rating, Clock: -1, Phase: c.columns[0]})
	return Choice{Move: c.moves[drawn(chances, rng)]}, nil
}

// drawn draws an index by weights.
func drawn(weights []float64, rng *rand.Rand) (i int) {
	total := lists.Sum(weights, func(w float64) float64 { return w })
	for left := rng.Float64() * total; i < len(weights)-1 && left >= weights[i]; i++ {
		left -= weights[i]
	}
	return i
}
