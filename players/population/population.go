// Package population learns from the games of many players which moves people choose, and tests it on players and months
// that it has not seen. A dataset of games goes in. A row for each decision of the test, the model as data (package
// choose), and tables of its predictions come out.
//
// The games are replayed twice: to count decisions, and to take samples of them. Shapes (players/shapes) are counted and weighed in
// a share of the games to learn from, and the weights of features fitted to the others.
package population

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/eval"
	"kifu/games"
	"kifu/internal/clogit"
	"kifu/internal/ordered"
	"kifu/internal/person"
	"kifu/players/choose"
	"kifu/players/shapes"
	"kifu/schemas"
)

// Params are the parameters that determine the model.
type Params struct {
	SkipPlies int     `json:"skip_plies,omitempty"` // of every game
	MinClock  float64 `json:"min_clock,omitempty"`  // seconds left to the player, where clocks are known; 0: any
	MinElo    int     `json:"min_elo,omitempty"`    // of the player who decides
	MaxElo    int     `json:"max_elo,omitempty"`
	Holdout   float64 `json:"holdout"`             // share of the players, whose moves are predicted
	TestFrom  string  `json:"test_from,omitempty"` // date from which games are for the test alone; "": all games of players held out are
	Shapes    float64 `json:"shapes"`              // share of the games to learn from in which shapes are counted; 0: no shapes
	MinPlayed int     `json:"min_played"`          // times that a shape has to be played to count
	Depth     int     `json:"depth"`               // plies of the deepest value, the move included; 0: no values
	Decisions int64   `json:"decisions"`           // to fit the weights to at most, sampled
	Tested    int64   `json:"tested"`              // to test on at most, sampled
	Pull      float64 `json:"pull"`                // of weights towards 0
	Seed      uint64  `json:"seed"`
	// Player are the names of the one player whose weights are learned, near those of Prior; * matches any text. Holdout is then
	// a share of the games.
	Player []string `json:"player,omitempty"`
	// Prior is the model of other players; nil: weights are learned of all players, from none.
	Prior *choose.Model `json:"-"`
	// PriorKey identifies Prior in keys.
	PriorKey string `json:"prior,omitempty"`
	// Eval values the positions; nil is the model that the game is played by.
	Eval *eval.Model `json:"-"`
	// Evaluator identifies Eval in keys.
	Evaluator string `json:"evaluator,omitempty"`
	// Engines are programs whose moves are compared with the model's in the test.
	Engines []Engine `json:"engines,omitempty"`
}

// Validate returns the first error in p.
func (p Params) Validate() error {
	switch {
	case p.SkipPlies < 0 || p.MinElo < 0 || p.MaxElo < 0 || !(p.MinClock >= 0):
		return errors.New("plies, seconds and ratings must not be negative")
	case p.MaxElo > 0 && p.MaxElo < p.MinElo:
		return fmt.Errorf("ratings from %d to %d: no rating is in this range", p.MinElo, p.MaxElo)
	case !(p.Holdout > 0 && p.Holdout < 1):
		return fmt.Errorf("holdout %v: want a share of the players between 0 and 1", p.Holdout)
	case !(p.Shapes >= 0 && p.Shapes < 1):
		return fmt.Errorf("a share of %v of the games to count shapes in: want at least 0 and below 1", p.Shapes)
	case p.MinPlayed < 1:
		return fmt.Errorf("min played %d: want at least 1", p.MinPlayed)
	case p.Depth < 0 || p.Depth > 8:
		return fmt.Errorf("depth %d: want 0 to 8 plies", p.Depth)
	case p.Decisions < 1 || p.Tested < 1:
		return errors.New("want at least one decision to fit to, and one to test on")
	case !(p.Pull > 0):
		return fmt.Errorf("a pull of %v: want a number above 0", p.Pull)
	case (len(p.Player) > 0) != (p.Prior != nil):
		return errors.New("--player and --prior go together: one player is learned near a model of others")
	}
	return nil
}

// learner holds what all workers share.
type learner[P games.Position[P]] struct {
	Params
	game    eval.Game[P]
	in      *datasets.Dir
	workers int
	copies  *bygame.Copies    // of a game, which have its use
	shapes  games.Patterns[P] // nil: none
	model   choose.Model
	total   [uses]int64   // decisions by use
	legal   int64         // moves of those to count shapes in, at most mostOf of each
	counted []decision[P] // to weigh shapes by
	fitted  []decision[P]
	tested  []decision[P]
	fit     *clogit.Fit
	named   *regexp.Regexp // the one player; nil: all
	own     own
	looks   []*clogit.Fit // of each value alone
}

// Run learns from the games in and writes the predictions, the model and the tables to out.
func Run[P games.Position[P]](ctx context.Context, g eval.Game[P], p Params, workers int, in *datasets.Dir, out *datasets.Builder) error {
	if err := p.Validate(); err != nil {
		return err
	}
	if err := in.Want("games"); err != nil {
		return err
	}
	workers = ordered.Workers(workers)
	l := &learner[P]{Params: p, game: g, in: in, workers: workers}
	if p.Prior != nil {
		l.named, l.Shapes, l.Depth, l.Eval = person.Pattern(p.Player...), 0, p.Prior.Depth, p.Prior.Eval
	} else if l.Eval == nil {
		var err error
		if l.Eval, err = g.Playing(); err != nil {
			return err
		}
	}
	if l.shapes = shapes.Of(g.Rules); l.Shapes == 0 {
		l.shapes = nil
	}
	var err error
	if l.copies, err = bygame.CopiesOf(ctx, nil, in, "copies", bygame.CopiesMemory); err != nil {
		return err
	}
	out.SetTable(schemas.Predictions())
	out.SetMeta("game", g.Rules.Name())
	out.SetMeta("holdout", strconv.FormatFloat(p.Holdout, 'g', -1, 64))
	out.SetMeta("seed", strconv.FormatUint(p.Seed, 10))
	for _, step := range []func(context.Context) error{l.begin, l.count, l.weigh} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	files, err := l.model.Files()
	if err != nil {
		return err
	}
	for name, data := range files {
		if err := out.AddFile(name, data); err != nil {
			return err
		}
	}
	return l.predict(ctx, out)
}
