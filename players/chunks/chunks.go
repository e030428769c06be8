// Package chunks predicts the moves of one player by the patterns of pieces that recur in the player's games,
// and compares this with the opening tree of the same games and a learned model (kifu learn). It is the
// inductive adversary modeler of Walczak ("Using inductive inference of past performance to build strategic
// cognitive adversary models", dissertation, University of Florida, 1990; Mańdziuk 2010, chapter 11).
//
// A chunk holds at least three of the player's own pieces, in a square window of 3, 4 or 5 cells or on
// the whole board. It belongs to one place of the board and one colour. A chunk is known if the
// player's moves completed it in at least two of the games to learn from. The modeler predicts the
// legal move that completes the largest known chunk; of several, the one completed in most games.
// Without such a move it predicts nothing.
//
// There is a probability as well, as for patterns of moves. A move's rate is (games in which its chunk was
// completed + rate of the next smaller chunk) / (decisions in which it could be + 1). The smallest chunk
// begins with the rate of a random move. A conditional logit, fitted to the games held out, combines all four
// kinds of evidence; it is tested on other games.
package chunks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"kifu/datasets"
	"kifu/eval"
	"kifu/games"
	"kifu/internal/ordered"
	"kifu/players"
	"kifu/players/decide"
)

// Params are the parameters that determine what is found.
type Params struct {
	*players.Player              // the model that is compared, whose games these are
	Names           []string     // of the player; * is any text
	Split           decide.Split // by which the model was learned
	Games           string       // key of the dataset that the model was learned from
	SkipPlies       int          // the first plies are not predicted
	MaxPly          int          // nor are those from this one on; 0: none
	MaxGames        int          // to put the evidence together by, and as many to test
	Seed            uint64
}

// MarshalJSON returns the JSON that is hashed into the dataset's key.
func (p Params) MarshalJSON() ([]byte, error) {
	sum, err := p.Eval.Checksum()
	if err != nil {
		return nil, err
	}
	return json.Marshal([]any{p.Name, p.Names, p.Depth, p.Quiescence, p.Temperature, p.Lapse, sum, p.Split, p.SkipPlies, p.MaxPly, p.MaxGames, p.Seed})
}

// Validate returns the first error in p.
func (p Params) Validate() error {
	switch {
	case p.Split.Holdout == 0 || p.Split.Test == 0:
		return errors.New("the model was learned with --holdout 0 or --test 0: no games are left to combine the evidence on, or to test it")
	case p.MaxGames < 2:
		return fmt.Errorf("%d games: want at least 2", p.MaxGames)
	case p.SkipPlies < 0 || p.MaxPly < 0:
		return errors.New("plies must not be negative")
	case p.MaxPly > 0 && p.MaxPly <= p.SkipPlies:
		return fmt.Errorf("no ply is left: the first %d and those from %d on are skipped", p.SkipPlies, p.MaxPly)
	}
	return nil
}

// Run predicts the moves of the model's player in the games that it was not learned from.
func Run[P games.Position[P]](ctx context.Context, g eval.Game[P], p Params, workers int, in *datasets.Dir, out *datasets.Builder) error {
	if err := p.Validate(); err != nil {
		return err
	}
	if err := in.Want("games"); err != nil {
		return err
	}
	if of := in.Manifest.Meta["game"]; of != g.Rules.Name() {
		return fmt.Errorf("%s holds games of %s, not of %s", in.Path, of, g.Rules.Name())
	}
	if in.Manifest.Key != p.Games {
		return fmt.Errorf("%s: the model was learned from other games, so it is unknown which of these it has seen", in.Path)
	}
	drawer, ok := any(g.Rules).(games.Drawer[P])
	if !ok {
		return fmt.Errorf("%s has no board with cells, which chunks need", g.Rules.Name())
	}
	workers = ordered.Workers(workers)
	m := &modeler[P]{Params: p, game: g, drawer: drawer, workers: workers}
	for _, step := range []func(context.Context, *datasets.Dir) error{m.find, m.learn, m.count, m.ask} {
		if err := step(ctx, in); err != nil {
			return err
		}
	}
	if err := m.value(ctx); err != nil {
		return err
	}
	r, err := m.results()
	if err != nil {
		return err
	}
	out.AddCounts(m.counts)
	out.SetMeta("game", g.Rules.Name())
	return r.write(out)
}
