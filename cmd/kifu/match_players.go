package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"kifu/eval"
	"kifu/eval/pattern"
	"kifu/games"
	"kifu/internal/bounded"
	"kifu/players"
	"kifu/players/learn"
	"kifu/players/match"
)

// matchPlayers reads the players of all flags.
func (a *app) matchPlayers(ctx context.Context, g game, f *matchFlags) (players []match.Player, err error) {
	if (f.first == "") != (f.second == "") {
		return nil, usagef("--first and --second go together (or --player for each)")
	}
	type words struct{ text, from string }
	var list []words
	for _, text := range append([]string{f.first, f.second}, f.players...) {
		if text != "" {
			list = append(list, words{text: text})
		}
	}
	if f.list != "" {
		text, err := bounded.ReadFile(a.path(f.list), bounded.Weights)
		if err != nil {
			return nil, err
		}
		for i, line := range strings.Split(string(text), "\n") {
			if line, _, _ = strings.Cut(line, "#"); strings.TrimSpace(line) != "" {
				list = append(list, words{line, fmt.Sprintf("%s:%d: ", f.list, i+1)})
			}
		}
	}
	if len(list) < 2 {
		return nil, usagef("two players or more are needed, --player for each: %s", match.PlayerWords)
	}
	for _, w := range list {
		p, err := a.player(ctx, g, w.text, f.patience)
		if err != nil {
			return nil, fmt.Errorf("%s%w", w.from, err)
		}
		players = append(players, p)
	}
	return players, nil
}

// player reads a player and what its words name: weights, models, a program that answers within
// patience.
func (a *app) player(ctx context.Context, g game, text string, patience time.Duration) (p match.Player, err error) {
	if p, err = match.ParsePlayer(text); err != nil {
		return p, usageError{err}
	}
	switch {
	case p.Outside != nil:
		p.Outside.Config.Dir, p.Outside.Config.Patience = a.dir, patience
		return p, a.startOnce(ctx, g, p.Outside)
	case p.ModelFile != "":
		s, err := a.readStrategy(g, p.ModelFile)
		if err != nil {
			return p, err
		}
		p.Depth, p.Plain, p.Temperature, p.Random = s.Depth, !s.Quiescence, max(p.Temperature, s.Temperature), max(p.Random, s.Lapse)
		if p.EvalFile == "" && p.Pseudo == nil {
			return p, p.Resolve(func(string) (*eval.Model, error) { return s.Eval, nil })
		}
	}
	if p.Depth == 0 {
		return p, nil
	}
	if err := a.resolveWeights(g, &p.Weights); err != nil {
		return p, err
	}
	if m := p.MStar; m != nil && m.ModelFile != "" {
		s, err := a.readStrategy(g, m.ModelFile)
		if err != nil {
			return p, err
		}
		if s.Quiescence {
			return p, fmt.Errorf("%s: it searches captures to their end (quiescence = true), but M* expects moves by plain look-ahead: kifu learn --quiescence=false makes such a model", m.ModelFile)
		}
		m.Model = &match.Model{Depth: s.Depth, Weights: match.Weights{EvalFile: m.ModelFile, Eval: s.Eval}}
	} else if m != nil && m.Model != nil {
		return p, a.resolveWeights(g, &m.Model.Weights)
	}
	return p, nil
}

// resolveWeights reads weights against the evaluators of g; where no file is named they are those
// that the game is played by.
func (a *app) resolveWeights(g game, w *match.Weights) error {
	var model *eval.Model
	err := w.Resolve(func(file string) (m *eval.Model, err error) {
		if file == "" {
			model, err = g.playing()
		} else {
			model, err = a.readModel(g, file)
		}
		return model, err
	})
	if err == nil || model == nil || model.Tables == nil {
		return err
	}
	if usual, unread := g.model(nil); unread == nil {
		if _, unknown := usual.Zero(w.Zero...); unknown == nil {
			return fmt.Errorf("%w: they are those of tables; eval=%s zero=%s is the evaluator of counted terms without them", err, eval.Counted, strings.Join(w.Zero, ","))
		}
	}
	return err
}

// readStrategy reads a model.toml with its weights in the terms of the evaluator of g.
func (a *app) readStrategy(g game, file string) (*players.Player, error) {
	s, err := players.Read(a.path(file))
	if err != nil {
		return nil, err
	}
	if s.Game != g.name {
		return nil, fmt.Errorf("%s: a player of %s, not of %s", file, s.Game, g.name)
	}
	own, err := g.model(nil)
	if s.Eval.Tables != nil { // they lie beside it
		own, err = a.readModel(g, strings.TrimSuffix(file, filepath.Base(file))+pattern.Name+".toml")
		if err == nil && own.Tables != nil && own.Tables.Checksum() != s.Eval.Tables.Checksum() {
			err = errors.New("the tables beside it are others than it was learned with")
		}
	}
	if err == nil {
		s.Eval, err = own.Fill(s.Eval)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}

// startOnce starts a program to learn its name and whether it takes its options.
func (a *app) startOnce(ctx context.Context, g game, o *match.Outside) error {
	if players := speaking(o.Protocol); players != "" && g.protocol != o.Protocol {
		return usagef("programs that speak %s play %s, not %s", strings.ToUpper(o.Protocol), players, g.name)
	}
	if o.Protocol == "uci" && g.protocol == "usi" {
		return usagef("programs of %s speak USI: want usi:PROGRAM", g.name)
	}
	if err := a.mayStart(strings.Join(o.Config.Command, " ")); err != nil {
		return err
	}
	run, err := o.Start(ctx)
	if err != nil {
		return err
	}
	o.Name = run.Name()
	return run.Close()
}

// fewestGames is the least number of games from which a learner takes weights, too.
const fewestGames = 20

// relearner returns what models players during a match: their depth by the learner's own
// weights and, from fewestGames on, weights that are shrunk towards these, unless they are those
// of tables, of which there are too many. It has no model of a player who had no choice yet.
func relearner[P games.Position[P]](g eval.Game[P]) match.Learner[P] {
	return func(ctx context.Context, l match.Lesson[P]) (*match.Model, error) {
		if l.Eval == nil {
			var err error
			if l.Eval, err = g.Playing(); err != nil {
				return nil, err
			}
		}
		p := learn.Params{Player: []string{l.Player}, MaxDecisions: 1 << 20, MaxDepth: l.Depth, SkipPlies: l.SkipPlies, Eval: l.Eval}
		if len(l.Games) >= fewestGames && l.Eval.Tables == nil {
			p.Fit, p.FromEval, p.Epsilon, p.Holdout, p.Seed = learn.Shrunk, true, 0.005, 0.3, 1
		}
		played := make([]learn.Played[P], len(l.Games))
		for i, t := range l.Games {
			played[i] = learn.Played[P]{ID: int64(t.Number), Positions: t.Positions, Moves: t.Moves}
			played[i].Is[t.Opponent] = true
		}
		learned, err := learn.FromGames(ctx, g, p, 0, played)
		switch {
		case errors.Is(err, learn.ErrNothing):
			return nil, nil
		case err != nil:
			return nil, err
		case p.Fit == "":
			return &match.Model{Depth: learned.ByPosterior, Weights: match.Weights{Eval: l.Eval}}, nil
		}
		model := learned.Player()
		weights, err := g.Default().Fill(model.Eval.Round())
		return &match.Model{Depth: model.Depth, Weights: match.Weights{Eval: weights}}, err
	}
}
