// Package boards gives statements of SQL the functions of boards: those of board.Game, with the relations of
// each game, and hash_of and move_as.
//
// They take packed boards, as the board column of positions and labels has them. Where the
// datasets of a database are of several games, the game's name comes as one argument more.
package boards

import (
	"database/sql/driver"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"kifu/games"
	"kifu/games/board"
	"kifu/query"
)

// Of returns the functions for these games.
func Of(all []board.Game) query.Functions {
	return func(attached func() []string) []query.Function {
		var list []query.Function
		for _, f := range functionsOf(all) {
			params := append(slices.Clone(f.params), query.Text)
			list = append(list,
				query.Function{Name: f.name, Params: f.params, Result: f.result, Call: f.alone(attached)},
				query.Function{Name: f.name, Params: params, Result: f.result, Call: f.named(attached)})
		}
		return list
	}
}

// call is a function of a game.
type call = func(args []driver.Value) (any, error)

// function is a function with its form in each game, by the game's name.
type function struct {
	name   string
	params []query.FunctionType
	result query.FunctionType
	of     map[string]call
	make   func(g board.Game) call // of others: its form in a game
}

// telling has errors of c begin with the function's name.
func (f function) telling(c call) call {
	return func(args []driver.Value) (any, error) {
		v, err := c(args)
		if err != nil {
			err = fmt.Errorf("%s: %w", f.name, err)
		}
		return v, err
	}
}

// alone is the function without a game's name.
func (f function) alone(attached func() []string) call {
	return func(args []driver.Value) (any, error) {
		names := attached()
		switch {
		case len(names) == 1 && f.of[names[0]] != nil:
			return f.of[names[0]](args)
		case len(names) == 1:
			return nil, f.lacking(names[0])
		case len(names) > 1:
			return nil, fmt.Errorf("%s: the datasets are of %s: add the game's name as the last argument", f.name, strings.Join(names, ", "))
		}
		return nil, fmt.Errorf("%s: no dataset of a game is named with the query", f.name)
	}
}

// named is the function with the game's name as its last argument.
func (f function) named(attached func() []string) call {
	return func(args []driver.Value) (any, error) {
		name := args[len(args)-1].(string)
		c := f.of[name]
		switch {
		case c != nil:
			return c(args[:len(args)-1])
		case slices.Contains(attached(), name):
			return nil, f.lacking(name)
		}
		return nil, fmt.Errorf("%s: no game %q; the datasets are of %s", f.name, name, strings.Join(attached(), ", "))
	}
}

// lacking is the error where a game lacks the function.
func (f function) lacking(game string) error {
	return fmt.Errorf("%s: not a function of %s, but of %s", f.name, game, strings.Join(slices.Sorted(maps.Keys(f.of)), ", "))
}

// calling makes a function of a packed board and of texts out of one of a game. What the last texts mean is
// remembered: a statement has few, and asks for them in turn.
func calling(g board.Game, f board.Function) call {
	var m memory
	views := sync.Pool{New: func() any { return g.View() }}
	return func(args []driver.Value) (any, error) {
		packed, err := packedOf(g, args[0])
		if err != nil {
			return nil, err
		}
		v := views.Get().(board.View)
		defer views.Put(v)
		if err := v.Show(packed); err != nil {
			return nil, err
		}
		texts := make([]string, len(args)-1)
		for i, arg := range args[1:] {
			texts[i] = arg.(string)
		}
		ask, err := m.get(v.Layout(), texts, f)
		if err != nil {
			return nil, err
		}
		return ask(v)
	}
}

// memory has what the last texts mean on a board. Goroutines may lose what others put in at the same
// time, and read it again.
type memory struct {
	last atomic.Pointer[[]known]
}

type known struct {
	layout *games.Layout
	texts  []string
	ask    func(board.View) (any, error)
}

const remembered = 8

func (m *memory) get(l *games.Layout, texts []string, f board.Function) (func(board.View) (any, error), error) {
	var all []known
	if last := m.last.Load(); last != nil {
		all = *last
	}
	for i := range all {
		if all[i].layout == l && slices.Equal(all[i].texts, texts) {
			return all[i].ask, nil
		}
	}
	ask, err := f.Prepare(l, texts)
	if err == nil && !slices.Contains(f.Params, "move") { // moves are too many
		now := append([]known{{l, texts, ask}}, all[:min(len(all), remembered-1)]...)
		m.last.Store(&now)
	}
	return ask, err
}

func unpack(g board.Game, v driver.Value) (board.Board, error) {
	packed, err := packedOf(g, v)
	if err != nil {
		return nil, err
	}
	return g.Unpack(packed)
}

func packedOf(g board.Game, v driver.Value) ([]byte, error) {
	packed := v.([]byte)
	if len(packed) != g.BoardSize() {
		return nil, fmt.Errorf("a board of %s has %d bytes, not %d: the column board of positions and labels is one", g.Name(), g.BoardSize(), len(packed))
	}
	return packed, nil
}

// results are the types of what functions of boards return.
var results = [...]query.FunctionType{board.Text: query.Text, board.Truth: query.Truth, board.Int: query.Int, board.Hash: query.Hash}

// functionsOf returns the functions of all games, each under its name once.
func functionsOf(all []board.Game) []function {
	list := slices.Clone(others)
	for i := range list {
		list[i].of = map[string]call{}
	}
	for _, g := range all {
		for _, f := range g.Functions() {
			i := slices.IndexFunc(list, func(known function) bool { return known.name == f.Name })
			if i < 0 {
				i = len(list)
				list = append(list, function{name: f.Name, params: append([]query.FunctionType{query.Blob}, make([]query.FunctionType, len(f.Params))...), // of texts
					result: results[f.Result], of: map[string]call{}})
			}
			list[i].of[g.Name()] = list[i].telling(calling(g, f))
		}
		for i := range others {
			list[i].of[g.Name()] = list[i].telling(others[i].make(g))
		}
	}
	return list
}

// others are the functions that take no board, or two.
var others = []function{
	{name: "move_as", params: []query.FunctionType{query.Blob, query.Text, query.Blob}, result: query.Text, make: func(g board.Game) call {
		return func(args []driver.Value) (any, error) {
			b, err := unpack(g, args[0])
			if err != nil {
				return nil, err
			}
			m, err := b.Find(args[1].(string))
			if err != nil {
				return nil, fmt.Errorf("%s: %w in %s", args[1], err, b.AppendText(nil))
			}
			to, err := unpack(g, args[2])
			if err != nil {
				return nil, err
			}
			return board.MoveAs(m, b, to), nil
		}
	}},
	{name: "hash_of", params: []query.FunctionType{query.Text}, result: query.Hash, make: func(g board.Game) call {
		return func(args []driver.Value) (any, error) {
			b, err := g.Start("", args[0].(string))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", args[0], err)
			}
			return b.Hash(), nil
		}
	}},
}
