// Package patterns learns from games which moves are played in which local patterns, and
// predicts the moves of held-out games.
//
// In: positions with the move played. Out: one row per decision of the held-out games, with the
// number of moves rated more likely than the move played. A pattern is a key that the game computes
// from a position and a move, for several sizes of shape, each within the next (games.Patterns).
// This package depends on no board.
//
// Three passes over the positions:
//
//  1. played: which patterns were played often enough in the games to learn from
//     (harvesting: Stern, Herbrich and Graepel 2006, section 3);
//  2. available: how often each of these could have been played;
//  3. predict: moves are ordered by their rates (shapes.Rater).
//
// Memory is shapes.Counter's.
package patterns

import (
	"context"
	"fmt"
	"strconv"

	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/games"
	"kifu/internal/ordered"
	"kifu/players/shapes"
	"kifu/schemas"
)

// Params are the parameters that determine the predictions.
type Params struct {
	MinPlayed int     `json:"min_played"`        // number of times that a pattern has to be played to count
	MaxSize   int     `json:"max_size"`          // number of sizes of shapes, from the smallest; 0: all
	Holdout   float64 `json:"holdout"`           // share of the games that is held out and predicted
	Seed      uint64  `json:"seed"`              // samples them, as fit does
	MinElo    int16   `json:"min_elo,omitempty"` // of the side that moves, to learn from; 0: any
}

// Validate returns an error for the first parameter that is invalid whatever the positions.
func (p Params) Validate() error {
	switch {
	case p.MinPlayed < 1:
		return fmt.Errorf("min played %d: want at least 1", p.MinPlayed)
	case p.MaxSize < 0:
		return fmt.Errorf("%d sizes: want a non-negative number", p.MaxSize)
	case !(p.Holdout > 0 && p.Holdout < 1):
		return fmt.Errorf("holdout %v: want a share of the games between 0 and 1", p.Holdout)
	}
	return nil
}

// Run learns from the positions in and writes the predictions to out.
func Run[P games.Position[P]](ctx context.Context, rules games.Rules[P], p Params, workers int, in *datasets.Dir, out *datasets.Builder) error {
	if err := p.Validate(); err != nil {
		return err
	}
	if err := in.Want("positions"); err != nil {
		return err
	}
	if in.Table.Index("occurrences") >= 0 {
		return fmt.Errorf("%s holds distinct positions (transform --dedup), which represent many moves: patterns need every position of a game", in.Path)
	}
	of := shapes.Of(rules)
	if of == nil {
		return fmt.Errorf("%s has no patterns of moves", rules.Name())
	}
	workers = ordered.Workers(workers)
	copies, err := bygame.CopiesOf(ctx, in, nil, "copies", bygame.CopiesMemory)
	if err != nil {
		return err
	}
	l := &learner[P]{Params: p, rules: rules, of: of, in: in, workers: workers, copies: copies}
	out.SetTable(schemas.Predictions())
	out.SetMeta("game", rules.Name())
	out.SetMeta("holdout", strconv.FormatFloat(p.Holdout, 'g', -1, 64))
	out.SetMeta("seed", strconv.FormatUint(p.Seed, 10))
	if err := l.learn(ctx); err != nil {
		return err
	}
	if err := out.AddFile("sizes.csv", l.counts.CSV(of.PatternSizes())); err != nil {
		return err
	}
	return l.predict(ctx, out)
}
