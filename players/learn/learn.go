// Package learn models a player from records of its games: a dataset of games goes in; the
// player's depth of look-ahead and weights come out, as a strategy to play.
//
// The methods are LearnDepth and LearnStrategy of Carmel and Markovitch ("Learning Models
// of Opponent's Strategy in Game Playing", 1993, figures 6 and 9), with likelihoods in
// addition for human players. There are five steps:
//
//  1. decisions: the games are replayed and the moves of the player collected, without
//     those that were forced, in the book, or outside the requested plies; whole games are
//     fitted to, held out, or kept for testing;
//  2. values: every legal move of every decision is valued by minimax of fixed depth with
//     the given weights, for each depth up to MaxDepth. A strategy (f, d) looks d plies
//     ahead of the board, so the position after a move is searched d-1 plies deep;
//  3. for every depth: the paper's counter; the likelihood of the moves under a noisy
//     choice; the share of the moves predicted, in games fitted to and in held-out games;
//  4. for every depth, weights: each move is represented by its dominant position; a solver
//     finds weights by which the moves played are worth more than the others; the moves are
//     searched again with these weights, repeated until held-out accuracy stops rising;
//  5. tables, and the strategy with the best predictions as model.toml.
//
// The search has no quiescence and no extensions, as the paper's opponents have none. The
// package depends on no game, and plays none.
package learn

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"kifu/datasets"
	"kifu/datasets/journal"
	"kifu/eval"
	"kifu/games"
	"kifu/internal/ordered"
	"kifu/players/decide"
	"kifu/search"
)

// ErrNothing is wrapped by Run when the player had no choice in any of the remaining games.
var ErrNothing = errors.New("nothing to learn from")

// Params are the parameters that determine what is learned from given games.
type Params struct {
	// Player are the names of the player: * matches any text, and case does not matter.
	// Aliases are further ones, from a table of names (see WithAliases).
	Player  []string
	Aliases []string
	Side    string // "first" or "second": only its games with that side; "": all
	// From and To are ISO dates at any precision, both included; empty: no bound. A record
	// with only the year matches every day of it.
	From, To string
	// MinElo and MaxElo bound the player's own rating; 0: no bound.
	MinElo, MaxElo int
	SkipPlies      int // the first plies of each game are left out
	MaxPly         int // so are the plies from this one on; 0: none
	// Book leaves out moves that were played in the same position in at least this many other games of the
	// dataset, by any player; 0: none.
	Book int
	// MaxDecisions bounds the number of decisions searched; more are sampled down to it.
	MaxDecisions int
	MaxDepth     int // greatest depth of look-ahead, from 1
	// Quiescence also takes strategies as candidates that search captures to their end beyond
	// their depth, as kifu's own players do.
	Quiescence bool `json:",omitempty"`
	// Ahead is the share of the fitted games whose decisions are also searched one ply deeper than MaxDepth,
	// as a rival for the test of fit.
	Ahead   float64 `json:",omitempty"`
	Holdout float64 // share of the games held out from the fits, for choosing between them
	Test    float64 // share that is used neither for fits nor for the choice
	Seed    uint64  // of all sampling
	// Fit selects how weights are learned: Given (or empty) for none, LP, Likelihood, Both
	// of these, Shrunk, Noisy (Likelihood and Shrunk) or All. They begin as all ones, or with FromEval as Eval's;
	// Shrunk's always do.
	Fit      string
	FromEval bool
	// Free are the terms and groups with a weight; empty: all. Others get weight 0, or with
	// Shrunk their weights in Eval.
	Free    []string
	Tapered bool    // one weight per stage instead of one for all
	Epsilon float64 // least gain in held-out accuracy for climbing to continue
	// Compare are strategies whose predictions on the test games are compared with the
	// model's.
	Compare []Rival `json:",omitempty"`
	// Eval is the model whose weights value positions; nil is the game's default. A command
	// always sets it.
	Eval *eval.Model
}

// Validate returns the first error in p.
func (p Params) Validate() error {
	switch {
	case len(p.Player) == 0:
		return errors.New("no player: name one with --player")
	case p.Side != "" && p.Side != "first" && p.Side != "second":
		return fmt.Errorf("side %q: want first or second", p.Side)
	case !isDate(p.From) || !isDate(p.To):
		return fmt.Errorf("dates from %q to %q: want years, months or days, as 1990, 1990-05 or 1990-05-31", p.From, p.To)
	case p.MaxDepth < 1 || p.MaxDepth > search.MaxDepth:
		return fmt.Errorf("depth %d: want 1 to %d", p.MaxDepth, search.MaxDepth)
	case !(p.Ahead >= 0 && p.Ahead <= 1):
		return fmt.Errorf("a share of %g searched deeper: want 0 to 1", p.Ahead)
	case p.MaxDecisions < 1:
		return fmt.Errorf("%d decisions: want at least one", p.MaxDecisions)
	case !(p.Holdout >= 0 && p.Holdout < 1):
		return fmt.Errorf("a share of %g held out: want at least 0 and below 1", p.Holdout)
	case !(p.Test >= 0 && p.Holdout+p.Test < 1):
		return fmt.Errorf("a share of %g to test, %g held out: want at least 0 each and below 1 together", p.Test, p.Holdout)
	case !slices.Contains([]string{"", Given, LP, Likelihood, Shrunk, Both, Noisy, All}, p.Fit):
		return fmt.Errorf("fit %q: want %s, %s, %s, %s, %s, %s or %s", p.Fit, LP, Likelihood, Shrunk, Both, Noisy, All, Given)
	case len(p.Compare) > 0 && p.Test == 0:
		return errors.New("models are compared on test games, but none are kept: set --test above 0")
	case p.fits() && p.Holdout == 0:
		return fmt.Errorf("weights are chosen on held-out games, but none are held out: set --holdout above 0, or --fit %s", Given)
	case !(p.Epsilon >= 0 && p.Epsilon <= 1):
		return fmt.Errorf("a gain of %g in accuracy: want 0 to 1", p.Epsilon)
	case p.SkipPlies < 0 || p.MaxPly < 0 || p.Book < 0 || p.MinElo < 0 || p.MaxElo < 0:
		return errors.New("plies, games of the book and ratings must not be negative")
	case p.MaxPly > 0 && p.MaxPly <= p.SkipPlies:
		return fmt.Errorf("no ply is left: the first %d and those from %d on are skipped", p.SkipPlies, p.MaxPly)
	}
	return nil
}

// isDate reports whether text is an ISO date of any precision, or empty.
func isDate(text string) bool {
	for _, layout := range []string{"2006", "2006-01", time.DateOnly} {
		if _, err := time.Parse(layout, text); err == nil {
			return true
		}
	}
	return text == ""
}

// name returns the name of the player.
func (p *Params) name() string { return strings.Join(p.Player, ", ") }

func (p Params) fits() bool { return p.Fit != "" && p.Fit != Given }

// Run learns from the games of a dataset with a number of workers (0: one per processor),
// and writes learn.json, the tables and a readable text to out.
func Run[P games.Position[P]](ctx context.Context, g eval.Game[P], p Params, workers int, in *datasets.Dir, out *datasets.Builder) error {
	if err := in.Want("games"); err != nil {
		return err
	}
	if of := in.Manifest.Meta["game"]; of != g.Rules.Name() {
		return fmt.Errorf("%s holds games of %s, not of %s", in.Path, of, g.Rules.Name())
	}
	if p.Eval == nil {
		p.Eval = g.Default()
	}
	k, err := journal.Of[climbed, climb](out.Journal("steps-0"))
	if err != nil {
		return err
	}
	found, l, err := learn(ctx, g, p, &reader[P]{decide.Reader[P]{Rules: g.Rules, In: in, Workers: workers}}, k)
	if err != nil {
		return k.End(err)
	}
	out.AddCounts(found.counts)
	out.SetMeta("game", g.Rules.Name())
	out.SetMeta("unit", p.Eval.Unit)
	return k.End(write(g.Rules, p, found, l, out))
}

// FromGames learns from games in memory, all of which are the player's, as Run does from
// the games of a dataset.
func FromGames[P games.Position[P]](ctx context.Context, g eval.Game[P], p Params, workers int, played []Played[P]) (*Learned, error) {
	if p.Eval == nil {
		p.Eval = g.Default()
	}
	_, l, err := learn(ctx, g, p, &reader[P]{decide.Reader[P]{Rules: g.Rules, Given: played, Workers: workers}}, new(kept))
	return l, err
}

// learn finds the decisions of the games that r reads and learns from them. What k has kept is not learned again.
func learn[P games.Position[P]](ctx context.Context, g eval.Game[P], p Params, r *reader[P], k *kept) (*found[P], *Learned, error) {
	if err := p.Validate(); err != nil {
		return nil, nil, err
	}
	r.Workers = ordered.Workers(r.Workers)
	found, err := r.decisions(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	if found.games == 0 {
		return nil, nil, fmt.Errorf("%s has no such game of %s: kifu names and kifu query list the players", r.Name(), quoted(p.Player))
	}
	if len(found.decisions) == 0 {
		return nil, nil, fmt.Errorf("%w: all %d moves of %s in %d games were forced or skipped", ErrNothing, found.moves, quoted(p.Player), found.games)
	}
	var w *work
	if r.In != nil { // what is relearned within a league is small
		if w, err = estimate(ctx, g, &p, r.Workers, found.decisions); err != nil {
			return nil, nil, err
		}
		defer w.close()
	}
	if err := value(ctx, g, p, true, r.Workers, found.decisions, w); err != nil {
		return nil, nil, err
	}
	if err := lookAhead(ctx, g, &p, r.Workers, found.decisions); err != nil {
		return nil, nil, err
	}
	l := learnDepth(p.MaxDepth, found.decisions)
	if l.Train.Decisions == 0 {
		return nil, nil, fmt.Errorf("no game with decisions of %s is left to fit to: all are held out or kept for the test. Give more games or another --seed, or use --holdout 0 --test 0 to fit to them", quoted(p.Player))
	}
	if err := learnModel(ctx, g, &p, r.Workers, found.decisions, w, k, l); err != nil {
		return nil, nil, err
	}
	w.close()
	return found, l, compare(ctx, g, &p, r.Workers, found.decisions, l)
}
