package gametable

import (
	"sync"

	"kifu/eval"
	"kifu/eval/pattern"
	"kifu/fit/tables"
	"kifu/games"
)

// Tables holds what the tables of patterns need of a game.
type Tables struct {
	Layout *games.Layout // of the usual board
	Pieces []games.Piece
	Index  func(*pattern.Plan) tables.Indexer
	// Shipped returns the evaluator of the bundled tables, nil where there are none. They are read
	// when they are first asked for: that takes as long as many a command.
	Shipped func() (*eval.Model, error)
	// Stored reads the tables next to a dataset, whose files read returns.
	Stored func(read func(name string) ([]byte, error)) (eval.Tables, error)
}

// Playing returns what plays where no weights are named: the bundled tables, or else model.
func (t Tables) Playing(model func() *eval.Model) func() (*eval.Model, error) {
	return func() (*eval.Model, error) {
		m, err := t.Shipped()
		if m == nil && err == nil {
			m = model()
		}
		return m, err
	}
}

// bindTables returns how a game's positions are laid on patterns, and its evaluator for models
// with tables, too.
func bindTables[P games.Position[P]](rules games.Rules[P], evaluator func(*eval.Model) (eval.Evaluator[P], error), model func() *eval.Model) (Tables, func(*eval.Model) (eval.Evaluator[P], error)) {
	drawer := rules.(games.Drawer[P]) // as board.Of demands
	start, _, err := rules.Start("", "")
	if err != nil {
		panic(err) // every game has a usual start
	}
	of := Tables{Layout: drawer.Layout(start), Pieces: drawer.Pieces(), Index: tables.IndexerOf(rules, drawer)}
	of.Stored = func(read func(name string) ([]byte, error)) (eval.Tables, error) {
		text, err := read(pattern.Name + ".toml")
		if err != nil {
			return nil, err
		}
		weights, err := read(pattern.Name + pattern.Extension)
		if err != nil {
			return nil, err
		}
		t, err := pattern.Read(text, weights, rules.Name(), of.Layout, of.Pieces)
		if err != nil {
			return nil, err
		}
		return t, nil
	}
	once := sync.OnceValues(func() (*pattern.Tables, error) {
		text, weights, ok := pattern.ReadShipped(rules.Name())
		if !ok {
			return nil, nil
		}
		return pattern.Read(text, weights, rules.Name(), of.Layout, of.Pieces)
	})
	of.Shipped = func() (*eval.Model, error) {
		t, err := once()
		if t == nil || err != nil {
			return nil, err
		}
		return t.Model(), nil
	}
	return of, func(m *eval.Model) (eval.Evaluator[P], error) {
		if m.Tables == nil {
			return evaluator(m)
		}
		e, err := pattern.New(m, drawer)
		if err != nil {
			return nil, err
		}
		usual, err := evaluator(model())
		if err != nil {
			return nil, err
		}
		if forcer, ok := usual.(interface{ Forced(P) bool }); ok {
			return pattern.Forcing[P]{Evaluator: e, Of: forcer}, nil
		}
		return e, nil
	}
}
