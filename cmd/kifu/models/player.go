package models

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/gametable"
	"kifu/eval"
	"kifu/eval/pattern"
	"kifu/internal/bounded"
	"kifu/players"
	"kifu/players/choose"
	"kifu/players/play"
	"kifu/search/engine"
)

// Player reads a player and what its words name: weights, models, a program that answers within
// patience and whose options announced checks, unless it is nil.
func Player(ctx context.Context, mk *command.Maker, g command.Game, text string, patience time.Duration, announced func(name string, options []engine.OptionInfo) error) (p play.Player, err error) {
	if p, err = play.Parse(text); err != nil {
		return p, command.Misused(err)
	}
	if p.BookFile != "" {
		text, err := mk.ReadFile(p.BookFile, bounded.Weights)
		if err != nil {
			return p, err
		}
		p.Book = string(text)
	}
	switch {
	case p.Outside != nil:
		p.Outside.Config.Dir, p.Outside.Config.Patience, p.Outside.Config.Announced = mk.Dir, patience, announced
		err := startOnce(ctx, mk.Files, g, p.Outside)
		p.Outside.Config.Announced = nil
		return p, err
	case p.Human != nil:
		p.Human.Model, err = Human(mk, g, p.ModelFile)
		return p, err
	case p.ModelFile != "":
		s, err := Strategy(mk, g, p.ModelFile)
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
	if err := resolveWeights(mk, g, &p.Weights); err != nil {
		return p, err
	}
	if m := p.MStar; m != nil && m.ModelFile != "" {
		s, err := Strategy(mk, g, m.ModelFile)
		if err != nil {
			return p, err
		}
		if s.Quiescence {
			return p, fmt.Errorf("%s: it uses quiescence search, but M* needs a model without it: make one with kifu learn --quiescence=false", m.ModelFile)
		}
		m.Model = &play.Model{Depth: s.Depth, Weights: play.Weights{EvalFile: m.ModelFile, Eval: s.Eval}}
	} else if m != nil && m.Model != nil {
		return p, resolveWeights(mk, g, &m.Model.Weights)
	}
	return p, nil
}

// resolveWeights reads weights against the evaluators of g; where no file is named they are those
// that the game is played by.
func resolveWeights(mk *command.Maker, g command.Game, w *play.Weights) error {
	var model *eval.Model
	err := w.Resolve(func(file string) (m *eval.Model, err error) {
		if file == "" {
			model, err = g.Playing()
		} else {
			model, err = Evaluator(mk, g, file)
		}
		return model, err
	})
	if err == nil || model == nil || model.Tables == nil {
		return err
	}
	if usual, unread := g.Model(nil); unread == nil {
		if _, unknown := usual.Zero(w.Zero...); unknown == nil {
			return fmt.Errorf("%w: the evaluator has tables, not terms: eval=%s zero=%s uses the counted terms without these", err, eval.Counted, strings.Join(w.Zero, ","))
		}
	}
	return err
}

// Strategy reads a model.toml with its weights in the terms of the evaluator of g.
func Strategy(mk *command.Maker, g command.Game, file string) (*players.Player, error) {
	s, err := players.Read(mk.Path(file))
	if err != nil {
		return nil, err
	}
	if s.Game != g.Name {
		return nil, fmt.Errorf("%s: a player of %s, not of %s", file, s.Game, g.Name)
	}
	own, err := g.Model(nil)
	if s.Eval.Tables != nil { // they are next to it
		own, err = Evaluator(mk, g, strings.TrimSuffix(file, filepath.Base(file))+pattern.Name+".toml")
		if err == nil && own.Tables != nil && own.Tables.Checksum() != s.Eval.Tables.Checksum() {
			err = errors.New("the tables next to it differ from those it was learned with")
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
func startOnce(ctx context.Context, disk *command.Files, g command.Game, o *play.Outside) error {
	if players := gametable.Speaking(o.Protocol); players != "" && g.Protocol != o.Protocol {
		return command.Usagef("programs that speak %s play %s, not %s", strings.ToUpper(o.Protocol), players, g.Name)
	}
	if o.Protocol == "uci" && g.Protocol == "usi" {
		return command.Usagef("programs of %s speak USI: want usi:PROGRAM", g.Name)
	}
	if err := disk.MayStart(strings.Join(o.Config.Command, " ")); err != nil {
		return err
	}
	run, err := o.Start(ctx)
	if err != nil {
		return err
	}
	o.Name = run.Name()
	return run.Close()
}

// Human reads a model of human moves in a game.
func Human(mk *command.Maker, g command.Game, file string) (*choose.Model, error) {
	m, err := choose.Read(mk.Path(file))
	if err == nil && m.Game != g.Name {
		err = fmt.Errorf("%s: a model of %s, not of %s", file, m.Game, g.Name)
	}
	return m, err
}
