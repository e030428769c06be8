// Package identify finds which of some players made the moves of given games. Models of players (kifu learn)
// and games go in; a posterior over the models comes out. For the players of the models it also reports how
// often it names the right one, and whether its probabilities are true.
//
// Baker and Cowling use a library of opponent models with a posterior to choose an answer to a style of play
// ("Bayesian Opponent Modeling in a Simple Poker Environment", 2007), Richards and Amir to infer what an
// opponent holds ("Opponent Modeling in Scrabble", 2007). Here there are two kinds of evidence, summed over
// the moves of a game:
//
//	tree    ln P(move | position) by the frequencies in a player's other games (tree.go)
//	models  ln P(move | position) by its strategy, depth, weights and a noisy choice
//
// Both assume independent moves and a true candidate, which never holds: their products
// of hundreds of moves claim far too much. So evidence is tempered, and how much is fitted
// to games with known players that had no part in anything else (posterior.go). A third
// part of the games tests it (trials.go).
package identify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/eval"
	"kifu/games"
	"kifu/internal/ordered"
	"kifu/players"
	"kifu/players/decide"
)

// Candidate is a model of the library, learned from games of one player.
type Candidate struct {
	*players.Player
	Names []string     // of the player in records; * is any text
	Split decide.Split // by which games were fitted to, held out or kept to test
	Games string       // key of the dataset that it was learned from
}

// MarshalJSON returns the JSON that is hashed into the dataset's key, the weights by their
// checksum.
func (c Candidate) MarshalJSON() ([]byte, error) {
	sum, err := c.Eval.Checksum()
	if err != nil {
		return nil, err
	}
	return json.Marshal([]any{c.Name, c.Names, c.Depth, c.Quiescence, c.Temperature, c.Lapse, sum})
}

// Params are the parameters that determine what is found.
type Params struct {
	Library []Candidate
	// Player has the names of the player of the games in question, * for any text. If it is empty, the
	// players of the library are tried one by one, in games that their models were not learned from.
	Player    []string `json:",omitempty"`
	Aliases   []string `json:",omitempty"` // further names, from a table of names
	SkipPlies int      // the first plies of each game are not used
	MaxPly    int      // nor do the plies from this one on; 0: none
	Sizes     []int    // numbers of games that are judged together
	MaxGames  int      // of each player to fit the posterior to, and as many to test it
	Decisions int      // of each game that are searched, a seeded sample of them
	Trials    int      // sets of games by player and size
	Seed      uint64
}

// Validate returns the first error in p.
func (p Params) Validate() error {
	switch {
	case len(p.Library) < 2:
		return fmt.Errorf("%d models: want two or more to choose between", len(p.Library))
	case len(p.Sizes) == 0 || slices.Min(p.Sizes) < 1:
		return errors.New("sizes: want numbers of games from 1, as 1,5,20,100")
	case p.MaxGames < 2:
		return fmt.Errorf("%d games of each player: want at least 2", p.MaxGames)
	case p.Decisions < 1:
		return fmt.Errorf("%d decisions of each game: want at least one", p.Decisions)
	case p.Trials < 1:
		return fmt.Errorf("%d trials: want at least one", p.Trials)
	case p.SkipPlies < 0 || p.MaxPly < 0:
		return errors.New("plies must not be negative")
	case p.MaxPly > 0 && p.MaxPly <= p.SkipPlies:
		return fmt.Errorf("no ply is left: the first %d and those from %d on are skipped", p.SkipPlies, p.MaxPly)
	}
	seen := map[string]bool{}
	for _, c := range p.Library {
		name := c.title()
		if seen[name] {
			return fmt.Errorf("two models of %q: name each player once", name)
		}
		seen[name] = true
		if c.Split != p.Library[0].Split {
			return fmt.Errorf("the models of %q and %q were learned with different --seed, --holdout or --test, so one has seen test games of the other: learn both with the same", p.Library[0].title(), name)
		}
		if c.Games != p.Library[0].Games {
			return fmt.Errorf("the models of %q and %q were learned from different games: learn both from one dataset", p.Library[0].title(), name)
		}
	}
	if s := p.Library[0].Split; s.Holdout == 0 {
		return errors.New("the models were learned with --holdout 0: no game with a known player is left to fit the posterior to")
	} else if s.Test == 0 && len(p.Player) == 0 {
		return errors.New("the models were learned with --test 0: no game with a known player is left to test on; name a --player, or learn with --test above 0")
	}
	return nil
}

// title is the displayed name of the player.
func (c *Candidate) title() string {
	if c.Name != "" {
		return c.Name
	}
	return strings.Join(c.Names, ", ")
}

// Run identifies the player of games. in[0] are the games in question, in[1] the games that the models were
// learned from. in[1] may be missing if it equals in[0].
func Run[P games.Position[P]](ctx context.Context, g eval.Game[P], p Params, workers int, in []*datasets.Dir, out *datasets.Builder) error {
	if err := p.Validate(); err != nil {
		return err
	}
	for _, d := range in {
		if err := d.Want("games"); err != nil {
			return err
		}
		if of := d.Manifest.Meta["game"]; of != g.Rules.Name() {
			return fmt.Errorf("%s holds games of %s, not of %s", d.Path, of, g.Rules.Name())
		}
	}
	workers = ordered.Workers(workers)
	asked, known := in[0], in[len(in)-1]
	if known.Manifest.Key != p.Library[0].Games {
		return fmt.Errorf("%s: the models were learned from other games than these: name the dataset that they were learned from with --library", known.Path)
	}
	f := &finder[P]{Params: p, game: g, workers: workers}
	if err := f.find(ctx, known, asked); err != nil {
		return err
	}
	if err := f.learnTree(ctx, known); err != nil {
		return err
	}
	if err := f.replay(ctx, known, asked); err != nil {
		return err
	}
	if err := f.value(ctx); err != nil {
		return err
	}
	out.AddCounts(f.counts)
	out.SetMeta("game", g.Rules.Name())
	return f.results(ctx).write(out)
}
